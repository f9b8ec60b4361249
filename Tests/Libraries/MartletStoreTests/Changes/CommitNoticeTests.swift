import MartletSQLite
import MartletStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct CommitNoticeTests {
  let file: TemporaryFile
  let database: EmbeddedDatabase
  let notices = Collected<CommitNotification>()

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

  /// The limit of 10,000 rows per table bounds memory: rolling back a savepoint subtracts its rows
  /// from the count, even if it exceeded the limit.
  @Test func manyRowsThatWereUndoneDoNotCount() throws {
    struct Refusal: Error {}
    try database.write { connection in
      try connection.run("INSERT INTO t VALUES (4)")
      try? connection.savepoint {
        for number in 0...TableChanges.rowLimit {
          try connection.run("INSERT INTO t VALUES (?)", .integer(Int64(number)))
        }
        throw Refusal()
      }
      try connection.run("INSERT INTO t VALUES (5)")
    }
    #expect(notices.now.first?.tables["t"]?.rows?.count == 2)
  }

  @Test func aHundredThousandRowsAreATable() throws {
    try database.write { connection in
      try connection.run(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
        INSERT INTO t SELECT i FROM n
        """)
    }
    let changes = try #require(notices.now.first?.tables)
    for table in ["t", "log"] {
      #expect(changes[table]?.rows == nil && changes[table]?.operations == .insert)
    }
    // The changed columns are reported nevertheless.
    _ = database.watch.column("a", of: "t")
    try database.write { try $0.run("UPDATE t SET a = a") }
    let update = notices.now.last?.tables["t"]
    #expect(update?.rows == nil && update?.columns == 0 && update?.operations == .update)
  }

  /// Columns and keys are reported for transactions that begin after they were watched.
  @Test(arguments: ["", " WITHOUT ROWID"]) func changedColumnsAndKeys(_ kind: String) throws {
    try database.write {
      try $0.execute(
        """
        CREATE TABLE w(id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE, b REAL, c)\(kind);
        INSERT INTO w VALUES (1, 'One', 1, x'00'), (2, 'Two', 2.5, NULL);
        """)
    }
    #expect(database.watch.column("c", of: "w") == 0)
    #expect(database.watch.column("a", of: "w") == 1)
    #expect(database.watch.key("a", of: "w") == 0 && database.watch.key("id", of: "w") == 1)
    func changes(_ sql: String) throws -> TableChanges {
      try database.write { try $0.execute(sql) }
      return try #require(notices.now.last?.tables["w"])
    }
    let update = try changes("UPDATE w SET a = 'ONE', b = 7 WHERE id = 1")
    #expect(update.rows?.map(\.columns) == [2] && update.columnCount == 2)
    #expect(update.keys(ofRow: 0, key: 0).old == ValueKey(.text("one"), .nocase))
    #expect(update.keys(ofRow: 0, key: 0).new == ValueKey(.text("One"), .nocase))
    #expect(update.keys(ofRow: 0, key: 1).old == ValueKey(integer: 1))
    #expect(try changes("UPDATE w SET b = 8, c = x'00', a = a").rows?.map(\.columns) == [0, 1])
    let replaced = try changes("REPLACE INTO w VALUES (2, 'Three', 3, 3)")
    #expect(replaced.rows?.map(\.operation) == [.delete, .insert])
    #expect(replaced.keys(ofRow: 0, key: 0).new == ValueKey(.text("two"), .nocase))
    #expect(replaced.keys(ofRow: 1, key: 0).old == ValueKey(.text("three"), .nocase))
    let deleted = try changes("DELETE FROM w")
    #expect(
      (0..<2).map { deleted.keys(ofRow: $0, key: 1).old.bits }.sorted()
        == [ValueKey(integer: 1), ValueKey(real: 2)].map(\.bits).sorted())
  }

  /// A row that was stored before a column was added shows NULL in it, and not the column's
  /// default.
  @Test func anAddedColumn() throws {
    try database.write {
      try $0.execute("CREATE TABLE d(k); INSERT INTO d VALUES (1); ALTER TABLE d ADD s DEFAULT 5;")
    }
    _ = database.watch.column("s", of: "d")
    _ = database.watch.key("s", of: "d")
    try database.write { try $0.run("UPDATE d SET s = NULL") }
    let changes = try #require(notices.now.last?.tables["d"])
    #expect(changes.rows?.map(\.columns) == [1] && changes.keyCount == 0)
  }

  /// In a table with a generated column, a change does not identify its columns.
  @Test func aTableWithGeneratedColumnsTellsNoColumns() throws {
    try database.write {
      try $0.execute(
        "CREATE TABLE g(a, b AS (a * 2), c); INSERT INTO g(a, c) VALUES (1, 2);")
    }
    _ = database.watch.column("c", of: "g")
    _ = database.watch.key("c", of: "g")
    try database.write { try $0.run("UPDATE g SET c = 3") }
    let changes = try #require(notices.now.last?.tables["g"])
    #expect(changes.columnCount == 0 && changes.keyCount == 0 && changes.rows?.count == 1)
  }

  /// Rows changed by a cascade are reported like others, with their keys.
  @Test func cascades() throws {
    try database.write {
      try $0.execute(
        """
        CREATE TABLE parent(id TEXT PRIMARY KEY COLLATE NOCASE);
        CREATE TABLE child(id INTEGER PRIMARY KEY, parent TEXT COLLATE NOCASE
          REFERENCES parent ON UPDATE CASCADE ON DELETE CASCADE);
        INSERT INTO parent VALUES ('a'), ('b');
        INSERT INTO child VALUES (1, 'a'), (2, 'b'), (3, 'a');
        """)
    }
    _ = database.watch.key("id", of: "child")
    try database.write { try $0.run("UPDATE parent SET id = 'c' WHERE id = 'a'") }
    #expect(notices.now.last?.tables["child"]?.rows?.map(\.oldRowID) == [1, 3])
    try database.write { try $0.run("DELETE FROM parent WHERE id = 'c'") }
    #expect(notices.now.last?.tables["child"]?.operations == .delete)
    #expect(
      notices.now.last?.tables["child"]?.keys(ofRow: 1, key: 0).old == ValueKey(integer: 3))
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
    database.hasListeners = true
    let other = try Connection(location: .file(file.path))
    try other.run("INSERT INTO t VALUES (100)")
    #expect(notices.wait()?.map(\.everything) == [true])
  }

  /// A commit can be read when its notification arrives.
  @Test func whoIsToldReadsTheCommit() throws {
    let seen = Collected<Int64>()
    database.onCommit { [weak database] _ in
      let count = try? database?.read { try $0.value("SELECT count(*) FROM t")?.integer }
      seen.add(count.flatMap { $0 } ?? -1)
    }
    for _ in 0..<20 { try database.write { try $0.run("INSERT INTO t VALUES (1)") } }
    #expect(seen.now == Array(4...23))
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
