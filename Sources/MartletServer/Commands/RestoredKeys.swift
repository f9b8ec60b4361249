import Glibc
import MartletLiveAPI
import MartletReminders
import MartletSQLite
import MartletTime

/// What a restore does to API keys: those of the backup are in force as they were when it was made, revoked since or not.
enum RestoredKeys {
  /// The keys that are revoked in the file that is going to be replaced; none where it cannot be read.
  static func revoked(in path: String) -> [APIKeys.Key] {
    guard access(path, F_OK) == 0, let keys = try? all(in: path) else { return [] }
    return keys.filter { $0.revokedAt != nil }
  }

  /// What is told of the keys in force at `path`.
  static func lines(_ path: String, revoked: [APIKeys.Key]) throws -> [String] {
    let now = Clock.system.now()
    let keys = try all(in: path).filter { $0.isInForce(at: now) }
    guard !keys.isEmpty else { return [] }
    let again = keys.filter { key in
      revoked.contains { $0.id == key.id && $0.createdAt == key.createdAt }
    }
    let count = Count(keys.count, "API key is", "API keys are")
    return ["\(count) in force again: martlet key list --database \(path)"]
      + again.map {
        """
        key \($0.id) "\($0.name)" was revoked since, and is in force again: martlet key revoke \($0.id) --database \(path)
        """
      }
  }

  private static func all(in path: String) throws -> [APIKeys.Key] {
    let connection = try DatabaseFile.reading(path)
    defer { connection.close() }
    guard try connection.tableExists("apiKeys") else { return [] }
    return try APIKeys.all(in: connection)
  }
}
