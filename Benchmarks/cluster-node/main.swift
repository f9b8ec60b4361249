// A node of a cluster without HTTP, for `make test-cluster`. It has clients of its own, which write
// while it is the primary.
//
//     cluster-node NAME ADDRESS FOLDER CLIENTS LATENCY bootstrap
//     cluster-node NAME ADDRESS FOLDER CLIENTS LATENCY join ADDRESS…
//
// FOLDER has a folder NAME for each node, and the files `acknowledged` and `undecided` of all. A
// line of them is the title of a reminder, and the milliseconds of the monotonic clock. Events are
// printed. On SIGTERM the node hands over and ends. Lines of standard input are `transfer`,
// `remove ID` and `replace`, for the primary: another node leads, a node is removed, and all files
// get another schema. With MARTLET_READS=0 it does not read all the time.

import Dispatch
import Glibc
import MartletCluster
import MartletReminders
import MartletSQLite
import MartletStore
import Synchronization

func monotonicMilliseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
}

func say(_ text: String) {
  let line = Array("\(monotonicMilliseconds()) \(text)\n".utf8)
  _ = write(1, line, line.count)
}

func fail(_ text: String) -> Never {
  say("FAILED \(text)")
  exit(1)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 6, let clients = Int(arguments[3]), let latency = Int(arguments[4]) else {
  fail("usage: cluster-node NAME ADDRESS FOLDER CLIENTS LATENCY bootstrap|join ADDRESS…")
}
let (name, address, folder) = (arguments[0], arguments[1], arguments[2])
let own = "\(folder)/\(name)"
let path = "\(own)/martlet.db"

/// Copies the files of the other nodes, which are on this machine.
struct LocalSnapshots: SnapshotSource {
  func fetch(_ content: SnapshotContent, from address: String, to path: String) throws {
    for name in ["n1", "n2", "n3", "n4", "n5"] {
      let node = "\(folder)/\(name)"
      guard let file = fopen("\(node)/cluster/node.json", "r") else { continue }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 1_000)
      guard fgets(&line, 1_000, file) != nil else { continue }
      let text = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.contains("\"\(address)\"") else { continue }
      var source = "\(node)/martlet.db"
      if case .staged(let tag) = content { source = StagedFile.path(of: source, tag: tag) }
      try DatabaseCopy.make(of: source, at: path)
      return
    }
    throw ClusterError.connection("no file of \(address)")
  }
}

/// Appends a line to a file of all nodes.
struct Journal {
  private let file: Int32

  init(_ name: String) { file = open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_APPEND, 0o600) }

  func note(_ title: String) {
    let line = Array("\(title) \(monotonicMilliseconds())\n".utf8)
    guard write(file, line, line.count) == line.count else { fail("the journal is not writable") }
  }
}

/// The title of the last reminder that any node has acknowledged.
@Sendable func lastAcknowledged() -> String? {
  let file = open("\(folder)/acknowledged", O_RDONLY)
  guard file >= 0 else { return nil }
  defer { close(file) }
  let size = lseek(file, 0, SEEK_END)
  var bytes = [UInt8](repeating: 0, count: 200)
  let count = pread(file, &bytes, 200, max(size - 200, 0))
  let text = bytes.prefix(max(count, 0))
  // A line that is just being written has no end yet.
  guard let end = text.lastIndex(of: UInt8(ascii: "\n")) else { return nil }
  let lines = text[..<end].split(separator: UInt8(ascii: "\n"))
  return lines.last?.split(separator: UInt8(ascii: " ")).first.map {
    String(decoding: $0, as: UTF8.self)
  }
}

/// Reads on this node, whatever its role. Each read must see what was acknowledged before it.
@Sendable func checkReads(_ node: ClusterNode) {
  let answer = DispatchSemaphore(value: 0)
  var (fresh, refused) = (0, 0)
  var next = monotonicMilliseconds() + 1_000
  while true {
    usleep(500)
    guard let title = lastAcknowledged() else { continue }
    let isFresh = Mutex(false)
    node.whenFresh(within: .seconds(1)) { result in
      isFresh.withLock { $0 = result }
      answer.signal()
    }
    answer.wait()
    if isFresh.withLock({ $0 }) {
      fresh += 1
      let found = try? node.database.read { db in
        try db.value("SELECT count(*) FROM reminders WHERE title = ?", .text(title))?.integer
      }
      if found == 0 { fail("a stale read: \(title) is missing at entry \(node.database.seq)") }
    } else {
      refused += 1
    }
    if monotonicMilliseconds() >= next {
      next += 1_000
      say("reads: \(fresh) fresh, \(refused) refused")
    }
  }
}

mkdir(own, 0o700)
do {
  // Blocked in all threads, and taken by this one.
  var terminated = sigset_t()
  sigemptyset(&terminated)
  sigaddset(&terminated, SIGTERM)
  pthread_sigmask(SIG_BLOCK, &terminated, nil)
  if arguments[5] == "bootstrap", access(path, F_OK) != 0 {
    try RemindersDatabase.migrate(path: path)
  }
  var settings = ClusterSettings(
    address: address, folder: "\(own)/cluster",
    beginning: arguments[5] == "bootstrap" ? .bootstrap : .join(Array(arguments[6...])))
  settings.latency = .milliseconds(latency)
  let node = try ClusterNode(settings, path: path, snapshots: LocalSnapshots()) { replicator in
    var settings = Configuration()
    settings.changeTable = RemindersDatabase.changeTable
    return try EmbeddedDatabase(path: path, configuration: settings, replicator: replicator) {
      event in
      if let trouble = event.trouble { say("store: \(trouble)") }
    }
  } onEvent: { event in
    if case .reports = event { return }
    say("\(event)")
  }
  let acknowledged = Journal("acknowledged")
  let undecided = Journal("undecided")
  let start = monotonicMilliseconds()
  for client in 0..<clients {
    Thread.start {
      var number = 0
      while true {
        guard node.isPrimary else {
          usleep(2_000)
          continue
        }
        number += 1
        let title = "\(name)-\(start)-\(client)-\(number)"
        do {
          try node.database.write { db in
            var changes = ReminderRepository.Values()
            changes.listID = 1
            changes.title = title
            changes.tags = number % 8 == 0 ? ["tag \(client)"] : nil
            let id = try ReminderRepository.create(changes, in: db)
            if number % 5 == 0 {
              try db.run("DELETE FROM reminders WHERE id = ?", .integer(id))
              throw Undone()
            }
          }
          acknowledged.note(title)
        } catch is Undone {
        } catch WriteError.notPrimary {
        } catch WriteError.undecided {
          undecided.note(title)
        } catch WriteError.stopped {
          return
        } catch { fail("\(error)") }
      }
    }
  }
  Thread.start {
    while let line = readLine() {
      let words = line.split(separator: " ")
      if words == ["transfer"] { node.perform(.transfer(to: nil)) }
      if words == ["replace"] {
        do {
          try node.database.replaceContent { copy in
            let connection = try Connection(location: .file(copy))
            defer { connection.close() }
            let count = try connection.value("SELECT count(*) FROM sqlite_schema")?.integer ?? 0
            try connection.execute(
              "CREATE TABLE replaced\(count) (a); INSERT INTO replaced\(count) VALUES (1)")
          }
          say("replaced")
        } catch { say("not replaced: \(error)") }
      }
      if words.first == "remove", let id = UInt64(words[1]) { node.perform(.remove(id)) }
    }
  }
  if getenv("MARTLET_READS").map({ String(cString: $0) }) != "0" {
    Thread.start { checkReads(node) }
  }
  say("started \(node.id)")
  var signal: Int32 = 0
  sigwait(&terminated, &signal)
  node.stop()
  node.database.close()
  say("stopped")
  exit(0)
} catch { fail("\(error)") }

/// A write that takes back what it has done.
struct Undone: Error {}

enum Thread {
  static func start(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body))
    pthread_create(
      &thread, nil,
      { box in
        Unmanaged<Box>.fromOpaque(box!).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    pthread_detach(thread)
  }

  private final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
