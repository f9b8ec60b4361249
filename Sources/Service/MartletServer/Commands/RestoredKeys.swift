import Glibc
import MartletLiveAPI
import MartletReminders
import MartletSQLite
import MartletTime

/// Reports the effect of a restore on API keys.
///
/// The keys are those of the backup: a key that was revoked after the backup was made is valid
/// again.
enum RestoredKeys {
  /// The revoked keys of the file that will be replaced; empty if it cannot be read.
  static func revoked(in path: String) -> [APIKeys.Key] {
    guard access(path, F_OK) == 0, let keys = try? all(in: path) else { return [] }
    return keys.filter { $0.revokedAt != nil }
  }

  /// The lines to print about the valid keys of the database at `path`.
  ///
  /// - Parameter revoked: The revoked keys of the replaced file.
  static func lines(_ path: String, revoked: [APIKeys.Key]) throws -> [String] {
    let now = Clock.system.now()
    let keys = try all(in: path).filter { $0.isInForce(at: now) }
    guard !keys.isEmpty else { return [] }
    let again = keys.filter { key in
      revoked.contains { $0.id == key.id && $0.createdAt == key.createdAt }
    }
    let count = Count(keys.count, "API key is", "API keys are")
    let devices = try devices(in: path)
    return ["\(count) valid after the restore: martlet key list --database \(path)"]
      + again.map { key in
        let devices = devices[key.id] ?? 0
        let ring =
          devices == 0 ? "" : ", and \(Count(devices, "device rings", "devices ring")) by it"
        return """
          key \(key.id) "\(key.name)" was revoked after the backup and is valid again\(ring): martlet key revoke \(key.id) --database \(path)
          """
      }
  }

  /// The number of devices that ring by each key. An older backup has none.
  private static func devices(in path: String) throws -> [Int: Int] {
    let connection = try DatabaseFile.reading(path)
    defer { connection.close() }
    let sql = """
      SELECT count(*) FROM pragma_table_info('channels') WHERE name IN ('keyID', 'lostAt')
      """
    guard try connection.value(sql)?.integer == 2 else { return [:] }
    let rows = try connection.rows(
      "SELECT keyID, count(*) FROM channels WHERE keyID > 0 AND lostAt IS NULL GROUP BY keyID")
    return Dictionary(
      rows.compactMap { row in
        row[0].integer.flatMap { key in row[1].integer.map { (Int(key), Int($0)) } }
      }, uniquingKeysWith: { $1 })
  }

  private static func all(in path: String) throws -> [APIKeys.Key] {
    let connection = try DatabaseFile.reading(path)
    defer { connection.close() }
    guard try connection.tableExists("apiKeys") else { return [] }
    return try APIKeys.all(in: connection)
  }
}
