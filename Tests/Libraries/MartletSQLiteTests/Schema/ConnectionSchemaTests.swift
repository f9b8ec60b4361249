import MartletSQLite
import Testing

@Suite struct ConnectionSchemaTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE lists (id INTEGER PRIMARY KEY, title TEXT NOT NULL DEFAULT 'new') STRICT;
      CREATE TABLE items (
        list INTEGER REFERENCES lists (id) ON DELETE CASCADE, n INTEGER, name TEXT,
        upper TEXT AS (upper(name)) STORED, PRIMARY KEY (n, list));
      CREATE UNIQUE INDEX items_name ON items (name, lower(name)) WHERE n > 0;
      CREATE VIEW names AS SELECT name FROM items;
      INSERT INTO lists (id) VALUES (1);
      INSERT INTO items (list, n, name) VALUES (1, 1, 'it''s'), (9, 2, NULL)
      """)
    return db
  }

  @Test func tables() throws {
    let db = try database()
    #expect(try db.tables() == ["items", "lists", "names"])
    #expect(try db.tableExists("Items") && db.tableExists("names"))
    #expect(try !db.tableExists("other"))
    #expect(try db.primaryKey(of: "items") == ["n", "list"])
    #expect(try db.columns(in: "other").isEmpty)
  }

  @Test func columns() throws {
    let db = try database()
    let columns = try db.columns(in: "items")
    #expect(columns.map(\.name) == ["list", "n", "name", "upper"])
    #expect(columns.map(\.generated) == [nil, nil, nil, .stored])
    #expect(columns.map(\.primaryKeyPosition) == [2, 1, 0, 0])
    let title = try #require(try db.columns(in: "lists").last)
    #expect(title.isNotNull && title.defaultValue == "'new'" && title.type == "TEXT")
  }

  @Test func keysAndIndexes() throws {
    let db = try database()
    let key = try #require(try db.foreignKeys(from: "items").first)
    #expect(key.parent == "lists" && key.onDelete == "CASCADE" && key.onUpdate == "NO ACTION")
    #expect(key.columns.map(\.child) == ["list"] && key.columns.map(\.parent) == ["id"])
    let index = try #require(try db.indexes(on: "items").first { $0.name == "items_name" })
    #expect(index.isUnique && index.isPartial && index.columns == ["name", nil])
    let violation = try #require(try db.foreignKeyViolations().first)
    #expect(violation.table == "items" && violation.rowID == 2 && violation.parent == "lists")
    #expect(try db.foreignKeyViolations(in: "items").count == 1)
  }

  @Test func dumps() throws {
    let db = try database()
    #expect(
      try db.dumpContent() == """
        items
        - 1|1|'it''s'|'IT''S'
        - 9|2|NULL|NULL
        lists
        - 1|'new'
        names
        - 'it''s'
        - NULL

        """)
    let copy = try Connection(location: .inMemory)
    try copy.execute(db.dumpSchema())
    #expect(try copy.dumpSchema() == db.dumpSchema())
  }
}
