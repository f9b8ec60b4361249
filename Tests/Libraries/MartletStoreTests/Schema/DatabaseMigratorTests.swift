import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Suite struct DatabaseMigratorTests {
  struct Trouble: Error {}

  let connection: Connection
  var migrator = DatabaseMigrator()

  init() throws {
    connection = try Connection(location: .inMemory)
    migrator.registerMigration("Create lists") { db in
      try #sql("CREATE TABLE lists(id INTEGER PRIMARY KEY, title TEXT NOT NULL)").execute(db)
    }
    migrator.registerMigration("Add a list") { try $0.run("INSERT INTO lists VALUES (1, 'a')") }
  }

  private func message(_ migrator: DatabaseMigrator) -> String? {
    do {
      try migrator.migrate(connection)
      return nil
    } catch { return "\(error)" }
  }

  private func tables() throws -> [Value] {
    try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .map { $0[0] }
  }

  @Test func runsWhatIsMissingOnceInTheOrderOfRegistration() throws {
    #expect(try migrator.pending(connection) == ["Create lists", "Add a list"])
    #expect(try migrator.migrate(connection) == ["Create lists", "Add a list"])
    var later = migrator
    later.registerMigration("Add 'colour'") {
      try $0.execute("ALTER TABLE lists ADD COLUMN colour INTEGER; UPDATE lists SET colour = id")
    }
    #expect(try later.pending(connection) == ["Add 'colour'"])
    #expect(try later.migrate(connection) == ["Add 'colour'"])
    #expect(try connection.rows("SELECT * FROM lists").map(\.values) == [[1, "a", 1]])
    #expect(
      try connection.rows("SELECT name FROM martlet_named_migrations ORDER BY rowid").map { $0[0] }
        == later.names.map { .text($0) })
  }

  @Test func writesNothingWhenNothingIsMissing() throws {
    #expect(try DatabaseMigrator().migrate(connection) == [])
    #expect(try tables() == [])
    try migrator.migrate(connection)
    let changes = connection.totalChanges
    let version = try connection.pragma("schema_version")
    #expect(try migrator.migrate(connection) == [])
    #expect(connection.totalChanges == changes)
    #expect(try connection.pragma("schema_version") == version)
  }

  @Test func anUnknownNameIsRefusedNamingBoth() throws {
    try migrator.migrate(connection)
    var other = DatabaseMigrator()
    other.registerMigration("Create lists") { _ in }
    other.registerMigration("Something else") { try $0.execute("DROP TABLE lists") }
    let refusal = message(other)
    #expect(refusal?.hasPrefix("migration 'Add a list' ran on this database") == true)
    #expect(refusal?.contains("its last migration is 'Something else'): register it again") == true)
    #expect(message(DatabaseMigrator())?.contains("its last migration is none") == true)
    #expect(try connection.value("SELECT count(*) FROM lists") == 1)
  }

  @Test func aNameIsRegisteredOnce() throws {
    var twice = migrator
    twice.registerMigration("Add a list") { _ in }
    #expect(message(twice) == "two migrations are registered as 'Add a list'")
    #expect(try tables() == [])
  }

  @Test func aFailureUndoesAllAndNamesItself() throws {
    var bad = migrator
    bad.registerMigration("Bad") { db in
      try db.execute("CREATE TABLE half(a)")
      throw Trouble()
    }
    #expect(message(bad)?.hasPrefix("migration 'Bad' failed: Trouble") == true)
    #expect(try tables() == [])
    #expect(connection.isAutocommit)
    #expect(message(migrator) == nil)
  }

  @Test(arguments: ["COMMIT", "ROLLBACK", "SAVEPOINT martlet_write", "PRAGMA user_version = 3"])
  func theTransactionIsNotTheirs(sql: String) throws {
    var bad = migrator
    bad.registerMigration("Bad") { try $0.execute(sql) }
    #expect(message(bad)?.hasPrefix("migration 'Bad' failed: ") == true)
    #expect(try tables() == [])
  }

  @Test func whatARollbackLeavesOpenIsNotCommitted() throws {
    var bad = migrator
    bad.registerMigration("Bad") { db in
      #expect(throws: SQLiteError.self) {
        try db.run("INSERT OR ROLLBACK INTO lists VALUES (1, 'again')")
      }
      #expect(throws: SQLiteError.self) { try db.execute("CREATE TABLE outside(a)") }
    }
    #expect(message(bad)?.contains("was rolled back") == true)
    #expect(try tables() == [])
  }

  @Test func theConnectionsOwnRulesAreBackAfterwards() throws {
    nonisolated(unsafe) var commits = 0
    connection.onCommit {
      commits += 1
      return true
    }
    try migrator.migrate(connection)
    #expect(commits == 1)
    try connection.execute("CREATE TABLE later(a); PRAGMA user_version = 3")
    #expect(commits == 3)
  }

  @Test func aFileIsMigratedWithItsConfiguration() throws {
    let file = try TemporaryFile()
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.addFunction("answer", argumentCount: 0, options: [.deterministic]) { _ in 42 }
    }
    var migrator = migrator
    migrator.registerMigration("Answer") { try $0.run("INSERT INTO lists VALUES (answer(), 'b')") }
    #expect(try migrator.migrate(path: file.path, configuration: configuration).count == 3)
    #expect(try migrator.migrate(path: file.path, configuration: configuration) == [])
    let database = try EmbeddedDatabase(path: file.path, configuration: configuration)
    #expect(try database.read { try $0.value("SELECT max(id) FROM lists") } == 42)
  }

  @Test func foreignKeysAreCheckedWhereTheyAreEnforced() throws {
    try connection.pragma("foreign_keys", set: "OFF")
    #expect(message(orphans) == nil)
    try connection.execute(
      "DROP TABLE items; DROP TABLE lists; DROP TABLE martlet_named_migrations")
    try connection.pragma("foreign_keys", set: "ON")
    #expect(message(orphans)?.contains("broken foreign keys (1)") == true)
    #expect(try tables() == [])
    #expect(try connection.pragma("foreign_keys") == 1)
  }

  private var orphans: DatabaseMigrator {
    var orphans = migrator
    orphans.registerMigration("Orphan") {
      try $0.execute(
        "CREATE TABLE items(list INTEGER REFERENCES lists(id)); INSERT INTO items VALUES (7)")
    }
    return orphans
  }
}
