import MartletSQLite
import MartletTime

extension APIKeys {
  /// The maximum number of valid keys that clients can create.
  public static let most = 1_000
  /// The maximum number of valid keys that one key has paired, itself or by keys that it has
  /// paired.
  static let mostPaired: Int64 = 20
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

  static let tooManyPaired = APIProblem(
    .tooManyKeys,
    "\(mostPaired) valid keys have been paired from the same key, the most possible. Revoke some first."
  )

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
    let root =
      try db.value("SELECT rootID FROM pairedKeys WHERE keyID = ?", .integer(Int64(keyID)))
      ?? .integer(Int64(keyID))
    let count = try db.value(
      """
      SELECT count(*) FROM pairedKeys JOIN apiKeys ON apiKeys.id = keyID \
      WHERE \(inForce) AND rootID = ?
      """, now.value, root)
    guard (count?.integer ?? 0) < mostPaired else { throw tooManyPaired }
    let rights = Rights(min(scope, key.rights.scope), parts: key.rights.parts)
    let paired = try create(name, rights, expiresAt: key.expiresAt, now: now, in: db)
    try db.run(
      "INSERT INTO pairedKeys (keyID, pairedBy, rootID) VALUES (?, ?, ?)",
      .integer(Int64(paired.id)), .integer(Int64(keyID)), root)
    return paired
  }

  /// Revokes a key, and with `paired` also the keys that it has paired, and the ones that these
  /// have paired. Returns false if there is no such key.
  static func revoke(
    _ id: Int, paired: Bool, now: Instant, in db: Connection
  ) throws -> Bool {
    if paired {
      let family = try db.query(
        """
        WITH RECURSIVE family (id) AS (SELECT keyID FROM pairedKeys WHERE pairedBy = ? \
        UNION SELECT keyID FROM pairedKeys JOIN family ON pairedBy = family.id) \
        SELECT id FROM family
        """, [.integer(Int64(id))])
      for row in family { try revoke(Int(row[0].integer ?? 0), now: now, in: db) }
    }
    return try revoke(id, now: now, in: db)
  }

  /// Deletes what is stored of the pairing of a key that is being deleted. The keys that it has
  /// paired count as paired by the key that has paired it, so that revoking that one with its
  /// paired keys still revokes them.
  static func deletePair(_ id: Value, in db: Connection) throws {
    let pairedBy = try db.value("DELETE FROM pairedKeys WHERE keyID = ? RETURNING pairedBy", id)
    guard let pairedBy else { return }
    try db.run("UPDATE pairedKeys SET pairedBy = ? WHERE pairedBy = ?", pairedBy, id)
  }
}

extension Instant {
  fileprivate var value: Value { .integer(milliseconds) }
}
