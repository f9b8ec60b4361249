import MartletSQLite
import MartletStore
import TestSupport
import Testing

/// A file with tables that have counters, and a second connection that knows nothing of the store.
@Suite("Commits of other programs are followed table by table", .timeLimit(.minutes(10)))
struct OtherProgramsTests {
  private let file: TemporaryFile
  private let database: EmbeddedDatabase
  private let other: Connection
  private let notices = Collected<CommitNotification>()

  private static let counted = ["t", "u", "child"]

  init() throws {
    file = try TemporaryFile()
    var migrator = Migrator([
      Migration(
        number: 1, name: "tables",
        sql: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE);
          CREATE TABLE u (a INTEGER PRIMARY KEY, b) WITHOUT ROWID;
          CREATE TABLE child (a, t INTEGER REFERENCES t ON DELETE CASCADE);
          CREATE TABLE uncounted (a);
          CREATE VIRTUAL TABLE texts USING fts5 (body);
          INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, 'three');
          INSERT INTO child VALUES (1, 1), (2, 2);
          """)
    ])
    migrator.parts = [.counters(of: Self.counted)]
    try migrator.migrate(path: file.path)
    database = try EmbeddedDatabase(path: file.path)
    other = try Connection(location: .file(file.path))
    let notices = notices
    database.onCommit { if $0.isForeign { notices.add($0) } }
  }

  /// The changed tables that have counters, after `body` and a write that finds out; `nil` if
  /// anything may have changed or nothing was found.
  private func changed(_ body: () throws -> Void) throws -> Set<String>? {
    let before = notices.now.count
    try body()
    try database.write { _ in }
    guard notices.now.count == before + 1, let notice = notices.now.last else { return nil }
    if notice.everything { return nil }
    // Nothing is known of tables without counters.
    #expect(notice.tables.keys.contains("uncounted") && notice.tables.keys.contains("texts_data"))
    #expect(notice.tables.values.allSatisfy { $0.rows == nil && $0.columns == .max })
    return Set(notice.tables.keys).intersection(Self.counted)
  }

  @Test(
    "Each statement of another program counts for its tables",
    arguments: [
      ("INSERT INTO t VALUES (9, 'nine')", ["t"]),
      ("INSERT OR IGNORE INTO t VALUES (1, 'x'), (9, 'nine')", ["t"]),
      ("INSERT OR FAIL INTO t VALUES (9, 'nine')", ["t"]),
      ("REPLACE INTO t VALUES (9, 'one')", ["t"]),
      ("UPDATE OR REPLACE t SET a = 'one' WHERE id = 2", ["t"]),
      ("UPDATE OR IGNORE t SET id = 9 WHERE id = 2", ["t"]),
      ("INSERT INTO t VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET a = 'y'", ["t"]),
      ("DELETE FROM t WHERE id = 3", ["t"]),
      ("DELETE FROM t", ["t"]),
      ("PRAGMA foreign_keys = ON; DELETE FROM t WHERE id = 1", ["t", "child"]),
      ("PRAGMA foreign_keys = ON; REPLACE INTO t VALUES (1, 'x')", ["t", "child"]),
      ("PRAGMA recursive_triggers = ON; REPLACE INTO t VALUES (1, 'x')", ["t"]),
      ("INSERT INTO u VALUES (1, 1)", ["u"]),
      (
        "BEGIN; INSERT INTO u VALUES (1, 1); UPDATE u SET b = 2; DELETE FROM child; COMMIT",
        ["u", "child"]
      ),
    ] as [(String, Set<String>)])
  func statements(_ sql: String, _ tables: Set<String>) throws {
    #expect(try changed { try other.execute(sql) } == tables)
  }

  @Test("Each commit is reported once, with what has changed since the one before")
  func sequence() throws {
    #expect(try changed { try other.execute("INSERT INTO u VALUES (1, 1)") } == ["u"])
    #expect(
      try changed {
        try other.execute("DELETE FROM t")
        try other.execute("DELETE FROM child")
      } == ["t", "child"])
    #expect(try changed {} == nil && notices.now.count == 2)
  }

  @Test("The writer's own changes of counters are not those of other programs")
  func own() throws {
    try database.write { try $0.execute("INSERT INTO t VALUES (9, 'nine'); DELETE FROM child") }
    #expect(try changed { try other.execute("INSERT INTO u VALUES (1, 1)") } == ["u"])
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try database.write { db in
        try db.execute("DELETE FROM t")
        throw Refusal()
      }
    }
    #expect(try changed { try other.execute("DELETE FROM u") } == ["u"])
    // A deferred violation makes the COMMIT fail.
    #expect(throws: SQLiteError.self) {
      try database.write { db in
        try db.execute("PRAGMA defer_foreign_keys = ON; INSERT INTO child VALUES (1, 77)")
      }
    }
    #expect(try changed { try other.execute("INSERT INTO u VALUES (1, 1)") } == ["u"])
  }

  @Test("A rolled-back transaction of another program is not noticed")
  func rollback() throws {
    #expect(try changed { try other.execute("BEGIN; DELETE FROM t; ROLLBACK") } == nil)
    #expect(notices.now.isEmpty)
  }

  @Test("A commit is found while nothing is written")
  func idle() throws {
    database.hasListeners = true
    try other.execute("INSERT INTO u VALUES (1, 1)")
    let notice = try #require(notices.wait()?.first)
    #expect(!notice.everything && notice.tables["u"] != nil && notice.tables["t"] == nil)
  }

  @Test(
    "When it is not sure what has changed, everything has",
    arguments: [
      // The schema.
      "CREATE TABLE more (a)", "CREATE INDEX more ON t (a)", "VACUUM",
      "DROP TRIGGER martlet_t_countInsert",
      // A counter goes back or is lost.
      "UPDATE tableVersions SET version = version - 1", "DELETE FROM tableVersions",
      "DELETE FROM tableVersions; INSERT INTO u VALUES (1, 1)", "DROP TABLE tableVersions",
      "DROP TABLE tableVersions; CREATE TABLE tableVersions (other)",
      // Nothing that is known has changed.
      "INSERT INTO uncounted VALUES (1)", "INSERT INTO texts VALUES ('word')",
    ])
  func unsure(_ sql: String) throws {
    try other.execute("INSERT INTO t VALUES (9, 'nine')")
    try database.write { _ in }
    #expect(notices.now.map(\.everything) == [false])
    #expect(try changed { try other.execute("BEGIN; \(sql); COMMIT".unlessVacuum(sql)) } == nil)
    #expect(notices.now.map(\.everything) == [false, true])
  }

  @Test("A table whose triggers are gone counts as changed by each commit")
  func dropped() throws {
    for operation in ["Insert", "Update", "Delete"] {
      try other.execute("DROP TRIGGER martlet_t_count\(operation)")
      try database.write { _ in }
      #expect(try changed { try other.execute("UPDATE child SET a = 5") } == ["t", "child"])
    }
    // A trigger of the counters may set one back.
    try other.execute(
      "CREATE TRIGGER undo AFTER UPDATE ON tableVersions BEGIN DELETE FROM tableVersions; END")
    #expect(try changed { try other.execute("UPDATE child SET a = 5") } == nil)
  }

  @Test("After a change of the schema by anyone, changes are followed again")
  func schema() throws {
    try database.write { try $0.execute("CREATE TABLE more (a)") }
    #expect(try changed { try other.execute("INSERT INTO u VALUES (1, 1)") } == ["u"])
    try other.execute("ALTER TABLE u ADD c")
    #expect(try changed {} == nil)
    #expect(try changed { try other.execute("DELETE FROM u") } == ["u"])
  }

  /// The positions of watched columns are those of the new schema.
  @Test("A schema that another program changes while nothing is written is read again")
  func columns() throws {
    database.hasListeners = true
    #expect(database.watch.column("b", of: "u") == 0)
    #expect(database.watch.column("a", of: "u") == 1)
    try database.write { try $0.execute("INSERT INTO u VALUES (1, 1)") }
    try other.execute(
      """
      BEGIN; ALTER TABLE u RENAME TO old; CREATE TABLE u (b, a INTEGER PRIMARY KEY) WITHOUT ROWID;
      INSERT INTO u SELECT b, a FROM old; COMMIT
      """)
    #expect(notices.wait()?.last?.everything == true)
    let own = Collected<CommitNotification>()
    database.onCommit { own.add($0) }
    try database.write { try $0.execute("UPDATE u SET b = 2") }
    #expect(own.now.first?.tables["u"]?.rows?.map(\.columns) == [1])
  }

  @Test("A commit before an attached database or without any counter changes everything")
  func unfollowed() throws {
    try database.write { db in
      db.afterCommit { try? db.execute("ATTACH ':memory:' AS more") }
    }
    #expect(try changed { try other.execute("INSERT INTO u VALUES (1, 1)") } == nil)
    #expect(notices.now.map(\.everything) == [true])
  }

  @Test("A migrator installs the counters, and names a table that does not exist")
  func migrators() throws {
    var named = Migrator()
    named.registerMigration("one") { try $0.execute("CREATE TABLE one (a)") }
    named.parts = [.counters(of: ["one"])]
    let db = try Connection(location: .inMemory)
    try named.migrate(db)
    try db.execute("INSERT INTO one VALUES (1), (2)")
    #expect(try db.value("SELECT version FROM tableVersions WHERE name = 'one'")?.integer == 2)
    named.parts = [.counters(of: ["missing"])]
    let error = #expect(throws: (any Error).self) {
      _ = try named.migrate(try Connection(location: .inMemory))
    }
    #expect(error.map { "\($0)" }?.contains("missing") == true)
  }
}

extension String {
  /// The statement itself if it cannot run in a transaction.
  fileprivate func unlessVacuum(_ sql: String) -> String { sql == "VACUUM" ? sql : self }
}
