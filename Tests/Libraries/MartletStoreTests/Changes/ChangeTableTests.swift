import MartletSQLite
import MartletStore
import TestSupport
import Testing

/// A table of items in groups, and a log that triggers write.
@Suite("Commits of other programs are followed row by row", .timeLimit(.minutes(10)))
struct ChangeTableTests {
  private let file: TemporaryFile
  private let database: EmbeddedDatabase
  private let other: Connection
  private let notices = Collected<CommitNotification>()

  private static let triggers: [(name: String, sql: String)] =
    [
      (
        "martlet_items_insert",
        """
        CREATE TRIGGER martlet_items_insert AFTER INSERT ON items BEGIN
          INSERT INTO log (kind, item, owner) VALUES (7, new.id, new.owner); END
        """
      ),
      (
        "martlet_items_update",
        """
        CREATE TRIGGER martlet_items_update AFTER UPDATE OF id, owner, name ON items BEGIN
          INSERT INTO log (kind, item, owner) VALUES (7, old.id, old.owner), (7, new.id, new.owner); END
        """
      ),
      (
        "martlet_items_delete",
        """
        CREATE TRIGGER martlet_items_delete AFTER DELETE ON items BEGIN
          INSERT INTO log (kind, item, owner) VALUES (7, old.id, old.owner); END
        """
      ),
    ]
    + ChangeTable.guards(
      table: "log", version: "n", unlogged: [("items", "note", "new.note IS NOT old.note")])
    + SchemaPart.counters(of: ["u"]).triggers.map { ($0.name, $0.sql) }

  init() throws {
    file = try TemporaryFile()
    var migrator = Migrator(
      [
        Migration(
          number: 1, name: "tables",
          sql: """
            CREATE TABLE items (id INTEGER PRIMARY KEY, owner INTEGER, name TEXT, note TEXT);
            CREATE TABLE log (n INTEGER PRIMARY KEY, kind INTEGER, item INTEGER, owner INTEGER);
            CREATE TABLE u (a);
            CREATE VIRTUAL TABLE texts USING fts5 (body);
            INSERT INTO items (id, owner, name) VALUES (1, 10, 'one'), (2, 20, 'two');
            """)
      ], triggers: Self.triggers)
    migrator.parts = [.counters(of: [])]
    try migrator.migrate(path: file.path)
    var settings = Configuration()
    settings.changeTable = ChangeTable(
      table: "log", version: "n", kind: "kind", item: "item", group: "owner",
      sources: [.init("items", kind: 7, id: "id", group: "owner")],
      indexes: ["texts": ["items"]], triggers: Self.triggers)
    database = try EmbeddedDatabase(path: file.path, configuration: settings)
    other = try Connection(location: .file(file.path))
    #expect(database.watch.key("name", of: "items") == 0)
    #expect(database.watch.key("id", of: "items") == 1)
    #expect(database.watch.key("owner", of: "items") == 2)
    #expect(database.watch.key("owner", of: "log") == 0)
    let notices = notices
    database.onCommit { if $0.isForeign { notices.add($0) } }
  }

  private func notice(_ sql: String) throws -> CommitNotification {
    try other.execute(sql)
    try database.write { _ in }
    return try #require(notices.now.last)
  }

  /// The changed rows of a table, as texts of their keys.
  private func rows(_ changes: TableChanges?) throws -> [Int64] {
    try #require(changes?.rows).map(\.newRowID)
  }

  @Test("A commit names the rows of its lines, with the values that the lines have")
  func named() throws {
    let notice = try notice(
      "BEGIN; UPDATE items SET owner = 30 WHERE id = 2; DELETE FROM items WHERE id = 1; COMMIT")
    #expect(!notice.everything)
    let items = try #require(notice.tables["items"])
    #expect(try rows(items) == [2, 2, 1])
    #expect(items.operations == [.insert, .update, .delete] && items.columns == .max)
    #expect(!items.hasKey(0) && items.hasKey(1) && items.hasKey(2) && !items.hasKey(3))
    #expect(
      (0..<3).map { items.keys(ofRow: $0, key: 2).old }
        == [20, 30, 10].map(ValueKey.init(integer:)))
    #expect(items.keys(ofRow: 2, key: 1).new == ValueKey(integer: 1))
    #expect(try rows(notice.tables["log"]) == [1, 2, 3])
    #expect(notice.tables["log"]?.keys(ofRow: 1, key: 0).new == ValueKey(integer: 30))
    #expect(notice.tables["texts_data"]?.rows == nil && notice.tables["texts"] != nil)
    #expect(notice.tables["u"] == nil)
    // Another table has no line.
    let next = try self.notice("INSERT INTO u VALUES (1)")
    #expect(!next.everything && next.tables["u"] != nil)
    #expect(next.tables["items"] == nil && next.tables["log"] == nil)
    #expect(next.tables["texts_data"] == nil)
  }

  @Test("The writer's own lines are not those of another program")
  func own() throws {
    try database.write { try $0.execute("UPDATE items SET name = 'x'") }
    #expect(try rows(notice("UPDATE items SET name = 'y' WHERE id = 1").tables["items"]) == [1, 1])
    // The newest lines are deleted: the next ones have their numbers.
    try database.write { try $0.execute("DELETE FROM log WHERE n > 2") }
    #expect(try rows(notice("UPDATE items SET name = 'z' WHERE id = 2").tables["items"]) == [2, 2])
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try database.write { db in
        try db.execute("UPDATE items SET name = 'lost'")
        throw Refusal()
      }
    }
    #expect(try rows(notice("DELETE FROM items WHERE id = 2").tables["items"]) == [2])
  }

  @Test(
    "Lines that do not tell everything mean any row",
    arguments: [
      // Lines that are deleted, changed, replaced, left out or unknown.
      "UPDATE items SET name = 'x' WHERE id = 2; DELETE FROM log WHERE n = 3",
      "DELETE FROM log WHERE n = 2; UPDATE items SET name = 'x' WHERE id = 2",
      "DELETE FROM log; UPDATE items SET name = 'x', owner = 1",
      "UPDATE log SET item = 5 WHERE n = 1; UPDATE items SET name = 'x'",
      "REPLACE INTO log VALUES (1, 7, 1, 10); UPDATE items SET name = 'x'",
      "INSERT INTO log VALUES (1000, 7, 1, 10)", "INSERT INTO log (kind) VALUES (8)",
      // An update without a line.
      "UPDATE items SET note = 'x' WHERE id = 2",
    ])
  func incomplete(_ sql: String) throws {
    try database.write { try $0.execute("UPDATE items SET name = 'own' WHERE id = 1") }
    let notice = try notice("BEGIN; \(sql); COMMIT")
    #expect(!notice.everything && notice.tables["u"] == nil)
    #expect(notice.tables["items"] != nil && notice.tables["items"]?.rows == nil)
    // It goes on with the lines after that.
    #expect(
      try rows(self.notice("UPDATE items SET name = 'y' WHERE id = 1").tables["items"]) == [1, 1])
  }

  @Test("Lines that went back mean everything") func back() throws {
    try database.write { try $0.execute("UPDATE items SET name = 'own'") }
    #expect(try notice("DELETE FROM log").everything)
  }

  @Test("More rows than the limit mean any row") func many() throws {
    let insert = """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %) \
      INSERT INTO items (owner, name) SELECT 10, 'row' FROM n
      """
    func rows(_ count: Int) throws -> Int? {
      let sql = insert.split(separator: "%").joined(separator: "\(count)")
      let notice = try notice(sql)
      #expect(!notice.everything && notice.tables["u"] == nil)
      return try #require(notice.tables["items"]).rows?.count
    }
    #expect(try rows(TableChanges.rowLimit) == TableChanges.rowLimit)
    #expect(try rows(TableChanges.rowLimit + 1) == nil)
    #expect(try rows(1) == 1)
  }

  @Test(
    "A log with other triggers is not used",
    arguments: [
      "CREATE TRIGGER more AFTER UPDATE ON items BEGIN SELECT 1; END",
      "DROP TRIGGER martlet_items_delete", "DROP TRIGGER martlet_log_countDelete",
    ])
  func otherTriggers(_ sql: String) throws {
    #expect(try notice(sql).everything)
    let notice = try notice("INSERT INTO u VALUES (1)")
    #expect(!notice.everything && notice.tables["u"] != nil)
    for table in ["items", "log", "texts_data"] {
      #expect(notice.tables[table] != nil && notice.tables[table]?.rows == nil)
    }
  }
}
