import MartletSQLite
import MartletStore
import Testing

@Suite("Tables of a library in a program's database") struct SchemaPartTests {
  private static let part = SchemaPart(
    "counters",
    sql: """
      CREATE TABLE counters (id INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;
      CREATE INDEX counters_count ON counters (count);
      """,
    triggers: [
      (
        "martlet_counters_inserted",
        "CREATE TRIGGER martlet_counters_inserted AFTER INSERT ON counters BEGIN UPDATE counters SET count = 1; END"
      )
    ])

  private func migrators(_ parts: [SchemaPart]) -> [@Sendable (Connection) throws -> Void] {
    var numbered = Migrator(
      [Migration(number: 1, name: "own", sql: "CREATE TABLE own (a)")],
      triggers: [
        ("martlet_own", "CREATE TRIGGER martlet_own AFTER DELETE ON own BEGIN SELECT 1; END")
      ])
    numbered.parts = parts
    var named = Migrator()
    named.registerMigration("own") { try $0.execute("CREATE TABLE own (a)") }
    named.parts = parts
    return [
      { [numbered] in _ = try numbered.migrate($0) }, { [named] in _ = try named.migrate($0) },
    ]
  }

  private func objects(_ db: Connection) throws -> [String] {
    try db.rows("SELECT name FROM sqlite_schema WHERE name LIKE '%counters%' ORDER BY name")
      .map { $0[0].text ?? "" }
  }

  private static let all = ["counters", "counters_count", "martlet_counters_inserted"]

  @Test(
    "Missing tables and triggers are created, existing ones stay",
    arguments: [0, 1])
  func made(_ index: Int) throws {
    let migrate = migrators([Self.part])[index]
    let db = try Connection(location: .inMemory)
    try migrate(db)
    #expect(try objects(db) == Self.all)
    try db.execute("INSERT INTO counters (count) VALUES (7)")
    try db.execute("DROP TRIGGER martlet_counters_inserted; DROP INDEX counters_count")
    try migrate(db)
    #expect(try objects(db) == Self.all)
    #expect(try db.value("SELECT count FROM counters")?.integer == 1)
    let changes = try db.value("SELECT total_changes()")?.integer
    try migrate(db)
    #expect(try db.value("SELECT total_changes()")?.integer == changes)
  }

  @Test("They are added to a file that was migrated without them", arguments: [0, 1])
  func added(_ index: Int) throws {
    let db = try Connection(location: .inMemory)
    try migrators([])[index](db)
    #expect(try objects(db) == [])
    try migrators([Self.part])[index](db)
    #expect(try objects(db) == Self.all)
  }

  @Test("An identical table created by a migration is accepted")
  func adopted() throws {
    let db = try Connection(location: .inMemory)
    try db.execute(
      "CREATE TABLE   counters (id INTEGER PRIMARY KEY,\n count INTEGER NOT NULL) STRICT")
    try migrators([Self.part])[0](db)
    #expect(try objects(db) == Self.all)
  }

  @Test(
    "A different table of that name is an error, and the file stays unchanged", arguments: [0, 1])
  func other(_ index: Int) throws {
    let db = try Connection(location: .inMemory)
    try db.execute("CREATE TABLE counters (name TEXT)")
    let migrate = migrators([Self.part])[index]
    let error = #expect(throws: MigrationError.self) { try migrate(db) }
    #expect("\(error!)".contains("but not the one that counters needs"))
    #expect(try objects(db) == ["counters"])
    #expect(try db.tableExists("own") == false)
  }
}
