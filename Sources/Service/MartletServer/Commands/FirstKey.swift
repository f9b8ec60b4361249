import Glibc
import MartletLiveAPI
import MartletReminders
import MartletSQLite
import MartletStore
import MartletTime

/// The API key that `serve --first-key` creates for a new database.
///
/// It is for containers, in which no other command can create a key before the server starts.
enum FirstKey {
  /// Whether the database has or ever had an API key.
  ///
  /// `false` if the file is missing or was made by a version without API keys.
  static func exists(_ path: String) throws -> Bool {
    guard access(path, F_OK) == 0 else { return false }
    let connection = try DatabaseFile.reading(path)
    defer { connection.close() }
    guard try connection.tableExists("apiKeys") else { return false }
    return try APIKeys.exist(in: connection)
  }

  /// Creates a key with the scope admin and prints it. It cannot be shown again.
  static func make(_ path: String, _ log: Log) throws {
    let key = try DatabaseFile.withDatabase(path) { database in
      try database.write { db in
        try APIKeys.create("first", Rights(.admin), expiresAt: nil, now: Clock.system.now(), in: db)
      }
    }
    log.announce(
      "the first API key, with the scope admin, shown only once: \(key.text)", to: STDERR_FILENO)
  }
}
