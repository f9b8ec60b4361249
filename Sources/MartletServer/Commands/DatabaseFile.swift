import Glibc
import MartletReminders
import MartletSQLite
import MartletStore

enum DatabaseFile {
  /// Creates the folder of the file. Throws what prevents the file from being opened for writing.
  static func prepare(_ path: String) throws {
    try tryOut(path)
    try Folder.make(DurableFile.folder(of: path))
  }

  /// Throws what ``prepare(_:)`` would throw, and creates nothing.
  static func tryOut(_ path: String) throws {
    guard !path.isEmpty, path != ":memory:" else {
      throw UsageError("--database is a file, not \"\(path)\"")
    }
    // SQLite creates files of its own beside it.
    try Folder.tryOut(DurableFile.folder(of: path))
    guard !Folder.exists(path) else { throw Failure("\(path) is a folder, not a database file") }
    guard access(path, R_OK | W_OK) == 0 || errno == ENOENT else {
      throw Failure("\(path) cannot be written to: \(String(cString: strerror(errno)))")
    }
  }

  /// Brings the file to this version's schema, for commands whose output is something else: what was migrated and put
  /// right goes to standard error, in the words of `martlet migrate`.
  static func migrate(_ path: String) throws {
    let isNew = access(path, F_OK) != 0
    let report = try RemindersDatabase.migrate(path: path)
    // Of a new file only what would surprise.
    for line in lines(of: report) where !isNew {
      Output.line("\(path): \(line)", to: STDERR_FILENO)
    }
  }

  /// What migrating a file did, a line each; empty where there was nothing to do.
  static func lines(of report: Migrator.Report) -> [String] {
    let migrated = report.applied.map { "migrated \($0)" }
    let renewed = report.applied.isEmpty && report.triggersRenewed ? ["triggers renewed"] : []
    return migrated + renewed + report.notes
  }

  /// A connection to a file that is there, also beside a server.
  static func reading(_ path: String) throws -> Connection {
    guard access(path, F_OK) == 0 else {
      throw Failure("there is no database at \(path); martlet migrate --database \(path) makes one")
    }
    let connection = try Connection(location: .file(path), options: [.readOnly])
    connection.setBusyTimeout(.seconds(5))
    return connection
  }

  /// Opens it beside a server. Patient: a key that is to be revoked may be what keeps the server writing.
  static func withDatabase<T>(_ path: String, _ body: (EmbeddedDatabase) throws -> T) throws -> T {
    let signal = GracePeriod.Signal()
    var settings = MartletStore.Settings()
    settings.busyTimeout = .seconds(60)
    settings.retriesBusyLock = true
    // What an operator asks for takes as long as it takes.
    settings.writeTimeout = .zero
    settings.writeRows = 0
    let database = try EmbeddedDatabase(path: path, settings: settings) {
      try GracePeriod.prepare($0, signal: signal)
    }
    defer { database.close() }
    return try body(database)
  }

  /// What is no database of reminders is neither worth a backup nor one.
  static func check(_ path: String) -> (Connection) throws -> Void {
    { connection in
      guard try RemindersDatabase.isKnown(connection) else {
        throw Failure("\(path) has none of the tables of reminders")
      }
      let lost = try RemindersDatabase.lostTables(connection)
      guard lost.isEmpty else { throw MigrationError.lostTables(lost) }
    }
  }

  /// Whether other users of the machine may read the file; false where there is none.
  static func isOpenToOthers(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & 0o004 != 0
  }
}
