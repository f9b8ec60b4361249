import MartletSQLite

/// Why a schema was not migrated. Nothing was changed.
public enum MigrationError: Error, Sendable {
  /// The file has migrations that this program does not know: `the migrations 18 'a' and 19 'b'`.
  /// `known` is the last one of this program.
  case newerDatabase(unknown: String, known: String)
  /// The file contains tables of another program.
  case otherDatabase(table: String)
  /// Tables that the migrations created are missing.
  case lostTables([String])
  /// The SQL of a migration was edited after it ran on this file.
  case edited(Migration, appliedChecksum: String)
  /// A migration was added before one that has already run.
  case outOfOrder(Migration, applied: String)
  /// A migration with another name ran on this file under the same number.
  case renamed(Migration, applied: String)
  /// Two migrations have the same number or the same name.
  case duplicate(Migration, Migration)
  /// A migration failed.
  case failed(Migration, any Error)
  /// The program has no migration with this name.
  case notRegistered(String)
  /// After the migrations, rows reference missing rows.
  case foreignKeys(table: String, rowID: Int64?, parent: String, count: Int)
  /// A trigger could not be created.
  case trigger(name: String, SQLiteError)
  /// A trigger's SQL creates no trigger of that name, or the name lacks the prefix
  /// ``TriggerInstaller/prefix``.
  case triggerName(name: String)
  /// The file has a different table or index under a name that a part needs.
  case otherObject(String, part: String)
}

extension MigrationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .newerDatabase(let unknown, let known):
      "a newer version has migrated the database: it has \(unknown), and this program knows only up to \(known): "
        + "run that version or a later one, or restore a backup that was made before"
    case .otherDatabase(let table):
      "the file is the database of another program: it has a table \(table) and none of this program's "
        + "migrations. The file was not changed. If this program created it, its migrations table is lost: restore a backup"
    case .lostTables(let names):
      (names.count == 1
        ? "the table \(names[0]) is" : "the tables \(names.joined(separator: ", ")) are")
        + " lost: restore a backup. The file was not changed"
    case .edited(let migration, let checksum):
      "migration \(migration) was changed after it ran on this database "
        + "(then \(checksum), now \(migration.checksum)): add a new migration instead"
    case .outOfOrder(let migration, let applied):
      "migration \(migration) is new, but \(applied) has run already: give it a later number"
    case .renamed(let migration, let applied):
      "migration \(migration) did not run on this database, but '\(applied)' did in its place: "
        + "keep the order and the names of migrations that have run, and add new ones at the end"
    case .duplicate(let first, let second):
      "two migrations have the same \(first.number == second.number ? "number" : "name"): "
        + "\(first) and \(second)"
    case .failed(let migration, let error): "migration \(migration) failed: \(error)"
    case .notRegistered(let name): "this program has no migration '\(name)'"
    case .foreignKeys(let table, let rowID, let parent, let count):
      "the migrations left rows with broken foreign keys (\(count)); the first is row "
        + "\(rowID.map(String.init) ?? "?") of \(table), whose row in \(parent) is missing"
    case .trigger(let name, let error): "the trigger \(name) could not be created: \(error)"
    case .triggerName(let name):
      "the SQL of the trigger \(name) must create a trigger with that name, "
        + "and the name must begin with \(TriggerInstaller.prefix)"
    case .otherObject(let name, let part):
      "the database has a table or index \(name), but not the one that \(part) needs: rename the existing one in a migration. "
        + "The file was not changed"
    }
  }
}
