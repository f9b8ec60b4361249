import MartletJSON
import MartletSQLite
import MartletTime

/// Creates, lists and revokes the API keys of a database.
///
/// All functions run in the transaction of the given connection. The tables are ``APITables/keys``.
public enum APIKeys {
  /// An API key, without its secret.
  public struct Key: Equatable, Sendable {
    /// The ID of the key. It is never reused.
    public let id: Int
    /// The name that an operator gave the key.
    public let name: String
    /// The rights of the key.
    public let rights: Rights
    /// When the key was created.
    public let createdAt: Instant
    /// When the key expires; `nil` if it never does.
    public let expiresAt: Instant?
    /// When the key was revoked; `nil` if it was not.
    public let revokedAt: Instant?

    /// Whether the key is valid at `now`: neither expired nor revoked.
    public func isInForce(at now: Instant) -> Bool {
      revokedAt == nil && expiresAt.map { $0 > now } ?? true
    }
  }

  /// The maximum number of expired and revoked keys that stay in the list.
  static let mostEnded: Int64 = 1_000

  /// Creates a key, and deletes expired and revoked ones that are too many. The returned `text` is
  /// the credential for clients. Only a hash of its secret is stored, so it cannot be read again.
  public static func create(
    _ name: String, _ rights: Rights, expiresAt: Instant? = nil, now: Instant,
    in db: Connection
  ) throws -> (id: Int, text: String) {
    try deleteEnded(at: now, in: db)
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

  /// Deletes the keys that ended first, if more than ``mostEnded`` have expired or were revoked:
  /// each change of a key reads all of them. One call deletes at most ``mostEnded``, so that a file
  /// with very many of them does not hold up the writer.
  private static func deleteEnded(at now: Instant, in db: Connection) throws {
    let ids = try db.query(
      """
      SELECT id FROM apiKeys WHERE NOT (\(inForce)) \
      ORDER BY min(coalesce(revokedAt, expiresAt), coalesce(expiresAt, revokedAt)) DESC, id DESC \
      LIMIT ? OFFSET ?
      """, [.integer(now.milliseconds), .integer(mostEnded), .integer(mostEnded)])
    guard !ids.isEmpty else { return }
    let hasPairs = try db.tableExists("pairedKeys")
    for row in ids {
      if hasPairs { try deletePair(row[0], in: db) }
      try db.run("DELETE FROM apiKeys WHERE id = ?", row[0])
    }
  }

  /// All keys by ID, including the last 1,000 expired and revoked ones.
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

  /// The condition of ``Key/isInForce(at:)`` in SQL. Its parameter is the instant.
  static let inForce = "revokedAt IS NULL AND (expiresAt IS NULL OR expiresAt > ?)"

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

  /// Revokes a key and deletes its live sessions. Returns false if there is no such key. A key that
  /// is already revoked keeps its time of revocation.
  @discardableResult
  public static func revoke(_ id: Int, now: Instant, in db: Connection) throws -> Bool {
    let known = try db.value("SELECT 1 FROM apiKeys WHERE id = ?", .integer(Int64(id))) != nil
    try db.run(
      "UPDATE apiKeys SET revokedAt = ? WHERE id = ? AND revokedAt IS NULL",
      .integer(now.milliseconds), .integer(Int64(id)))
    try db.run("DELETE FROM liveSessions WHERE keyID = ?", .integer(Int64(id)))
    return known
  }

  /// Whether the database has, or has ever had, a key. Such a database always requires
  /// authentication.
  public static func exist(in db: Connection) throws -> Bool {
    let found = try remembering(
      "SELECT 1 FROM apiKeys UNION ALL SELECT 1 FROM apiKeyHistory LIMIT 1",
      else: "SELECT 1 FROM apiKeys LIMIT 1", in: db)
    return found != nil
  }

  /// The next ID, greater than that of every key that ever existed. NULL lets SQLite choose.
  private static func nextID(in db: Connection) throws -> Value {
    try remembering("SELECT max(lastKeyID) + 1 FROM apiKeyHistory", else: "SELECT NULL", in: db)
      ?? .null
  }

  /// The value of a query that reads `apiKeyHistory`, or of `other` in a database that was created
  /// before that table existed.
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

  /// The maximum number of live sessions of a key. The oldest are deleted first.
  static let mostSessions: Int64 = 100

  /// Creates a live session and returns its credential. `hash` is the hash of `secret`. The caller
  /// computes it beforehand because that is slow.
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

  /// A valid key or live session.
  struct Row: Equatable, Sendable {
    let kind: Credential.Kind
    let id: Int
    let keyID: Int
    let hash: String
    let rights: Rights
    let expiresAt: Instant?
  }

  /// All keys and live sessions that are valid at `now`.
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

  /// The hash and the expiry of a key or live session that has expired and was not revoked.
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

  /// An unknown scope counts as `read`.
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

extension APIKeys.Key: Encodable {
  private enum Member: String, CodingKey {
    case id, name, scope, parts, createdAt, expiresAt, revokedAt
  }

  /// Writes `id`, `name`, `scope`, `parts`, `createdAt`, `expiresAt` and `revokedAt`. A member
  /// without a value is `null`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Member.self)
    try members.encode(id, forKey: .id)
    try members.encode(name, forKey: .name)
    try members.encode(rights.scope.rawValue, forKey: .scope)
    try members.encode(rights.parts, forKey: .parts)
    try members.encode(createdAt, forKey: .createdAt)
    try members.encode(expiresAt, forKey: .expiresAt)
    try members.encode(revokedAt, forKey: .revokedAt)
  }
}
