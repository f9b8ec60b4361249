import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Suite("Migrations that are closures") struct RegisteredMigrationsTests {
  struct Trouble: Error {}

  let connection: Connection
  var migrator = Migrator()

  init() throws {
    connection = try Connection(location: .inMemory)
    migrator.registerMigration("Create lists") { db in
      try #sql("CREATE TABLE lists(id INTEGER PRIMARY KEY, title TEXT NOT NULL)").execute(db)
    }
    migrator.registerMigration("Add a list") { try $0.run("INSERT INTO lists VALUES (1, 'a')") }
  }

  private func message(_ migrator: Migrator) -> String? {
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
    #expect(try migrator.pending(connection).map(\.name) == ["Create lists", "Add a list"])
    #expect(try migrator.migrate(connection).applied.map(\.number) == [1, 2])
    var later = migrator
    later.registerMigration("Add 'colour'") {
      try $0.execute("ALTER TABLE lists ADD COLUMN colour INTEGER; UPDATE lists SET colour = id")
    }
    #expect(try later.pending(connection).map(\.name) == ["Add 'colour'"])
    #expect(try later.migrate(connection).applied.map(\.name) == ["Add 'colour'"])
    #expect(try connection.rows("SELECT * FROM lists").map(\.values) == [[1, "a", 1]])
    #expect(
      try connection.rows("SELECT name FROM martlet_migrations ORDER BY number").map { $0[0] }
        == later.migrations.map { .text($0.name) })
  }

  @Test func writesNothingWhenNothingIsMissing() throws {
    #expect(try Migrator().migrate(connection).applied == [])
    #expect(try tables() == [])
    try migrator.migrate(connection)
    let changes = connection.totalChanges
    let version = try connection.pragma("schema_version")
    #expect(try migrator.migrate(connection).applied == [])
    #expect(connection.totalChanges == changes)
    #expect(try connection.pragma("schema_version") == version)
  }

  @Test func anotherNameInTheSamePlaceIsRefusedNamingBoth() throws {
    try migrator.migrate(connection)
    var other = Migrator()
    other.registerMigration("Create lists") { _ in }
    other.registerMigration("Something else") { try $0.execute("DROP TABLE lists") }
    let refusal = message(other)
    #expect(refusal?.hasPrefix("migration 2 'Something else' did not run on this database") == true)
    #expect(refusal?.contains("but 'Add a list' did in its place: keep the order") == true)
    #expect(message(Migrator())?.contains("this program knows only up to none") == true)
    #expect(try connection.value("SELECT count(*) FROM lists") == 1)
  }

  @Test func aNameIsRegisteredOnce() throws {
    var twice = migrator
    twice.registerMigration("Add a list") { _ in }
    #expect(
      message(twice) == "two migrations have the same name: 2 'Add a list' and 3 'Add a list'")
    #expect(try tables() == [])
  }

  @Test("A migration with SQL can be followed by closures")
  func mixed() throws {
    var mixed = Migrator([Migration(number: 7, name: "tags", sql: "CREATE TABLE tags(a)")])
    mixed.registerMigration("Tag") { try $0.run("INSERT INTO tags VALUES (1)") }
    #expect(try mixed.migrate(connection).applied.map(\.number) == [7, 8])
    #expect(try mixed.migrate(connection).applied == [])
  }

  @Test("The record that 0.2 kept of closures is taken over once")
  func former() throws {
    try connection.execute(
      """
      CREATE TABLE lists(id INTEGER PRIMARY KEY, title TEXT NOT NULL);
      CREATE TABLE martlet_named_migrations(name TEXT PRIMARY KEY, appliedAt TEXT NOT NULL) STRICT;
      INSERT INTO martlet_named_migrations VALUES ('Create lists', 'then');
      """)
    #expect(try migrator.pending(connection).map(\.name) == ["Add a list"])
    var first = Migrator()
    first.registerMigration("Other lists") { _ in }
    #expect(message(first)?.contains("it has the migration 2 'Create lists'") == true)
    #expect(try tables() == ["lists", "martlet_named_migrations"])
    #expect(try migrator.migrate(connection).applied.map(\.number) == [2])
    #expect(try tables() == ["lists", "martlet_migrations"])
    #expect(
      try connection.rows(
        "SELECT number, name, checksum, appliedAt = 'then' FROM martlet_migrations"
      )
      .map(\.values) == [[1, "Create lists", "", 1], [2, "Add a list", "", 0]])
    let version = try connection.pragma("schema_version")
    #expect(try migrator.migrate(connection).applied == [])
    #expect(try connection.pragma("schema_version") == version)
  }

  private let formerTable = """
    CREATE TABLE martlet_named_migrations(name TEXT PRIMARY KEY, appliedAt TEXT NOT NULL) STRICT
    """

  /// They had no numbers, so one could be added before others that had run.
  @Test("Migrations of 0.2 that ran in another order are taken over by their names")
  func formerInAnotherOrder() throws {
    try connection.execute(
      "\(formerTable); INSERT INTO martlet_named_migrations VALUES ('a', 'x'), ('c', 'x'), ('b', 'x')"
    )
    var migrator = Migrator()
    for name in ["a", "b", "c", "d"] { migrator.registerMigration(name) { _ in } }
    #expect(try migrator.migrate(connection).applied.map(\.name) == ["d"])
    #expect(
      try connection.rows("SELECT name FROM martlet_migrations ORDER BY number").map { $0[0] }
        == ["a", "b", "c", "d"])
  }

  @Test("A record of 0.2 beside one of migrations with SQL is taken over")
  func bothRecords() throws {
    var migrator = Migrator([Migration(number: 1, name: "tags", sql: "CREATE TABLE tags(a)")])
    try migrator.migrate(connection)
    try connection.execute(
      "\(formerTable); INSERT INTO martlet_named_migrations VALUES ('lists', 'x')")
    #expect(message(migrator)?.contains("2 'lists'") == true)
    migrator.registerMigration("lists") { _ in throw Trouble() }
    #expect(try migrator.migrate(connection).applied == [])
    #expect(try tables() == ["martlet_migrations", "tags"])
  }

  @Test("A schema that 0.2 has made is the same, and a file with later migrations stays")
  func compared() throws {
    try migrator.migrate(connection)
    try connection.execute("DROP TABLE martlet_migrations; \(formerTable)")
    try connection.execute(
      "INSERT INTO martlet_named_migrations VALUES ('Create lists', 'x'), ('Add a list', 'x')")
    #expect(try !migrator.hasSchemaChanges(connection))
    #expect(try migrator.migrate(connection, upTo: "Create lists").applied == [])
    #expect(try migrator.pending(connection) == [])
  }

  @Test("A record without pending migrations is taken over, too")
  func formerAndComplete() throws {
    try connection.execute(
      """
      CREATE TABLE martlet_named_migrations(name TEXT PRIMARY KEY, appliedAt TEXT NOT NULL) STRICT;
      INSERT INTO martlet_named_migrations VALUES ('Z', 'then'), ('A', 'then');
      """)
    var done = Migrator()
    for name in ["Z", "A"] { done.registerMigration(name) { _ in throw Trouble() } }
    #expect(try done.migrate(connection).applied == [])
    #expect(try tables() == ["martlet_migrations"])
    #expect(try done.pending(connection) == [])
  }

  @Test func aFailureUndoesAllAndNamesItself() throws {
    var bad = migrator
    bad.registerMigration("Bad") { db in
      try db.execute("CREATE TABLE half(a)")
      throw Trouble()
    }
    #expect(message(bad)?.hasPrefix("migration 3 'Bad' failed: Trouble") == true)
    #expect(try tables() == [])
    #expect(connection.isAutocommit)
    #expect(message(migrator) == nil)
  }

  @Test(arguments: ["COMMIT", "ROLLBACK", "SAVEPOINT martlet_write", "PRAGMA user_version = 3"])
  func theTransactionIsNotTheirs(sql: String) throws {
    var bad = migrator
    bad.registerMigration("Bad") { try $0.execute(sql) }
    #expect(message(bad)?.hasPrefix("migration 3 'Bad' failed: ") == true)
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
    #expect(try migrator.migrate(path: file.path, configuration: configuration).applied.count == 3)
    #expect(try migrator.migrate(path: file.path, configuration: configuration).applied == [])
    let database = try EmbeddedDatabase(path: file.path, configuration: configuration)
    #expect(try database.read { try $0.value("SELECT max(id) FROM lists") } == 42)
  }

  @Test func foreignKeysAreCheckedWhereTheyAreEnforced() throws {
    try connection.pragma("foreign_keys", set: "OFF")
    #expect(message(orphans) == nil)
    try connection.execute(
      "DROP TABLE items; DROP TABLE lists; DROP TABLE martlet_migrations")
    try connection.pragma("foreign_keys", set: "ON")
    #expect(message(orphans)?.contains("broken foreign keys (1)") == true)
    #expect(try tables() == [])
    #expect(try connection.pragma("foreign_keys") == 1)
  }

  private var orphans: Migrator {
    var orphans = migrator
    orphans.registerMigration("Orphan") {
      try $0.execute(
        "CREATE TABLE items(list INTEGER REFERENCES lists(id)); INSERT INTO items VALUES (7)")
    }
    return orphans
  }
}
