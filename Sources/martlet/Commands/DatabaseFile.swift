import Glibc
import Reminders
import SQLite
import Store

enum DatabaseFile {
  /// Makes the folder that the file lies in, and those around it. Says what is in the way where the file
  /// could not be opened.
  static func prepare(_ path: String) throws {
    guard !path.isEmpty, path != ":memory:" else {
      throw UsageError("--database is a file, not \"\(path)\"")
    }
    let folder = DurableFile.folder(of: path)
    try makeFolder(folder)
    guard !isFolder(path) else { throw Failure("\(path) is a folder, not a database file") }
    // SQLite makes files of its own beside it.
    for wanted in [folder, path] where access(wanted, W_OK) != 0 && errno != ENOENT {
      throw Failure("\(wanted) cannot be written to: \(String(cString: strerror(errno)))")
    }
  }

  /// Makes a folder, and those around it, for this user alone.
  static func makeFolder(_ path: String) throws {
    // By bytes, as the system reads it: a slash with an accent behind it is one, too.
    let slash = UInt8(ascii: "/")
    var folder = path.utf8.first == slash ? "/" : ""
    for piece in path.utf8.split(separator: slash) {
      folder += (folder.isEmpty || folder.utf8.last == slash ? "" : "/") + Substring(piece)
      if mkdir(folder, 0o700) != 0, errno != EEXIST {
        throw Failure("the folder \(folder) cannot be made: \(String(cString: strerror(errno)))")
      }
    }
    guard path.isEmpty || isFolder(path) else { throw Failure("\(path) is no folder") }
  }

  /// A connection to a file that is there, also beside a server.
  static func reading(_ path: String) throws -> Connection {
    guard access(path, F_OK) == 0 else {
      throw Failure("there is no database at \(path); martlet migrate --database \(path) makes one")
    }
    let connection = try Connection(location: .file(path), options: [.readOnly])
    connection.setBusyTimeout(milliseconds: 5_000)
    return connection
  }

  /// Opens it beside a server. Patient: a key that is to be revoked may be what keeps the server writing.
  static func withDatabase<T>(_ path: String, _ body: (EmbeddedDatabase) throws -> T) throws -> T {
    let bell = GracePeriod.Bell()
    var settings = Store.Settings()
    settings.busyMilliseconds = 60_000
    settings.insists = true
    // What an operator asks for takes as long as it takes.
    settings.writeMilliseconds = 0
    settings.writeRows = 0
    let database = try EmbeddedDatabase(path: path, settings: settings) {
      try GracePeriod.prepare($0, bell: bell)
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
    }
  }

  /// Whether other users of the machine may read the file; false where there is none.
  static func isOpenToOthers(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & 0o004 != 0
  }

  private static func isFolder(_ path: String) -> Bool { FileStatus(path)?.isFolder ?? false }
}
