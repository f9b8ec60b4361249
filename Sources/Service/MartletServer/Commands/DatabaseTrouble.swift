import Glibc
import MartletSQLite
import MartletStore

/// Messages about SQLite errors for operators: which file, what is wrong, and what to do.
enum DatabaseTrouble {
  /// Describes an error that occurred with the database file.
  ///
  /// - Parameters:
  ///   - restore: The command that replaces the file with a backup.
  ///   - advisesDoctor: Whether to recommend `martlet doctor`; `false` if doctor itself reports it.
  static func describe(
    _ error: SQLiteError, _ path: String, restore: String? = nil, advisesDoctor: Bool = true
  ) -> String {
    let restore = restore ?? command("FILE", path)
    return switch error.symbol {
    case "SQLITE_CORRUPT":
      "\(path) is damaged: \(advisesDoctor ? "run martlet doctor for details, or " : "")restore a backup with \(restore) (\(error.cause))"
    case "SQLITE_NOTADB":
      "\(path) is not a database, or its first page is damaged: name another file with --database, or restore a backup with \(restore) (\(error.cause))"
    case "SQLITE_IOERR":
      "\(FileRemedy.disk.fault(path)): \(FileRemedy.disk.advice(path)); restore a backup with \(restore) (\(error.cause))"
    default:
      if let remedy = FileRemedy(error) {
        "\(remedy.fault(path)): \(remedy.advice(path)) (\(error.cause))"
      } else {
        "\(path): \(error.cause)"
          + (advisesDoctor ? ": run martlet doctor --database \(path) for details" : "")
      }
    }
  }

  /// The same for the error of a write. Only the errors that SQLite has caused are about the file.
  static func describe(_ error: WriteError, _ path: String) -> String {
    switch error {
    case .busy(let cause), .storageFull(let cause): describe(cause, path)
    case .outcomeUnknown(let cause):
      "the change may or may not have been saved: start the command again to find out. \(describe(cause, path))"
    default: "\(error)"
    }
  }

  /// Describes why the schema of the database file was refused.
  static func describe(_ error: MigrationError, _ path: String) -> String {
    guard let newer = newer(error, path) else { return "\(error)" }
    return
      "\(newer). Install that version or a later one, or restore a backup that was made before the upgrade with \(command("FILE", path))"
  }

  /// Describes why the schema of a backup was refused, which was to replace the file at `path`.
  static func describe(_ error: MigrationError, ofBackup file: String, for path: String) -> String {
    guard let newer = newer(error, file) else { return "\(error)" }
    return
      "\(newer). Restore it with that version or a later one, or restore an older backup. \(path) is unchanged"
  }

  /// The message about a file with parts that this program does not know; `nil` for other errors.
  private static func newer(_ error: MigrationError, _ path: String) -> String? {
    guard case .newerDatabase(let unknown, let known) = error else { return nil }
    return
      "\(path) was migrated by a newer version of martlet: it has \(unknown), and martlet \(Program.version) knows only up to \(known)"
  }

  /// The reason not to serve if the database file is missing although backups of it exist;
  /// otherwise `nil`.
  ///
  /// The file was lost, or its disk is not mounted. An empty database in its place would be backed
  /// up, and its backups would replace the good ones.
  static func lost(_ settings: ServeSettings) -> String? {
    guard access(settings.database, F_OK) != 0, let backups = settings.backups,
      let newest = BackupSchedule(of: settings.database, backups, log: Log()).newest
    else { return nil }
    return """
      there is no database at \(settings.database), but there are backups of it. Restore the newest one with \
      martlet restore \(newest) --database \(settings.database), or create an empty database with martlet migrate \
      --database \(settings.database)
      """
  }

  /// The command line `martlet restore FILE --database PATH --force`.
  static func command(_ backup: String, _ path: String) -> String {
    "martlet restore \(backup) --database \(path) --force"
  }
}
