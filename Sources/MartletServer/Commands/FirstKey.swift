import Glibc
import MartletLiveAPI
import MartletReminders
import MartletSQLite
import MartletStore
import MartletTime

/// The key that a database is made with where nobody could make one beside it: in a container.
enum FirstKey {
  /// Whether there is a key, or was: not where the file is missing, or older than keys are.
  static func exists(_ path: String) throws -> Bool {
    guard access(path, F_OK) == 0 else { return false }
    let connection = try DatabaseFile.reading(path)
    defer { connection.close() }
    guard try connection.tableExists("apiKeys") else { return false }
    return try APIKeys.exist(in: connection)
  }

  /// Makes one for everything, and prints it: this once.
  static func make(_ path: String, _ log: Log) throws {
    let key = try DatabaseFile.withDatabase(path) { database in
      try database.write { db in
        try APIKeys.create("first", Rights(.admin), expiresAt: nil, now: Clock.system.now(), in: db)
      }
    }
    log.announce("the first key, for everything, shown this once: \(key.text)", to: STDERR_FILENO)
  }
}
