import MartletSQLite
import Testing

@testable import MartletLiveQueries

/// What ``DependencyReader`` determines from the authorizer, the SQL text, the bound values and the
/// rows.
@Suite("The dependencies of a query")
struct DependencyReaderTests {
  private let db: Connection
  private let reader = DependencyReader()

  init() throws {
    db = try Connection(location: .inMemory)
    try db.execute(RandomQueries.schema)
  }

  private func read(_ sql: String, _ values: Value...) throws -> Dependencies {
    try reader.learnSchema(db)
    return try reader.collect(db) { try db.query(sql, values) }.1
  }

  private func pins(_ column: String, _ values: Int64...) -> Set<Dependencies.Pin> {
    Set(values.map { .init(column, ValueKey(integer: $0)) })
  }

  @Test("The columns of results, conditions and orders are read; a count reads no columns")
  func columns() throws {
    #expect(
      try read("SELECT title FROM items WHERE done > 0 ORDER BY rank").tables
        == ["items": .init(columns: ["title", "done", "rank"])])
    #expect(try read("SELECT count(*) FROM lists").tables == ["lists": .init(columns: [])])
    // SQLite does not report the columns that a generated column is computed from.
    #expect(try read("SELECT b FROM facts").tables == ["facts": .init()])
  }

  @Test(
    "Conditions with literal or bound values pin the rows that are read",
    arguments: [
      "id = 7", "7 = p.id", "(id = 7)", "id IN (7)", "id IS 7", "id = 7 AND (done = 1 OR rank = 2)",
      "(done = 1 OR rank = 2) AND ((id = 7) AND 1)", "rank BETWEEN 1 AND 2 AND id = 7",
      "(id, done) = (7, 1)", "\"p\".\"id\" == 7 -- the seventh", "id = 7.0",
    ])
  func pinned(_ condition: String) throws {
    let table = try read("SELECT title FROM items p WHERE \(condition)").tables["items"]
    #expect(table?.pins == pins("id", 7))
    let bound = condition.replacing("7.0", with: "?").replacing("7", with: "?")
    let values: [Value] = [.integer(7)]
    let (_, dependencies) = try reader.collect(db) {
      try db.query("SELECT title FROM items p WHERE \(bound)", values)
    }
    #expect(dependencies.tables["items"]?.pins == pins("id", 7))
  }

  @Test(
    "Conditions that allow other rows as well pin nothing",
    arguments: [
      "id = 7 OR done = 1", "NOT id = 7", "id > 7", "id = 7 + 1", "rank BETWEEN 1 AND id = 7",
      "CASE WHEN 1 AND id = 7 AND 1 THEN 1 ELSE 1 END", "id IS NOT 7", "id NOT IN (7)",
      "id = '7'", "id IS NULL", "title = 'a' COLLATE NOCASE OR 1", "coalesce(id, 1) = 7",
      "id IN (7, rank)", "(id = 7) + 1", "id = (7, 8) IS NULL",
    ])
  func notPinned(_ condition: String) throws {
    let sql = "SELECT title FROM items WHERE \(condition)"
    guard (try? db.prepare(sql: sql)) != nil else { return }
    #expect(try read(sql).tables["items"]?.pins == nil)
  }

  @Test("A parameter of any form pins its bound value")
  func parameters() throws {
    let sql = "SELECT title FROM items WHERE id IN (?2, :other, ?)"
    #expect(
      try read(sql, .integer(1), .integer(2), .integer(3), .integer(4)).tables["items"]?.pins
        == pins("id", 2, 3, 4))
    #expect(try read("SELECT title FROM items WHERE id = ?", .null).tables["items"]?.pins == [])
    #expect(try read("SELECT title FROM items WHERE id IS ?", .null).tables["items"]?.pins == nil)
    #expect(
      try read("SELECT title FROM items WHERE id = ?", .text("7")).tables["items"]?.pins == nil)
  }

  @Test("Text is pinned by the column's collation")
  func text() throws {
    let found = try read("SELECT color FROM lists WHERE title = 'HOME'").tables["lists"]?.pins
    #expect(found == [.init("title", ValueKey(.text("home"), .nocase))])
    #expect(
      try read("SELECT id FROM items WHERE title = 'HOME'").tables["items"]?.pins
        == [.init("title", ValueKey(.text("HOME"), .binary))])
  }

  @Test("An equality that ignores case pins no column")
  func collations() throws {
    // The left column determines the collation (https://sqlite.org/datatype3.html#collation).
    let joined = try read(
      "SELECT l.color, i.id FROM lists l JOIN items i ON l.title = i.title WHERE l.title = 'HOME'")
    #expect(joined.tables["lists"]?.pins == [.init("title", ValueKey(.text("home"), .nocase))])
    #expect(joined.tables["items"]?.pins == nil)
  }

  @Test("An equality that converts its operands pins no column")
  func affinities() throws {
    // Text compared with an integer column is converted to a number
    // (https://sqlite.org/datatype3.html#type_conversions_prior_to_comparison).
    let joined = try read(
      "SELECT i.id FROM lists l JOIN items i ON l.color = i.title WHERE l.color = 7")
    #expect(joined.tables["lists"]?.pins == pins("color", 7))
    #expect(joined.tables["items"]?.pins == nil && joined.tables["items"] != nil)
    // A column without a type stores both numbers and texts, and '7' equals 7 in this comparison.
    try db.execute("CREATE TABLE notes (about, body TEXT)")
    let untyped = try read(
      "SELECT n.body FROM lists l JOIN notes n ON l.color = n.about WHERE l.color = 7")
    #expect(untyped.tables["lists"]?.pins == pins("color", 7))
    #expect(untyped.tables["notes"]?.pins == nil && untyped.tables["notes"] != nil)
  }

  @Test("A column that equals a pinned column is pinned as well")
  func equalities() throws {
    let joined = try read(
      """
      SELECT l.title, i.title FROM lists l JOIN items i ON i.listID = l.id WHERE l.id = 3
      """)
    #expect(joined.tables["items"]?.pins == pins("listID", 3))
    #expect(joined.tables["lists"]?.pins == pins("id", 3))
    let nested = try read(
      """
      SELECT id, (SELECT group_concat(tag) FROM itemTags WHERE itemID = items.id) FROM items
      WHERE id = 7
      """)
    #expect(nested.tables["itemTags"]?.pins == pins("itemID", 7))
    // In the other direction, an outer row remains even if it matches nothing.
    let left = try read(
      "SELECT l.title FROM lists l LEFT JOIN items i ON i.listID = l.id AND l.id = 3")
    #expect(left.tables["lists"]?.pins == nil)
  }

  @Test("A table is pinned only if every occurrence of it is pinned")
  func everyPlace() throws {
    let both = "SELECT a.title FROM items a, items b WHERE a.id = 1 AND b.id = 2"
    #expect(try read(both).tables["items"]?.pins == pins("id", 1, 2))
    let one = "SELECT a.title FROM items a, items b WHERE a.id = 1"
    #expect(try read(one).tables["items"]?.pins == nil)
    let union = "SELECT title FROM items WHERE id = 1 UNION SELECT title FROM items"
    #expect(try read(union).tables["items"]?.pins == nil)
    let view = "SELECT i.title FROM items i, openItems o WHERE i.id = 1"
    #expect(try read(view).tables["items"]?.pins == nil)
    let common = "WITH c AS (SELECT id FROM items) SELECT i.title FROM items i, c WHERE i.id = 1"
    #expect(try read(common).tables["items"]?.pins == nil)
  }

  @Test("A subquery among the result columns is pinned by the resulting rows")
  func rowsGiven() throws {
    let labels = "(SELECT group_concat(tag) FROM itemTags WHERE itemID = i.id) AS labels"
    let list = try read("SELECT i.id, \(labels) FROM items i WHERE i.listID = 1 ORDER BY i.rank")
    #expect(list.tables["itemTags"]?.pins == pins("itemID", 1, 2))
    let page = try read("SELECT i.id, \(labels) FROM items i ORDER BY i.id LIMIT 1")
    #expect(page.tables["itemTags"]?.pins == pins("itemID", 1))
    // All rows are read if the subquery decides which rows result, or if the key is not a result.
    for sql in [
      "SELECT i.id, \(labels) FROM items i ORDER BY labels LIMIT 1",
      "SELECT i.id, \(labels) FROM items i ORDER BY 2 LIMIT 1",
      "SELECT i.id, \(labels) FROM items i WHERE labels = 'x'",
      "SELECT DISTINCT i.id, \(labels) FROM items i",
      "SELECT max(i.id), \(labels) FROM items i", "SELECT \(labels) FROM items i",
      "SELECT i.id, \(labels) FROM items i GROUP BY i.done",
    ] {
      #expect(try read(sql).tables["itemTags"]?.pins == nil, "\(sql)")
    }
  }

  @Test(
    "A table named outside FROM, or whose subquery result is used elsewhere, is not pinned")
  func notPinnedByLooks() throws {
    for sql in [
      "SELECT l.id FROM lists l, items i WHERE i.id = 7 AND l.id IN openItems",
      "SELECT id FROM items WHERE id = 7 AND listID IN lists",
      "SELECT id FROM items WHERE CASE WHEN rank AND id = 7 AND 1 THEN 1 ELSE 1 END",
    ] {
      guard (try? db.prepare(sql: sql)) != nil else { continue }
      #expect(try read(sql).tables["items"]?.pins == nil, "\(sql)")
    }
    let labels = "(SELECT count(*) FROM itemTags WHERE itemID = i.id)"
    for sql in [
      "SELECT i.id, \(labels) AS 'n' FROM items i WHERE n > 0",
      "SELECT i.id, \(labels) AS n FROM items i JOIN lists l ON l.id = i.listID AND n > 0",
      "SELECT i.id, \(labels) AS n FROM items i WHERE EXISTS (SELECT 1 WHERE n > 0)",
      "SELECT i.id, \(labels) FROM items i ORDER BY (2) DESC LIMIT 1",
      "SELECT (SELECT p.id FROM items p WHERE p.id = i.listID), i.id, \(labels) FROM items i",
    ] {
      #expect(try read(sql).tables["itemTags"]?.pins == nil, "\(sql)")
    }
  }

  @Test("USING and NATURAL read columns that SQLite does not report")
  func silent() throws {
    let using = try read("SELECT a.v FROM loose a JOIN loose b USING (k)")
    #expect(using.tables["loose"] == .init())
    let natural = try read("SELECT p.done FROM items p NATURAL JOIN lists q")
    #expect(natural.tables["lists"] == .init())
    #expect(try read("SELECT * FROM blind").isUnknown)
  }

  @Test("A virtual table depends on the tables that it is made of")
  func virtual() throws {
    let search = try read("SELECT rowid FROM texts WHERE texts MATCH 'milk'")
    #expect(Set(search.tables.keys).isSuperset(of: ["texts", "texts_data", "texts_idx", "items"]))
    #expect(search.tables["items"] == .init())
  }

  @Test("Functions of the clock and random functions are recognized")
  func clock() throws {
    for sql in [
      "SELECT date('now')", "SELECT unixepoch()", "SELECT strftime('%s')", "SELECT CURRENT_DATE",
      "SELECT id FROM items WHERE title < datetime('NOW', '-1 day')",
    ] {
      #expect(try read(sql).readsClock, "\(sql)")
    }
    #expect(try read("SELECT date(?)", .text("now")).readsClock)
    #expect(try !read("SELECT date(title), strftime('%s', title) FROM items").readsClock)
    #expect(try read("SELECT random() FROM items").isUnknown)
    #expect(try !read("SELECT lower(title), count(*) FROM items").isUnknown)
  }

  @Test(
    "A connection that was not prepared records the reads of cached statements as well")
  func unprepared() throws {
    let sql = "SELECT title FROM items WHERE id = 1"
    #expect(!db.authorizer.collects)
    _ = try db.query(sql)
    let first = try read(sql)
    #expect(first.tables["items"]?.pins == pins("id", 1) && !first.isUnknown)
    #expect(try read(sql) == first)
  }

  @Test("Tables of an attached database are qualified with its name")
  func attached() throws {
    try db.execute("ATTACH ':memory:' AS other; CREATE TABLE other.t(a)")
    #expect(try read("SELECT a FROM other.t WHERE a = 1").tables == ["other.t": .init()])
  }

  @Test("After a schema change, statements are analyzed again")
  func schemaChange() throws {
    let sql = "SELECT * FROM openItems"
    #expect(try read(sql).tables["lists"] == nil)
    try db.execute(
      "DROP VIEW openItems; CREATE VIEW openItems AS SELECT i.id, l.title FROM items i JOIN lists l"
    )
    #expect(try read(sql).tables["lists"]?.columns == ["title"])
    #expect(try read("SELECT title FROM items WHERE id = 1").tables["items"]?.pins != nil)
    try db.execute("CREATE TEMP TABLE items(id, title)")
    #expect(try read("SELECT title FROM items WHERE 1 = id").tables["items"] == nil)
  }

  @Test("A statement that is not understood is not pinned and loses no dependency")
  func others() throws {
    let nested = try read("SELECT a.title FROM (items a JOIN lists b ON 1) WHERE a.id = 1")
    #expect(nested.tables["items"] == .init(columns: ["title", "id"]))
    #expect(nested.tables["lists"]?.pins == nil && nested.tables["lists"] != nil)
    #expect(try read("SELECT value FROM json_each('[1]'), lists").tables["lists"] != nil)
    #expect(try read("VALUES (1), ((SELECT max(id) FROM items))").tables["items"] != nil)
  }
}
