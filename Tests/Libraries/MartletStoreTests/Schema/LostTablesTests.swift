import MartletSQLite
import MartletStore
import Testing

@Suite("Missing tables that migrations had created") struct LostTablesTests {
  private let migrations = [
    Migration(number: 1, name: "one", sql: "CREATE TABLE one(a); CREATE TABLE two(a)"),
    Migration(number: 2, name: "two", sql: "DROP TABLE two; CREATE TABLE three(a)"),
  ]

  @Test("Missing tables stop a migrator, and the file stays unchanged")
  func lost() throws {
    var migrator = Migrator(
      migrations,
      triggers: [
        ("martlet_one", "CREATE TRIGGER martlet_one AFTER INSERT ON one BEGIN SELECT 1; END")
      ])
    migrator.lastingTables = ["one", "three"]
    let db = try Connection(location: .inMemory)
    _ = try migrator.migrate(db)
    #expect(try migrator.lostTables(db) == [])
    _ = try migrator.migrate(db)
    try db.execute("DROP TABLE three")
    #expect(throws: MigrationError.self) { try migrator.migrate(db) }
    #expect(throws: MigrationError.self) { try migrator.rehearse(db) }
    try db.execute("DROP TABLE one")
    let error = #expect(throws: MigrationError.self) { try migrator.migrate(db) }
    #expect(error?.description.contains("the tables one, three are lost: restore a backup") == true)
    #expect(try !db.tableExists("three"))
  }

  @Test("Tables of pending migrations do not count as missing")
  func pending() throws {
    let db = try Connection(location: .inMemory)
    _ = try Migrator([migrations[0]]).migrate(db)
    var migrator = Migrator(migrations)
    migrator.lastingTables = ["one", "three"]
    #expect(try migrator.migrate(db).applied.map(\.number) == [2])
  }
}
