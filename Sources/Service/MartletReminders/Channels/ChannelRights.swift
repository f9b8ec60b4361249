import MartletQueryBuilder
import MartletSQLite
import MartletTime

/// The rights of the reader of a channel's messages.
///
/// An administrator makes a channel and decides about its readers. A push subscription has the
/// rights of the API key that made it, as they are now.
struct ChannelRights: Equatable {
  /// The lists whose reminders are sent.
  var lists: ListExtent
  /// Whether the reader may answer alarms.
  var mayAnswer: Bool
  /// Whether the reader is an administrator.
  var isAdmin = true

  /// Returns `nil` if nothing may be sent, because the key of a subscription has ended.
  init?(of channel: Channel, at now: Instant, _ db: Connection) throws {
    lists = channel.extent
    guard channel.kind == .push else {
      mayAnswer = channel.allSettings.answers == true
      return
    }
    guard let key = channel.keyID else {
      // Made without keys, it ends with the first one.
      guard try !ChannelRights.hasKeys(db) else { return nil }
      mayAnswer = true
      return
    }
    let sql = """
      SELECT scope, isLimited FROM apiKeys \
      WHERE id = ? AND revokedAt IS NULL AND (expiresAt IS NULL OR expiresAt > ?)
      """
    let values: [Value] = [.integer(Int64(key)), .integer(now.milliseconds)]
    guard let row = try db.query(sql, values).first else { return nil }
    mayAnswer = row[0].text != "read"
    isAdmin = row[0].text == "admin"
    guard row[1].integer != 0 else { return }
    let parts = try db.query(
      "SELECT part FROM apiKeyParts WHERE keyID = ?", [.integer(Int64(key))])
    lists = lists.intersection(parts.compactMap { $0[0].integer.map(Int.init) })
  }

  /// The push subscriptions whose key was revoked or deleted, or that were made before there were
  /// keys, and some that have been lost for a long time.
  static func ended(at now: Instant, _ db: Connection) throws -> [Int] {
    let hasKeys = try hasKeys(db)
    return try Channel.where { channel in
      #sql(
        """
        \(channel.kind) = \(raw: "\(ChannelKind.push.rawValue)") AND (\(channel.lostAt) <= \
        \(now.adding(.seconds(-30 * 86_400))) OR CASE WHEN \(channel.keyID) IS NULL \
        THEN \(hasKeys) ELSE NOT EXISTS (SELECT 1 FROM apiKeys \
        WHERE apiKeys.id = \(channel.keyID) AND apiKeys.revokedAt IS NULL) END)
        """, as: Bool.self)
    }
    .limit(50).select(\.id).fetchAll(db)
  }

  /// Whether the database has, or has ever had, an API key.
  private static func hasKeys(_ db: Connection) throws -> Bool {
    try db.value("SELECT 1 FROM apiKeys UNION ALL SELECT 1 FROM apiKeyHistory LIMIT 1") != nil
  }
}
