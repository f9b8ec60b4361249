import Glibc

/// A failure that ends the benchmark.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A `martlet` process that serves its own seeded database, on its own core if there are two.
final class Server {
  let port: UInt16
  private let process: pid_t
  private let folder: String

  init(lists: Int, reminders: Int) throws {
    var template = Array("/tmp/martlet-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure("no temporary folder") }
    folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    // The program that was built together with this one.
    let own = CommandLine.arguments[0]
    let program = own.lastIndex(of: "/").map { own[...$0] + "martlet" } ?? "./martlet"
    let database = folder + "/bench.db"
    let (seed, seeded) = try Server.start([
      program, "seed", "--database", database, "--lists", "\(lists)", "--reminders", "\(reminders)",
    ])
    var ignored = [UInt8](repeating: 0, count: 4096)
    while read(seeded, &ignored, ignored.count) > 0 {}
    close(seeded)
    var status: Int32 = 0
    waitpid(seed, &status, 0)
    guard status == 0 else { throw Failure("seeding failed") }
    let output: Int32
    let onItsCore = access("/usr/bin/taskset", X_OK) == 0 ? ["/usr/bin/taskset", "-c", "0"] : []
    (process, output) = try Server.start(
      onItsCore + [
        program, "serve", "--port", "0", "--database", database, "--loops", "1",
        "--max-connections", "30000", "--max-streams", "30000",
      ])
    port = try Server.readPort(output)
  }

  func stop() {
    kill(process, SIGTERM)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    for name in ["bench.db", "bench.db-wal", "bench.db-shm"] { unlink(folder + "/" + name) }
    rmdir(folder)
  }

  private static func start(_ arguments: [String]) throws -> (pid_t, Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure("no pipe") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var process: pid_t = 0
    var pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    let code = posix_spawn(&process, arguments[0], &actions, nil, &pointers, environ)
    close(ends[1])
    guard code == 0 else { throw Failure("\(arguments[0]) did not start; build it first") }
    return (process, ends[0])
  }

  private static func readPort(_ output: Int32) throws -> UInt16 {
    var text = ""
    var byte: UInt8 = 0
    while read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
      text.unicodeScalars.append(.init(byte))
    }
    guard let port = text.split(separator: ":").last.flatMap({ UInt16($0.prefix { $0.isNumber }) })
    else {
      throw Failure("the server printed no port: \"\(text)\"")
    }
    return port
  }

  // MARK: What it costs

  /// The CPU seconds used so far.
  var processorTime: Double {
    guard let text = contents(of: "/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else {
      return 0
    }
    let fields = text[end...].split(separator: " ")
    return (Double(fields[12]) ?? 0) / 100 + (Double(fields[13]) ?? 0) / 100
  }

  /// Resident memory in KiB.
  var memory: Int {
    let lines = contents(of: "/proc/\(process)/status")?.split(separator: "\n") ?? []
    let line = lines.first { $0.hasPrefix("VmRSS:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }

  private func contents(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}

/// Seconds on the monotonic clock.
func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
