import Dispatch
import Foundation
import MartletSQLite
import MartletStore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct WriterTests {
  struct Refusal: Error {}

  let file: TemporaryFile
  let database: EmbeddedDatabase
  let events = Collected<StoreEvent>()

  init() throws {
    file = try TemporaryFile()
    let setUp = try Connection(location: .file(file.path))
    try setUp.execute(
      """
      CREATE TABLE t(a UNIQUE);
      CREATE TABLE big(b);
      CREATE TABLE parent(id INTEGER PRIMARY KEY);
      CREATE TABLE child(p REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER martlet_t_stop BEFORE INSERT ON t WHEN new.a < 0
        BEGIN SELECT RAISE(ROLLBACK, 'never negative'); END;
      """)
    setUp.close()
    let events = events
    database = try EmbeddedDatabase(path: file.path, onEvent: { events.add($0) })
  }

  /// The values that another connection sees when it opens the file now.
  private func values() throws -> [Value] {
    try Connection(location: .file(file.path), options: .readOnly)
      .rows("SELECT a FROM t ORDER BY a").map { $0[0] }
  }

  /// A write in the middle of a group that would spoil it unprotected, and the error that its
  /// caller gets.
  struct Spoiler: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var write: @Sendable (Connection) throws -> Void
    var isExpected: @Sendable (any Error) -> Bool
    /// Whether the database must be limited to a size that is too small for the write.
    var needsLimit = false
  }

  static let spoilers: [Spoiler] = [
    Spoiler(
      testDescription: "RAISE(ROLLBACK)", write: { try $0.run("INSERT INTO t VALUES (-1)") },
      isExpected: { ($0 as? SQLiteError)?.message == "never negative" }),
    Spoiler(
      testDescription: "OR ROLLBACK", write: { try $0.run("INSERT OR ROLLBACK INTO t VALUES (1)") },
      isExpected: { ($0 as? SQLiteError)?.isConstraint == true }),
    Spoiler(
      testDescription: "a caught rollback followed by further statements",
      write: {
        try? $0.run("INSERT INTO t VALUES (-1)")
        // Without protection, these would be committed on their own.
        try? $0.run("INSERT INTO t VALUES (50)")
        try? $0.savepoint { [c = $0] in try c.run("INSERT INTO t VALUES (51)") }
      }, isExpected: { if case WriteError.transactionEnded = $0 { true } else { false } }),
    Spoiler(
      testDescription: "a deferred foreign key",
      write: {
        try $0.run("INSERT INTO t VALUES (60)")
        try $0.run("INSERT INTO child VALUES (1)")
      },
      isExpected: {
        ($0 as? SQLiteError)?.extendedCode == 787
          && ($0 as? SQLiteError)?.message == "FOREIGN KEY constraint failed"
      }),
    Spoiler(
      testDescription: "its own COMMIT",
      write: {
        try $0.run("INSERT INTO t VALUES (70)")
        try $0.execute("COMMIT")
      },
      isExpected: {
        ($0 as? SQLiteError)?.code == SQLITE_AUTH && "\($0)".contains("COMMIT inside a write")
      }),
    Spoiler(
      testDescription: "a COMMIT that the authorizer did not see",
      write: { connection in
        try connection.run("INSERT INTO t VALUES (71)")
        let decide = connection.authorizer.decide
        connection.authorizer.decide = nil
        defer { connection.authorizer.decide = decide }
        try? connection.execute("COMMIT")
      }, isExpected: { if case WriteError.transactionEnded = $0 { true } else { false } }),
    Spoiler(
      testDescription: "a release of the store's savepoint",
      write: { try $0.execute("RELEASE Martlet_Write") },
      isExpected: { ($0 as? SQLiteError)?.code == SQLITE_AUTH }),
    Spoiler(
      testDescription: "a pragma", write: { try $0.execute("PRAGMA foreign_keys = OFF") },
      isExpected: { "\($0)".contains("PRAGMA foreign_keys inside") }),
    Spoiler(
      testDescription: "a full disk",
      write: {
        try $0.run("INSERT INTO t VALUES (80)")
        for _ in 0..<100 { try $0.run("INSERT INTO big VALUES (randomblob(100000))") }
      },
      isExpected: { if case WriteError.storageFull = $0 { true } else { false } }, needsLimit: true),
    Spoiler(
      testDescription: "an ordinary constraint",
      write: {
        try $0.run("INSERT INTO t VALUES (90)")
        try $0.run("INSERT INTO t VALUES (1)")
      }, isExpected: { ($0 as? SQLiteError)?.message == "UNIQUE constraint failed: t.a" }),
    Spoiler(
      testDescription: "a Swift error",
      write: {
        try $0.run("INSERT INTO t VALUES (95)")
        throw Refusal()
      }, isExpected: { $0 is Refusal }),
  ]

  /// A statement that a careless write stores. `@unchecked Sendable`: used by one write, and after
  /// its result.
  final class Kept: @unchecked Sendable { var statement: PreparedStatement? }

  @Test func aStatementThatIsKeptUnfinishedHurtsNobody() throws {
    let kept = Kept()
    let answers = try database.group([
      { try $0.run("INSERT INTO t VALUES (1)") },
      { connection in
        let statement = try connection.prepare(sql: "INSERT INTO t VALUES (2), (3) RETURNING a")
        #expect(try statement.step())
        kept.statement = statement
      },
      { connection in
        let statement = try connection.prepare(sql: "INSERT INTO t VALUES (4), (5) RETURNING a")
        #expect(try statement.step())
        kept.statement = statement
        throw Refusal()
      },
      { try $0.run("INSERT INTO t VALUES (6)") },
    ])
    #expect(answers.map { (try? $0.get()) != nil } == [true, true, false, true])
    #expect(try values() == [1, 2, 3, 6])
    try database.write { connection in
      kept.statement = try connection.prepare(sql: "INSERT INTO t VALUES (7), (8) RETURNING a")
      _ = try kept.statement?.step()
    }
    #expect(try values() == [1, 2, 3, 6, 7, 8])
    try database.write { try $0.run("INSERT INTO t VALUES (9)") }
    try database.write { _ in kept.statement = nil }
  }

  @Test(arguments: spoilers)
  func theMiddleWriteFailsAlone(spoiler: Spoiler) throws {
    let database = try database(isLimited: spoiler.needsLimit)
    let notices = Collected<CommitNotification>()
    database.onCommit { notices.add($0) }
    let runs = Mutex([0, 0])
    let answers = try database.group([
      { connection in
        runs.withLock { $0[0] += 1 }
        try connection.run("INSERT INTO t VALUES (1)")
      },
      spoiler.write,
      { connection in
        runs.withLock { $0[1] += 1 }
        try connection.run("INSERT INTO t VALUES (3)")
      },
    ])
    #expect(throws: Never.self) { try answers[0].get() }
    #expect(throws: Never.self) { try answers[2].get() }
    if case .failure(let error) = answers[1] {
      #expect(spoiler.isExpected(error), "\(error)")
    } else {
      Issue.record("the middle write was acknowledged")
    }
    #expect(try values() == [1, 3])
    #expect(runs.withLock { $0[1] } <= 2)
    // The writer continues, and the notifications report what was saved and nothing else.
    try database.write { try $0.run("INSERT INTO t VALUES (4)") }
    database.close()
    #expect(try values() == [1, 3, 4])
    let rows = notices.now.flatMap { $0.tables["t"]?.rows ?? [] }.map(\.newRowID)
    #expect(rows.count == 3 && Set(rows).count == 3, "\(notices.now)")
    #expect(notices.now.allSatisfy { !$0.everything && $0.tables["child"] == nil })
    #expect(notices.now.map(\.number) == notices.now.map(\.number).sorted())
  }

  @Test(arguments: spoilers)
  func theOnlyWriteFailsAlone(spoiler: Spoiler) throws {
    // The constraint write needs an existing row to conflict with.
    let database = try database(isLimited: spoiler.needsLimit)
    try database.write { try $0.run("INSERT INTO t VALUES (1)") }
    do {
      try database.write(spoiler.write)
      Issue.record("acknowledged")
    } catch {
      #expect(spoiler.isExpected(error), "\(error)")
    }
    try database.write { try $0.run("INSERT INTO t VALUES (2)") }
    database.close()
    #expect(try values() == [1, 2])
  }

  private func database(isLimited: Bool) throws -> EmbeddedDatabase {
    guard isLimited else { return database }
    return try EmbeddedDatabase(path: file.path) { connection in
      guard !connection.isReadOnly else { return }
      try connection.pragma("max_page_count", set: "60")
      // Small enough to make SQLite spill its cache.
      try connection.pragma("cache_size", set: "10")
    }
  }

  @Test func aFullDiskIsToldApart() throws {
    let small = try database(isLimited: true)
    let error = #expect(throws: WriteError.self) {
      try small.write { try $0.run("INSERT INTO big VALUES (zeroblob(10000000))") }
    }
    let isFull = if case .storageFull(let cause) = error { cause.isFull } else { false }
    #expect(isFull)
  }

  @Test func aWriteInsideAWriteIsRefused() throws {
    let error = #expect(throws: WriteError.self) {
      try database.write { _ in try database.write { _ in } }
    }
    #expect(error == .nested)
    let other = #expect(throws: WriteError.self) {
      try database.write { _ in try database.submit(write: { _ in }) { _ in } }
    }
    #expect(other == .nested)
  }

  @Test func theQueueIsBounded() throws {
    var settings = Configuration()
    settings.writeQueueLimit = 2
    let bounded = try EmbeddedDatabase(path: file.path, configuration: settings)
    let answers = Collected<Bool>()
    try bounded.withWriterHeld {
      try bounded.submit(write: { _ in }) { _ in answers.add(true) }
      try bounded.submit(write: { _ in }) { _ in answers.add(true) }
      let error = #expect(throws: WriteError.self) {
        try bounded.submit(write: { _ in }) { _ in answers.add(false) }
      }
      #expect(error == .overloaded(waiting: 2))
    }
    #expect(answers.wait(for: 2) == [true, true])
  }

  @Test func aGroupThatTakesTooLongIsCutAndKeepsItsOrder() throws {
    var settings = Configuration()
    settings.groupTime = .milliseconds(0)
    let database = try EmbeddedDatabase(path: file.path, configuration: settings)
    let order = Collected<Int>()
    let answers = try database.group(
      (0..<10).map { number in
        { connection in
          try connection.run("INSERT INTO t VALUES (?)", .integer(Int64(number)))
          connection.afterCommit { order.add(number) }
        }
      })
    #expect(answers.allSatisfy { (try? $0.get()) != nil })
    #expect(order.now == Array(0..<10))
    // One commit per write, and one for the write that blocked the writer.
    #expect(database.commitNumber == 11)
  }

  @Test func searchTablesWorkInsideTheRules() throws {
    try database.write { connection in
      try connection.execute("CREATE VIRTUAL TABLE texts USING fts5(title, body)")
    }
    try database.write { connection in
      for number in 0..<50 {
        try connection.run(
          "INSERT INTO texts VALUES (?, 'some words')", .text("title number\(number)"))
      }
      try connection.run("DELETE FROM texts WHERE texts MATCH 'number3'")
      try connection.run("INSERT INTO texts(texts) VALUES ('optimize')")
      try connection.savepoint { try connection.run("UPDATE texts SET body = 'others'") }
    }
    let found = try database.read {
      try $0.rows(
        """
        SELECT highlight(texts, (SELECT cid FROM pragma_table_info('texts') WHERE name = 'title'),
          '<', '>') FROM texts WHERE texts MATCH 'number7'
        """)
    }
    #expect(found.map(\.values) == [["title <number7>"]])
    #expect(try database.read { try $0.value("SELECT count(*) FROM texts") } == 49)
  }

  @Test func actionsAfterCommitRunOnceAndOnlyForWhatIsThere() throws {
    let done = Collected<Int>()
    let answers = try database.group([
      { $0.afterCommit { done.add(1) } },
      { connection in
        connection.afterCommit { done.add(2) }
        throw Refusal()
      },
      { connection in
        connection.afterCommit { done.add(3) }
        try? connection.run("INSERT INTO t VALUES (-1)")
        // The transaction has ended, and this write will not be saved.
        connection.afterCommit { done.add(30) }
      },
      { $0.afterCommit { done.add(4) } },
    ])
    #expect(answers.map { (try? $0.get()) != nil } == [true, false, false, true])
    #expect(done.now == [1, 4])
  }

  @Test func anotherProgramsLockIsWaitedForThenTold() throws {
    var settings = Configuration()
    settings.busyTimeout = .milliseconds(20)
    let database = try EmbeddedDatabase(path: file.path, configuration: settings)
    let other = try Connection(location: .file(file.path))
    try other.execute("BEGIN IMMEDIATE")
    let error = #expect(throws: WriteError.self) {
      try database.write { try $0.run("INSERT INTO t VALUES (1)") }
    }
    let isBusy = if case .busy = error { true } else { false }
    #expect(isBusy)
    try other.execute("ROLLBACK")
    try database.write { try $0.run("INSERT INTO t VALUES (2)") }
    #expect(try values() == [2])
  }

  @Test func aWriterIsSeenByEveryReaderAtOnce() throws {
    var settings = Configuration()
    settings.loopReaders = 2
    settings.loopsKeepSnapshots = true
    let database = try EmbeddedDatabase(path: file.path, configuration: settings)
    for number in 1...50 {
      try database.write { try $0.run("INSERT INTO t VALUES (?)", .integer(Int64(number))) }
      for loop in 0..<2 {
        let count = try database.withReader(loop: loop) { try $0.value("SELECT count(*) FROM t") }
        #expect(count == .integer(Int64(number)))
      }
      #expect(try database.read { try $0.value("SELECT max(a) FROM t") } == .integer(Int64(number)))
    }
  }

  @Test func theAsyncFormsDoTheSame() async throws {
    let id = try await database.write { connection in
      try connection.run("INSERT INTO t VALUES (1)")
      return connection.lastInsertRowID
    }
    #expect(id == 1)
    #expect(try await database.read { try $0.value("SELECT a FROM t") } == 1)
    await #expect(throws: Refusal.self) { try await database.write { _ in throw Refusal() } }
  }

  @Test func afterCloseNothingIsWritten() throws {
    let answers = Collected<Bool>()
    try database.withWriterHeld {
      try database.submit(write: { try $0.run("INSERT INTO t VALUES (1)") }) {
        answers.add((try? $0.get()) != nil)
      }
    }
    database.close()
    #expect(answers.now == [true])
    let error = #expect(throws: WriteError.self) { try database.write { _ in } }
    #expect(error == .stopped)
    #expect(try values() == [1])
  }
}
