import MartletJSON
import MartletSQLite
import MartletTime

/// The keys of a database, in the transaction of the connection that is given. Their tables are ``APITables/keys``.
public enum APIKeys {
  public struct Key: Equatable, Sendable {
    public let id: Int
    public let name: String
    public let rights: Rights
    public let createdAt: Instant
    public let expiresAt: Instant?
    public let revokedAt: Instant?

    public func isInForce(at now: Instant) -> Bool {
      revokedAt == nil && expiresAt.map { $0 > now } ?? true
    }
  }

  /// Makes a key; what is given back is shown once and kept nowhere.
  public static func create(
    _ name: String, _ rights: Rights, expiresAt: Instant?, now: Instant, in db: Connection
  ) throws -> (id: Int, text: String) {
    let secret = Secret()
    try db.run(
      """
      INSERT INTO apiKeys (id, name, scope, isLimited, hash, createdAt, expiresAt) \
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      try nextID(in: db), .text(name), .text(rights.scope.rawValue),
      .integer(rights.parts == nil ? 0 : 1),
      .text(try secret.hash()), .integer(now.milliseconds),
      expiresAt.map { .integer($0.milliseconds) } ?? .null)
    let id = Int(db.lastInsertRowID)
    for part in rights.parts ?? [] {
      try db.run(
        "INSERT INTO apiKeyParts (keyID, part) VALUES (?, ?)", .integer(Int64(id)),
        .integer(Int64(part)))
    }
    return (id, Credential(.key, id: id, secret).text)
  }

  /// All of them by id, those that do not hold any more, too.
  public static func all(in db: Connection) throws -> [Key] {
    let parts = try parts(in: db)
    return try db.query("\(selection) ORDER BY id").map { row in
      key(row, parts[row.int(0) ?? 0] ?? [])
    }
  }

  static func isInForce(_ id: Int, at now: Instant, in db: Connection) throws -> Bool {
    try db.value(
      "SELECT 1 FROM apiKeys WHERE \(inForce) AND id = ?", .integer(now.milliseconds),
      .integer(Int64(id))) != nil
  }

  /// The same as ``Key/isInForce(at:)``; the parameter is the instant.
  private static let inForce = "revokedAt IS NULL AND (expiresAt IS NULL OR expiresAt > ?)"

  static func find(_ id: Int, in db: Connection) throws -> Key? {
    let id = Value.integer(Int64(id))
    let parts = try db.query("SELECT part FROM apiKeyParts WHERE keyID = ?", [id])
    return try db.query("\(selection) WHERE id = ?", [id]).first.map { row in
      key(row, parts.compactMap { $0.int(0) })
    }
  }

  private static let selection =
    "SELECT id, name, scope, isLimited, createdAt, expiresAt, revokedAt FROM apiKeys"

  private static func key(_ row: MartletSQLite.Row, _ parts: [Int]) -> Key {
    Key(
      id: row.int(0) ?? 0, name: row[1].text ?? "",
      rights: rights(row[2], isLimited: row[3], parts), createdAt: row.instant(4) ?? .epoch,
      expiresAt: row.instant(5), revokedAt: row.instant(6))
  }

  /// False where there is no such key; revoking twice is revoking once.
  public static func revoke(_ id: Int, now: Instant, in db: Connection) throws -> Bool {
    let known = try db.value("SELECT 1 FROM apiKeys WHERE id = ?", .integer(Int64(id))) != nil
    try db.run(
      "UPDATE apiKeys SET revokedAt = ? WHERE id = ? AND revokedAt IS NULL",
      .integer(now.milliseconds), .integer(Int64(id)))
    try db.run("DELETE FROM liveSessions WHERE keyID = ?", .integer(Int64(id)))
    return known
  }

  /// Whether there is any key, or ever was: a database that had one is never open to everybody again.
  public static func exist(in db: Connection) throws -> Bool {
    let found = try remembering(
      "SELECT 1 FROM apiKeys UNION ALL SELECT 1 FROM apiKeyHistory LIMIT 1",
      else: "SELECT 1 FROM apiKeys LIMIT 1", in: db)
    return found != nil
  }

  /// Above every id that a key has had; NULL lets SQLite choose.
  private static func nextID(in db: Connection) throws -> Value {
    try remembering("SELECT max(lastKeyID) + 1 FROM apiKeyHistory", else: "SELECT NULL", in: db)
      ?? .null
  }

  /// The value of a query that reads the history of keys, or of `other` in a database whose tables are older
  /// than that.
  private static func remembering(
    _ sql: String, else other: String, in db: Connection
  ) throws(SQLiteError) -> Value? {
    do throws(SQLiteError) {
      return try db.value(sql)
    } catch  where error.message.contains("no such table: apiKeyHistory") {
      return try db.value(other)
    }
  }

  // MARK: Live sessions

  /// How many live sessions a key has at most: the oldest go first.
  static let mostSessions: Int64 = 100

  /// `hash`: of `secret`, made before, because it takes long.
  static func createSession(
    of keyID: Int, _ secret: Secret, hash: String, expiresAt: Instant, now: Instant,
    in db: Connection
  ) throws -> String {
    let key = Value.integer(Int64(keyID))
    try db.run("DELETE FROM liveSessions WHERE expiresAt <= ?", .integer(now.milliseconds))
    try db.run(
      """
      DELETE FROM liveSessions WHERE id IN \
      (SELECT id FROM liveSessions WHERE keyID = ? ORDER BY expiresAt DESC, id DESC LIMIT -1 OFFSET ?)
      """, key, .integer(mostSessions - 1))
    try db.run(
      "INSERT INTO liveSessions (keyID, hash, expiresAt) VALUES (?, ?, ?)", key, .text(hash),
      .integer(expiresAt.milliseconds))
    return Credential(.session, id: Int(db.lastInsertRowID), secret).text
  }

  // MARK: What is in force

  /// A key or a live session that is in force.
  struct Row: Equatable, Sendable {
    let kind: Credential.Kind
    let id: Int
    let keyID: Int
    let hash: String
    let rights: Rights
    let expiresAt: Instant?
  }

  /// All that are in force at `now`.
  static func rows(now: Instant, in db: Connection) throws -> [Row] {
    let parts = try parts(in: db)
    let keys = try db.query(
      """
      SELECT id, scope, isLimited, hash, expiresAt FROM apiKeys WHERE \(inForce) ORDER BY id
      """, [.integer(now.milliseconds)]
    ).map { row in
      let id = row.int(0) ?? 0
      return Row(
        kind: .key, id: id, keyID: id, hash: row[3].text ?? "",
        rights: rights(row[1], isLimited: row[2], parts[id] ?? []), expiresAt: row.instant(4))
    }
    let byID = Dictionary(uniqueKeysWithValues: keys.map { ($0.id, $0) })
    let sessions = try db.query(
      "SELECT id, keyID, hash, expiresAt FROM liveSessions WHERE expiresAt > ? ORDER BY id",
      [.integer(now.milliseconds)]
    ).compactMap { row -> Row? in
      guard let key = byID[row.int(1) ?? 0], let end = row.instant(3) else { return nil }
      return Row(
        kind: .session, id: row.int(0) ?? 0, keyID: key.id, hash: row[2].text ?? "",
        rights: Rights(.read, parts: key.rights.parts),
        expiresAt: key.expiresAt.map { min($0, end) } ?? end)
    }
    return keys + sessions
  }

  /// The hash of a key or a live session that has expired and was not revoked, and when it has.
  static func ended(
    _ credential: Credential, at now: Instant, in db: Connection
  ) throws -> (hash: String, end: Instant)? {
    let sql =
      switch credential.kind {
      case .key:
        "SELECT hash, expiresAt FROM apiKeys WHERE id = ? AND revokedAt IS NULL AND expiresAt <= ?"
      case .session: "SELECT hash, expiresAt FROM liveSessions WHERE id = ? AND expiresAt <= ?"
      }
    let row = try db.query(sql, [.integer(Int64(credential.id)), .integer(now.milliseconds)]).first
    guard let row, let hash = row[0].text, let end = row.instant(1) else { return nil }
    return (hash, end)
  }

  private static func parts(in db: Connection) throws -> [Int: [Int]] {
    Dictionary(
      grouping: try db.query("SELECT keyID, part FROM apiKeyParts"), by: { $0.int(0) ?? 0 }
    ).mapValues { $0.compactMap { $0.int(1) } }
  }

  /// What is not understood gives least.
  private static func rights(_ scope: Value, isLimited: Value, _ parts: [Int]) -> Rights {
    Rights(
      scope.text.flatMap(Rights.Scope.init) ?? .read, parts: isLimited.integer == 0 ? nil : parts)
  }
}

extension Row {
  fileprivate func int(_ column: Int) -> Int? { self[column].integer.map(Int.init) }
  fileprivate func instant(_ column: Int) -> Instant? {
    self[column].integer.map { Instant(milliseconds: $0) }
  }
}
