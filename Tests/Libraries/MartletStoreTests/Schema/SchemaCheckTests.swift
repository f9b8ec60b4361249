import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Plant: Equatable {
  let id: Int
  var name = ""
  var height: Double?
  var isDry = false
  @Column(generated: .stored) let label: String
  var leaf: Leaf
}
@Selection private struct Leaf: Equatable {
  var color = ""
  var count: Int?
}
@Table private struct Garden { let id: Int }

/// Differences between the program's table types and the database are reported at startup.
@Suite struct SchemaCheckTests {
  private func differences(_ sql: String, _ tables: any Table.Type...) throws -> [String] {
    let db = try Connection(location: .inMemory)
    try db.execute(sql)
    do {
      try db.checkSchema(tables)
      return []
    } catch let mismatch as SchemaMismatch {
      return mismatch.differences
    }
  }

  private let fitting = """
    CREATE TABLE plants (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, height REAL, isDry BOOLEAN NOT NULL,
      label TEXT AS (name) STORED, color VARCHAR(9) NOT NULL, count INT, further TEXT)
    """

  @Test func fits() throws { #expect(try differences(fitting, Plant.self) == []) }

  @Test func eachMismatchIsNamed() throws {
    let sql = """
      CREATE TABLE plants (
        id INTEGER, name TEXT, height TEXT, label TEXT, color BLOB NOT NULL,
        count INTEGER AS (1), must TEXT NOT NULL, isDry INTEGER NOT NULL, PRIMARY KEY (name))
      """
    #expect(
      try differences(sql, Plant.self, Garden.self) == [
        "plants.id may be NULL, but Plant.id is not optional",
        "plants.height is TEXT, but Plant.height is stored as REAL",
        "plants.label may be NULL, but Plant.label is not optional",
        "Plant.label is declared as generated, but plants.label is not",
        "plants.color is BLOB, but Plant.leaf.color is stored as TEXT",
        "plants.count is generated, but Plant.leaf.count is not declared so: inserts would fail",
        "plants.must is NOT NULL without a DEFAULT, and Plant does not have it: inserts would fail",
        "plants has the primary key name, but Plant has id",
        "the table gardens of Garden does not exist",
      ])
    #expect(
      try differences("CREATE TABLE gardens (x)", Garden.self) == [
        "gardens has no column id, which Garden has",
        "gardens has no primary key, but Garden has id",
      ])
  }

  /// The columns of views and virtual tables have no NOT NULL constraints and no reliable types.
  @Test func views() throws {
    #expect(try differences("CREATE VIEW gardens AS SELECT 1 AS id", Garden.self) == [])
  }

  /// A migrator whose tables do not match changes nothing.
  @Test func migrator() throws {
    let db = try Connection(location: .inMemory)
    var migrator = Migrator([
      Migration(number: 1, name: "gardens", sql: Array("CREATE TABLE gardens (id TEXT)".utf8))
    ])
    migrator.tables = [Garden.self]
    #expect(throws: SchemaMismatch.self) { try migrator.migrate(db) }
    #expect(try !db.tableExists("gardens"))
  }

  @Test func namedMigrations() throws {
    let db = try Connection(location: .inMemory)
    var migrator = Migrator()
    migrator.registerMigration("a") { try $0.execute("CREATE TABLE a (x)") }
    migrator.registerMigration("b") { try $0.execute("CREATE TABLE b (x)") }
    #expect(try migrator.migrate(db, upTo: "a").applied.map(\.name) == ["a"])
    #expect(try migrator.pending(db).map(\.name) == ["b"])
    #expect(try !migrator.hasSchemaChanges(db))
    #expect(throws: MigrationError.self) { try migrator.migrate(db, upTo: "c") }
    try migrator.migrate(db)
    #expect(try migrator.pending(db) == [])
    var edited = Migrator()
    edited.registerMigration("a") { try $0.execute("CREATE TABLE a (x, y)") }
    #expect(throws: MigrationError.self) { try edited.pending(db) }
    edited.registerMigration("b") { try $0.execute("CREATE TABLE b (x)") }
    #expect(try edited.hasSchemaChanges(db))
  }
}
