import Foundation
import MartletSQLite
import Testing

@testable import MartletStore

@Suite struct MigratorTests {
  let connection: Connection
  static let firstSQL = "CREATE TABLE lists(id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT;"
  let first = Migration(number: 1, name: "lists", sql: firstSQL)
  let second = Migration(
    number: 2, name: "colours",
    sql: """
      ALTER TABLE lists ADD COLUMN colour INTEGER;
      INSERT INTO lists(title, colour) VALUES ('first', 1);
      """)
  let trigger = (
    name: "martlet_lists_keep",
    sql: """
    CREATE TRIGGER IF NOT EXISTS "martlet_lists_keep"
    BEFORE DELETE ON "lists" BEGIN
      SELECT RAISE(ABORT, 'kept; always');
    END;

    """
  )

  init() throws { connection = try Connection(location: .inMemory) }

  /// The name and SQL of every object in the schema.
  private func schema() throws -> [[Value]] {
    try connection.rows("SELECT name, sql FROM sqlite_schema ORDER BY name").map(\.values)
  }

  private func error(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch { return "\(error)" }
  }

  @Test func runsWhatIsMissingOnce() throws {
    let one = Migrator([first], triggers: [trigger])
    #expect(try one.migrate(connection) == .init(applied: [first], triggersRenewed: true))
    let both = Migrator([second, first], triggers: [trigger])
    #expect(try both.pending(connection) == [second])
    #expect(try both.migrate(connection).applied == [second])
    #expect(
      try connection.rows("SELECT number, name, checksum FROM martlet_migrations").map(\.values)
        == [
          [1, "lists", .text(first.checksum)], [2, "colours", .text(second.checksum)],
        ])
    #expect(try connection.value("SELECT count(*) FROM lists") == 1)
    #expect(error { try connection.run("DELETE FROM lists") }?.contains("kept; always") == true)
  }

  @Test("A migration can replace the definition of a table, and nothing can afterwards")
  func replacesDefinition() throws {
    let third = Migration(
      number: 3, name: "checks",
      sql: """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', 'NOT NULL CHECK (colour > 0)')
        WHERE name = 'lists';
        PRAGMA writable_schema = RESET;
        PRAGMA writable_schema = ON;
        """)
    _ = try Migrator([first, second, third]).migrate(connection)
    #expect(
      error { try connection.run("UPDATE lists SET colour = -1") }?
        .contains("CHECK constraint failed: colour > 0") == true)
    #expect(
      error { try connection.run("UPDATE lists SET title = NULL") }?
        .contains("NOT NULL constraint failed: lists.title") == true)
    #expect(
      error { try connection.run("UPDATE sqlite_schema SET sql = ''") }?
        .contains("may not be modified") == true)
  }

  @Test func writesNothingWhenNothingDiffers() throws {
    let migrator = Migrator([first, second], triggers: [trigger])
    _ = try migrator.migrate(connection)
    let changes = connection.totalChanges
    let version = try connection.pragma("schema_version")
    #expect(try migrator.migrate(connection) == .init(applied: [], triggersRenewed: false))
    #expect(connection.totalChanges == changes)
    #expect(try connection.pragma("schema_version") == version)
  }

  @Test func keepsTriggersInStep() throws {
    _ = try Migrator([first], triggers: [trigger]).migrate(connection)
    try connection.execute(
      """
      CREATE TRIGGER martlet_old AFTER INSERT ON lists BEGIN SELECT 1; END;
      CREATE TRIGGER martletXother AFTER INSERT ON lists BEGIN SELECT 1; END;
      """)
    let other = (
      name: "martlet_new",
      sql: "create trigger martlet_new after insert on lists begin select 1; end"
    )
    #expect(
      try Migrator([first], triggers: [other]).migrate(connection)
        == .init(applied: [], triggersRenewed: true))
    let names = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY 1")
    #expect(names.map { $0[0] } == ["martletXother", "martlet_new"])
    #expect(!(try Migrator([first], triggers: [other]).migrate(connection).triggersRenewed))
    #expect(try Migrator([first]).migrate(connection).triggersRenewed)
    #expect(try connection.value("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == 1)
  }

  @Test func oldTriggersDoNotDisturbAMigration() throws {
    _ = try Migrator(
      [first, second],
      triggers: [
        (
          name: "martlet_colour",
          sql: "CREATE TRIGGER martlet_colour AFTER UPDATE ON lists WHEN new.colour = 2 "
            + "BEGIN SELECT RAISE(ABORT, 'fired'); END"
        )
      ]
    ).migrate(connection)
    let third = Migration(
      number: 3, name: "no colours",
      sql: "UPDATE lists SET colour = 2; ALTER TABLE lists DROP COLUMN colour;")
    #expect(try Migrator([first, second, third]).migrate(connection).applied == [third])
  }

  @Test func anEditedMigrationIsRefusedByName() throws {
    _ = try Migrator([first]).migrate(connection)
    let edited = Migration(number: 1, name: "lists", sql: Self.firstSQL + " -- innocent")
    let message = error { _ = try Migrator([edited, second]).migrate(connection) }
    #expect(message?.contains("migration 1 'lists' was changed") == true)
    #expect(try connection.value("SELECT count(*) FROM martlet_migrations") == 1)
  }

  @Test func aNewerDatabaseIsRefusedNamingBoth() throws {
    _ = try Migrator([first, second]).migrate(connection)
    let message = error { _ = try Migrator([first]).migrate(connection) }
    #expect(message?.contains("2 'colours'") == true && message?.contains("1 'lists'") == true)
  }

  @Test func numbersHaveToGrow() throws {
    let other = Migration(number: 3, name: "other", sql: "CREATE TABLE u(a)")
    _ = try Migrator([other]).migrate(connection)
    let late = error {
      _ = try Migrator([first, other]).migrate(connection)
    }
    #expect(late?.contains("give it a later number") == true)
    let same = Migration(number: 1, name: "colours", sql: "")
    let twice = error { _ = try Migrator([first, same]).migrate(connection) }
    #expect(twice?.contains("same number") == true)
  }

  @Test func aFailureChangesNothingAndNamesItself() throws {
    let bad = Migration(number: 3, name: "bad", sql: "CREATE TABLE half(a); CREATE TABLE lists(a);")
    let message = error { _ = try Migrator([first, second, bad]).migrate(connection) }
    #expect(message?.hasPrefix("migration 3 'bad' failed: table lists already exists") == true)
    #expect(try schema().isEmpty)
    #expect(connection.isAutocommit)
    let committing = Migration(number: 1, name: "c", sql: "CREATE TABLE half(a); COMMIT;")
    #expect(
      error { _ = try Migrator([committing]).migrate(connection) }?.contains("COMMIT inside")
        == true)
    #expect(try schema().isEmpty)
  }

  @Test func aTriggerHasToBeWhatItsNameSays() throws {
    for (name, sql) in [
      ("other", "CREATE TRIGGER other AFTER INSERT ON lists BEGIN SELECT 1; END"),
      ("martlet_a", "CREATE TRIGGER martlet_b AFTER INSERT ON lists BEGIN SELECT 1; END"),
    ] {
      let message = error { _ = try Migrator([first], triggers: [(name, sql)]).migrate(connection) }
      #expect(message?.contains("the trigger \(name) must create") == true)
      #expect(try schema().isEmpty)
    }
    let message = error {
      _ = try Migrator([first], triggers: [("martlet_x", "nonsense")]).migrate(connection)
    }
    #expect(message?.contains("martlet_x could not be created") == true)
  }

  @Test func foreignKeysAreCheckedAfterwards() throws {
    try connection.pragma("foreign_keys", set: "ON")
    let orphan = Migration(
      number: 2, name: "orphan",
      sql: "CREATE TABLE items(list INTEGER REFERENCES lists(id)); INSERT INTO items VALUES (7);")
    let message = error { _ = try Migrator([first, orphan]).migrate(connection) }
    #expect(
      message?.contains("broken foreign keys (1)") == true && message?.contains("items") == true)
    #expect(try connection.pragma("foreign_keys") == 1)
    // Rebuilding a table does not delete the rows that reference it.
    _ = try Migrator([first]).migrate(connection)
    try connection.execute(
      """
      CREATE TABLE items(list REFERENCES lists(id) ON DELETE CASCADE);
      INSERT INTO lists VALUES (1, 'a'); INSERT INTO items VALUES (1);
      """)
    let rebuild = Migration(
      number: 2, name: "rebuild",
      sql: """
        CREATE TABLE new(id INTEGER PRIMARY KEY, title TEXT) STRICT;
        INSERT INTO new SELECT id, title FROM lists;
        DROP TABLE lists;
        ALTER TABLE new RENAME TO lists;
        """)
    _ = try Migrator([first, rebuild]).migrate(connection)
    #expect(try connection.value("SELECT count(*) FROM items") == 1)
  }

  @Test func theChecksumIsFNV1a() {
    #expect(Migration(number: 1, name: "", sql: "").checksum == "cbf29ce484222325")
    #expect(Migration(number: 1, name: "", sql: "foobar").checksum == "85944171f73967e8")
  }

  @Test func aFileIsMigratedBeforeItIsOpened() throws {
    let file = try TemporaryFile()
    let migrator = Migrator(
      files: [(number: 1, name: "t", sql: Array("CREATE TABLE t(a)".utf8))], triggers: [])
    try migrator.migrate(path: file.path)
    let database = try EmbeddedDatabase(path: file.path)
    try database.write { try $0.run("INSERT INTO t VALUES (1)") }
    #expect(try database.read { try $0.value("SELECT a FROM t") } == 1)
  }
}
