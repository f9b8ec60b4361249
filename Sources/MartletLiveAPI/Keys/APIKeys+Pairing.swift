import MartletSQLite
import MartletTime

extension APIKeys {
  /// The maximum number of valid keys that clients can create.
  public static let most = 1_000
  /// The maximum number of pairing codes. The oldest are deleted first. A key has one at most.
  static let mostCodes: Int64 = 100
  /// How long a pairing code is valid.
  static let codeLifetime: Duration = .seconds(300)

  /// Throws a 409 if there are as many valid keys as there can be.
  static func checkRoom(at now: Instant, in db: Connection) throws {
    let count = try db.value("SELECT count(*) FROM apiKeys WHERE \(inForce)", now.value)
    guard (count?.integer ?? 0) < most else { throw tooMany }
  }

  static let tooMany = APIProblem(
    .tooManyKeys, "There are \(most) valid keys, the most possible. Revoke some first.")

  /// Stores a pairing code in place of the last one of its key. `hash` is the hash of the code,
  /// which the caller computes beforehand because that is slow. `scope` is what the new key may do
  /// at most.
  static func store(
    _ code: PairingCode, hash: String, of keyID: Int, _ scope: Rights.Scope, expiresAt: Instant,
    at now: Instant, in db: Connection
  ) throws {
    try db.run(
      "DELETE FROM pairingCodes WHERE expiresAt <= ? OR keyID = ?", now.value,
      .integer(Int64(keyID)))
    try db.run(
      """
      DELETE FROM pairingCodes WHERE id IN \
      (SELECT id FROM pairingCodes ORDER BY id DESC LIMIT -1 OFFSET ?)
      """, .integer(mostCodes - 1))
    try db.run(
      "INSERT INTO pairingCodes (selector, hash, keyID, scope, expiresAt) VALUES (?, ?, ?, ?, ?)",
      .text(code.selector), .text(hash), .integer(Int64(keyID)), .text(scope.rawValue),
      expiresAt.value)
  }

  /// The ID of a pairing code; `nil` if it is invalid. It can take half a millisecond
  /// for each code with the same selector.
  static func find(_ code: PairingCode, at now: Instant, in db: Connection) throws -> Int? {
    try db.query(
      "SELECT id, hash FROM pairingCodes WHERE selector = ? AND expiresAt > ?",
      [.text(code.selector), now.value]
    ).first { code.matches($0[1].text ?? "") }?[0].integer.map(Int.init)
  }

  /// Trades a pairing code for a key, which can do no more than the key that has made the code, and
  /// is valid no longer. The code is used up. Returns `nil` if it is not valid any more.
  static func pair(
    _ codeID: Int, name: String, at now: Instant, in db: Connection
  ) throws -> (id: Int, text: String)? {
    let row = try db.query(
      "DELETE FROM pairingCodes WHERE id = ? AND expiresAt > ? RETURNING keyID, scope",
      [.integer(Int64(codeID)), now.value]
    ).first
    guard let row, let keyID = row[0].integer.map(Int.init),
      let key = try find(keyID, in: db), key.isInForce(at: now),
      let scope = row[1].text.flatMap(Rights.Scope.init)
    else { return nil }
    try checkRoom(at: now, in: db)
    let rights = Rights(min(scope, key.rights.scope), parts: key.rights.parts)
    let paired = try create(name, rights, expiresAt: key.expiresAt, now: now, in: db)
    try db.run(
      "INSERT OR REPLACE INTO pairedKeys (keyID, pairedBy) VALUES (?, ?)",
      .integer(Int64(paired.id)), .integer(Int64(keyID)))
    return paired
  }
}

extension Instant {
  fileprivate var value: Value { .integer(milliseconds) }
}
