import SQLite
import Store
import Testing

@Suite struct CommitNoticeTests {
  let file: TemporaryFile
  let database: EmbeddedDatabase
  let notices = Collected<CommitNotice>()

  init() throws {
    file = try TemporaryFile()
    let setUp = try Connection(location: .file(file.path))
    try setUp.execute(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE t(a); CREATE TABLE log(a);
      CREATE TRIGGER log AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END;
      CREATE VIRTUAL TABLE texts USING fts5(body);
      INSERT INTO t VALUES (1), (2), (3);
      """)
    setUp.close()
    database = try EmbeddedDatabase(path: file.path)
    let notices = notices
    database.onCommit { notices.add($0) }
  }

  @Test func namesTablesRowsAndOperations() throws {
    try database.write { connection in
      try connection.run("INSERT INTO t VALUES (4)")
      try connection.run("UPDATE t SET a = 9, rowid = 40 WHERE a = 4")
      try connection.run("CREATE TEMP TABLE own(a)")
      try connection.run("INSERT INTO own VALUES (1)")
    }
    let notice = try #require(notices.now.first)
    #expect(Set(notice.tables.keys) == ["t", "log"])
    #expect(notice.tables["t"]?.operations == [.insert, .update])
    #expect(
      notice.tables["t"]?.rows == [
        .init(operation: .insert, oldRowID: 4, newRowID: 4),
        .init(operation: .update, oldRowID: 4, newRowID: 40),
      ])
    #expect(!notice.everything && notice.number == database.commitNumber)
  }

  @Test func seesADeleteOfEverything() throws {
    try database.write { try $0.run("DELETE FROM t") }
    #expect(notices.now.first?.tables["t"]?.rows?.map(\.oldRowID) == [1, 2, 3])
  }

  @Test func aSearchTableIsNamedByItsShadowTables() throws {
    try database.write { try $0.run("INSERT INTO texts VALUES ('word')") }
    #expect(notices.now.first?.tables["texts_content"]?.operations == .insert)
  }

  @Test func whatASavepointUndidIsNotThere() throws {
    struct Refusal: Error {}
    try database.write { connection in
      try connection.run("INSERT INTO t VALUES (4)")
      try? connection.savepoint {
        try connection.run("DELETE FROM t")
        throw Refusal()
      }
    }
    #expect(notices.now.first?.tables["t"]?.operations == .insert)
    #expect(throws: Refusal.self) {
      try database.write { connection in
        try connection.run("DELETE FROM t")
        throw Refusal()
      }
    }
    try database.write { _ in }
    #expect(notices.now.count == 2)
    #expect(notices.now.last?.tables == [:])
  }

  @Test func manyRowsAreNotNamed() throws {
    try database.write { connection in
      for number in 0...TableChanges.rowLimit {
        try connection.run("INSERT INTO t VALUES (?)", .integer(Int64(number)))
      }
    }
    let changes = try #require(notices.now.first?.tables["t"])
    #expect(changes.rows == nil && changes.operations == .insert)
  }

  @Test func aChangeOfTheSchemaIsEverything() throws {
    try database.write { try $0.run("CREATE TABLE u(a)") }
    try database.write { try $0.run("INSERT INTO u VALUES (1)") }
    #expect(notices.now.map(\.everything) == [true, false])
  }

  @Test func anotherProgramsCommitIsToldBeforeTheGroupThatFoundIt() throws {
    let other = try Connection(location: .file(file.path))
    try other.run("INSERT INTO t VALUES (100)")
    try database.write { try $0.run("INSERT INTO t VALUES (101)") }
    #expect(notices.now.map(\.everything) == [true, false])
    #expect(notices.now.map(\.number) == [1, 2])
    try database.write { try $0.run("INSERT INTO t VALUES (102)") }
    #expect(notices.now.map(\.everything) == [true, false, false])
  }

  @Test func anotherProgramsCommitIsFoundWhileNothingIsWritten() throws {
    database.someoneListens = true
    let other = try Connection(location: .file(file.path))
    try other.run("INSERT INTO t VALUES (100)")
    #expect(notices.wait()?.map(\.everything) == [true])
  }

  @Test func noticesComeInOrderBeforeTheAnswers() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask { [database, notices] in
          let row = try await database.write { connection in
            try connection.run("INSERT INTO t VALUES (?)", .integer(Int64(number)))
            return connection.lastInsertRowID
          }
          let told = notices.now.contains {
            $0.tables["t"]?.rows?.contains { $0.newRowID == row } ?? false
          }
          #expect(told)
        }
      }
      try await group.waitForAll()
    }
    let numbers = notices.now.map(\.number)
    #expect(numbers == Array(1...UInt64(numbers.count)))
    #expect(try await database.read { try $0.value("SELECT count(*) FROM t") } == 203)
  }
}
