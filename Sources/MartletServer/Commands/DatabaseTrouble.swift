import Glibc
import MartletSQLite

/// An SQLite error about a database file as an operator reads it: which file, what is wrong, and what to do.
enum DatabaseTrouble {
  /// - Parameters:
  ///   - restore: The command that replaces the file with a backup.
  ///   - advisesDoctor: Whether `martlet doctor` can tell more; not where it is doctor that reports this.
  static func describe(
    _ error: SQLiteError, _ path: String, restore: String? = nil, advisesDoctor: Bool = true
  ) -> String {
    let restore = restore ?? command("FILE", path)
    return switch error.symbol {
    case "SQLITE_CORRUPT":
      "\(path) is damaged: \(advisesDoctor ? "martlet doctor looks closer, " : "")\(restore) puts a backup in its place (\(error))"
    case "SQLITE_NOTADB":
      "\(path) is not a database, or its first page is damaged: --database names another file, \(restore) puts a backup in its place (\(error))"
    case "SQLITE_BUSY", "SQLITE_LOCKED":
      "another program keeps \(path) locked: end it, or wait until it is done (\(error))"
    case "SQLITE_FULL":
      "there is no room left where \(path) lies: make room, or move it to another disk (\(error))"
    case "SQLITE_READONLY", "SQLITE_PERM":
      "\(path) cannot be written to: give it, its folder, \(path)-wal and \(path)-shm to the user that serves it (\(error))"
    case "SQLITE_CANTOPEN":
      "\(path), or its log beside it, cannot be opened: give them and their folder to the user that serves it (\(error))"
    case "SQLITE_IOERR":
      "\(path) cannot be read or written: the disk reports a fault, see dmesg; \(restore) puts a backup in its place (\(error))"
    default: "\(path): \(error)"
    }
  }

  /// Where the file is missing and there are backups of it: it may have been lost, and a new one would be served empty.
  static func lost(_ settings: ServeSettings) -> String? {
    guard access(settings.database, F_OK) != 0, let backups = settings.backups,
      let newest = BackupSchedule(of: settings.database, backups, log: Log()).newest
    else { return nil }
    return """
      there is no database at \(settings.database), but a backup of one: serve makes an empty one, \
      martlet restore \(newest) --database \(settings.database) takes the backup
      """
  }

  /// `martlet restore FILE --database PATH --force`
  static func command(_ backup: String, _ path: String) -> String {
    "martlet restore \(backup) --database \(path) --force"
  }
}
