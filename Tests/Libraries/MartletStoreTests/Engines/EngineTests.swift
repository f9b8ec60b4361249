import Dispatch
import MartletSQLite
import MartletStore
import Synchronization
import TestSupport
import Testing

/// The guarantees of the protocols, checked for each engine.
@Suite("Engines", .timeLimit(.minutes(10))) struct EngineTests {
  enum Engine: CaseIterable, Sendable { case embedded, delaying }
  private struct Refusal: Error {}

  private let file: TemporaryFile

  init() throws {
    file = try TemporaryFile()
    let setUp = try Connection(location: .file(file.path))
    try setUp.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(a UNIQUE); CREATE TABLE u(a)")
    setUp.close()
  }

  private func open(_ engine: Engine) throws -> any ServerDatabase {
    var settings = Configuration()
    settings.loopReaders = 2
    let database = try EmbeddedDatabase(path: file.path, configuration: settings)
    return switch engine {
    case .embedded: database
    case .delaying: DelayingDatabase(database)
    }
  }

  private func values(_ database: any ServerDatabase) throws -> [Int] {
    try database.read { try $0.rows("SELECT a FROM t ORDER BY a").compactMap { $0[0].integer } }
      .map(Int.init)
  }

  @Test(
    "A write is atomic and visible to the next read",
    arguments: Engine.allCases)
  func atomic(_ engine: Engine) throws {
    let database = try open(engine)
    let given = try database.write { db in
      try db.run("INSERT INTO t VALUES (1)")
      return 7
    }
    #expect(given == 7)
    #expect(throws: Refusal.self) {
      try database.write { db in
        try db.run("INSERT INTO t VALUES (2)")
        throw Refusal()
      }
    }
    #expect(try values(database) == [1])
  }

  @Test("The async forms behave the same", arguments: Engine.allCases)
  func asynchronous(_ engine: Engine) async throws {
    let database = try open(engine)
    let insert: @Sendable (Connection) throws -> Void = { try $0.run("INSERT INTO t VALUES (3)") }
    let sum: @Sendable (Connection) throws -> Int64? = {
      try $0.value("SELECT sum(a) FROM t")?.integer
    }
    try await database.write(insert)
    await #expect(throws: SQLiteError.self) { try await database.write(insert) }
    #expect(try await database.read(sum) == 3)
  }

  @Test("A read cannot write, and all its statements see one snapshot", arguments: Engine.allCases)
  func snapshot(_ engine: Engine) throws {
    let database = try open(engine)
    try database.write { try $0.run("INSERT INTO t VALUES (1)") }
    #expect(throws: SQLiteError.self) {
      try database.read { try $0.run("INSERT INTO t VALUES (2)") }
    }
    let counts = try database.read { db in
      let before = try db.value("SELECT count(*) FROM t")?.integer
      try database.write { try $0.run("INSERT INTO t VALUES (2)") }
      return [before, try db.value("SELECT count(*) FROM t")?.integer]
    }
    #expect(counts == [1, 1])
    #expect(try values(database) == [1, 2])
  }

  @Test(
    "Each write completes once, and one client's writes run in order",
    arguments: Engine.allCases)
  func submitted(_ engine: Engine) throws {
    let database = try open(engine)
    let done = DispatchSemaphore(value: 0)
    let answers = Mutex<[Int]>([])
    for number in 0..<50 {
      try database.submit(client: number % 3) { db in
        try db.run("INSERT INTO u VALUES (?)", .integer(Int64(number)))
        if number % 7 == 6 { throw Refusal() }
        return number
      } completion: { result in
        answers.withLock { $0.append((try? result.get()) ?? -1) }
        done.signal()
      }
    }
    for _ in 0..<50 { done.wait() }
    let expected = (0..<50).map { $0 % 7 == 6 ? -1 : $0 }
    #expect(answers.withLock { $0.sorted() } == expected.sorted())
    let stored = try database.read {
      try $0.rows("SELECT a FROM u ORDER BY rowid").compactMap { $0[0].integer }
    }
    for client in 0..<3 as Range<Int64> {
      let own = stored.filter { $0 % 3 == client }
      #expect(own == own.sorted())
    }
    #expect(stored.count == expected.count { $0 >= 0 })
    #expect(database.waitingWrites == 0)
  }

  @Test(
    "A living listener gets commits in order, each before its write completes",
    arguments: Engine.allCases)
  func told(_ engine: Engine) throws {
    final class Listener: Sendable {
      let numbers = Mutex<[UInt64]>([])
      let answered = Atomic(0)
    }
    let database = try open(engine)
    var listener: Listener? = Listener()
    let numbers = Mutex<[UInt64]>([])
    let all = Mutex<[UInt64]>([])
    database.onCommit { notice in all.withLock { $0.append(notice.number) } }
    if let listener {
      database.onCommit(while: listener) { listener, notice in
        listener.numbers.withLock { $0.append(notice.number) }
        numbers.withLock { $0.append(notice.number) }
      } answered: { listener in
        listener.answered.add(1, ordering: .relaxed)
      }
    }
    for number in 1...5 {
      let before = database.commitNumber
      try database.write { try $0.run("INSERT INTO t VALUES (?)", .integer(Int64(number))) }
      #expect(database.commitNumber > before)
      #expect(numbers.withLock(\.last) == database.commitNumber)
      #expect(database.startedCommitNumber <= database.commitNumber)
      database.waitForCommitNotification()
    }
    #expect(numbers.withLock { $0 == $0.sorted() && $0.count == 5 })
    listener = nil
    try database.write { try $0.run("INSERT INTO t VALUES (6)") }
    #expect(numbers.withLock(\.count) == 5)
    #expect(all.withLock(\.count) == 6)
    #expect(listener == nil)
  }

  @Test(
    "Loops and workers see every write that completed before the read", arguments: Engine.allCases)
  func loops(_ engine: Engine) throws {
    let database = try open(engine)
    #expect(database.loops == 2)
    for number in 1...10 {
      try database.write { try $0.run("INSERT INTO t VALUES (?)", .integer(Int64(number))) }
      // Including a loop without a reader of its own.
      for loop in 0...2 {
        let count = try database.withReader(loop: loop) {
          try $0.value("SELECT count(*) FROM t")?.integer
        }
        #expect(count == Int64(number))
      }
      let ended = DispatchSemaphore(value: 0)
      let seen = Mutex<Int64?>(nil)
      try database.onWorker(client: number) {
        try $0.value("SELECT count(*) FROM t")?.integer
      } completion: {
        result in
        seen.withLock { $0 = (try? result.get()) ?? nil }
        ended.signal()
      }
      ended.wait()
      #expect(seen.withLock { $0 } == Int64(number))
    }
  }

  @Test("A read that exceeds its time limit is interrupted", arguments: Engine.allCases)
  func budgets(_ engine: Engine) throws {
    let database = try open(engine)
    let endless = """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n
      """
    #expect(throws: ReadError.self) {
      try database.withReader(loop: 0, budget: .milliseconds(5)) { try $0.value(endless) }
    }
    #expect(throws: ReadError.self) {
      try database.read { db, limit in
        try limit.within(.milliseconds(5)) { try db.value(endless) }
      }
    }
    #expect(try values(database) == [])
  }

  @Test("An object stays attached to its database while it is held", arguments: Engine.allCases)
  func attached(_ engine: Engine) throws {
    final class Note: Sendable {}
    let database = try open(engine)
    let note = database.attachment(orMake: Note.init)
    #expect(database.attachment(orMake: Note.init) === note)
  }

  @Test("A refused operation has no effect, and later ones succeed")
  func refused() throws {
    let database = DelayingDatabase(try EmbeddedDatabase(path: file.path))
    database.fail {
      $0.writes = [.overloaded(waiting: 1), .stopped]
      $0.reads = [.overloaded(waiting: 1)]
    }
    #expect(throws: WriteError.self) {
      try database.write { try $0.run("INSERT INTO t VALUES (1)") }
    }
    #expect(throws: WriteError.self) {
      try database.submit {
        try $0.run("INSERT INTO t VALUES (2)")
      } completion: { _ in
        Issue.record("completion of a refused write was called")
      }
    }
    #expect(throws: ReadError.self) { try values(database) }
    try database.write { try $0.run("INSERT INTO t VALUES (3)") }
    #expect(try values(database) == [3])
  }
}
