import Dispatch
import Glibc
import MartletSQLite
import MartletStore
import Synchronization
import TestSupport
import Testing

/// Two workers, and reads that run until the test ends them.
@Suite("Slow reads that yield and resume", .timeLimit(.minutes(10))) struct MakingRoomTests {
  private let file: TemporaryFile
  private let database: EmbeddedDatabase
  private let reads = Reads()
  private let begun = Collected<String>()
  private let answers = Collected<String>()

  private final class Reads: Sendable {
    private let ended = Mutex<Set<String>>([])
    /// The start time of each read; nil once it is past the time slice.
    private let starts = Mutex<[String: UInt64?]>([:])
    /// Signalled when a read has run longer than the slice after which it may have to yield.
    let isOld = DispatchSemaphore(value: 0)

    func end(_ name: String) { ended.withLock { _ = $0.insert(name) } }

    /// Called by the read for each of its rows.
    func goesOn(_ name: String) -> Bool {
      let now = DispatchTime.now().uptimeNanoseconds
      let isOld = starts.withLock { starts in
        guard let start = starts[name] else {
          starts[name] = .some(now)
          return false
        }
        guard let start, now - start > 100_000_000 else { return false }
        starts[name] = .some(nil)
        return true
      }
      if isOld { self.isOld.signal() }
      return !ended.withLock { $0.contains(name) }
    }
  }

  init() throws {
    file = try TemporaryFile()
    var settings = Configuration()
    settings.workerReaders = 2
    settings.workerQueueLimit = 3
    settings.workerQueueTimeout = .milliseconds(60_000)
    database = try EmbeddedDatabase(
      path: file.path, configuration: settings,
      prepare: { [reads] connection in
        try connection.addFunction("goesOn", argumentCount: 1) {
          reads.goesOn($0[0].text ?? "") ? 1 : 0
        }
      })
  }

  private func read(
    _ name: String, of client: Int, on other: EmbeddedDatabase? = nil
  ) throws {
    try (other ?? database).onWorker(budget: .seconds(50), client: client) { [begun] db in
      begun.add(name)
      return try db.value(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE goesOn(?)) \
        SELECT count(*) FROM n
        """, .text(name))
    } completion: { [answers] result in
      answers.add((try? result.get()) == nil ? "\(name) failed: \(result)" : name)
    }
  }

  @Test("The read that started last yields, and earlier ones continue")
  func youngest() throws {
    try read("a1", of: 1)
    reads.isOld.wait()
    try read("a2", of: 1)
    _ = begun.wait(for: 2)
    try read("b", of: 2)
    #expect(begun.wait() == ["a1", "a2", "b"])
    reads.end("a1")
    #expect(answers.wait() == ["a1"])
    for name in ["a2", "b"] { reads.end(name) }
    #expect(answers.wait(for: 2).map { Set($0) } == ["a1", "a2", "b"])
    #expect(begun.now.filter { $0 == "a1" }.count == 1)
  }

  @Test("A read that yielded gets a worker back from a client that occupies all of them")
  func returned() throws {
    for name in ["a1", "a2"] {
      try read(name, of: 1)
      _ = begun.wait()
    }
    try read("b1", of: 2)
    #expect(begun.wait() == ["a1", "a2", "b1"])
    try read("b2", of: 2)
    reads.end("a1")
    // The second read of the other client started last, and yields in turn.
    #expect(begun.wait(for: 2) == ["a1", "a2", "b1", "b2", "a2"])
    for name in ["a2", "b1", "b2"] { reads.end(name) }
    #expect(answers.wait(for: 4).map { Set($0) } == ["a1", "a2", "b1", "b2"])
  }

  @Test("A read that yielded counts as queued and is the first to be evicted from a full queue")
  func full() throws {
    for name in ["a1", "a2"] {
      try read(name, of: 1)
      _ = begun.wait()
    }
    reads.isOld.wait()
    try read("b1", of: 2)
    #expect(begun.wait() == ["a1", "a2", "b1"])
    for name in ["a3", "a4"] { try read(name, of: 1) }
    // Three reads of the first client are queued.
    #expect(throws: ReadError.overloaded(waiting: 3)) { try read("a5", of: 1) }
    try read("c1", of: 3)
    #expect(answers.wait()?.first?.hasPrefix("a2 failed") == true)
    for name in ["a1", "b1", "a3", "a4", "c1"] { reads.end(name) }
    #expect(answers.wait(for: 5).map { Set($0.dropFirst()) } == ["a1", "b1", "a3", "a4", "c1"])
  }

  @Test("A read that yielded resumes in time, however many others arrive")
  func timeout() throws {
    var settings = Configuration()
    settings.workerReaders = 2
    settings.workerQueueTimeout = .milliseconds(200)
    let database = try EmbeddedDatabase(
      path: file.path, configuration: settings,
      prepare: { [reads] connection in
        try connection.addFunction("goesOn", argumentCount: 1) {
          reads.goesOn($0[0].text ?? "") ? 1 : 0
        }
      })
    for name in ["a1", "a2"] {
      try read(name, of: 1, on: database)
      _ = begun.wait()
    }
    try read("b1", of: 2, on: database)
    #expect(begun.wait() == ["a1", "a2", "b1"])
    usleep(150_000)
    try read("b2", of: 2, on: database)
    // Its client has no other read running, and it has waited for half of the timeout.
    reads.end("a1")
    #expect(begun.wait()?.last == "a2")
    for name in ["a2", "b1", "b2"] { reads.end(name) }
    #expect(answers.wait(for: 4)?.prefix(1) == ["a1"])
  }

  @Test("A read that yielded leaves a free worker to others while its client has one")
  func free() throws {
    for name in ["a1", "a2"] {
      try read(name, of: 1)
      _ = begun.wait()
    }
    let others = (0..<20).map { "b\($0)" }
    for name in others {
      try read(name, of: 2)
      #expect(begun.wait()?.last == name)
      reads.end(name)
      #expect(answers.wait()?.last == name)
    }
    #expect(begun.now == ["a1", "a2"] + others)
    reads.end("a1")
    #expect(begun.wait()?.last == "a2")
    reads.end("a2")
    #expect(answers.wait(for: 2) == others + ["a1", "a2"])
  }
}
