import MartletHTTP
import MartletJSON
import MartletSQLite
import MartletStore
import MartletTime

/// Stores the responses to requests that may be repeated.
///
/// They are written in the savepoint of the change itself: either both exist or neither does. Their
/// table is ``APITables/keptAnswers``.
struct StoredAnswers {
  private static let lifetime: Int64 = 24 * 3_600_000
  /// The lifetime of the response to a forwarded request. It is asked for again within seconds.
  private static let forwardedLifetime: Int64 = 60_000
  /// The number of expired responses that are deleted when one is stored. It is greater than 1, so
  /// that expired responses do not accumulate.
  private static let sweep: Int64 = 16

  let connection: Connection
  let most: Int
  /// The current time in milliseconds since 1970.
  let now: Int64

  init(_ connection: Connection, _ clock: MartletTime.Clock, most: Int) {
    self.connection = connection
    self.most = most
    now = clock.now().milliseconds
  }

  /// The stored response of a request, or `nil`. Throws if the key was used with a different body.
  func find(_ key: IdempotencyKey) throws -> WrittenAnswer? {
    let statement = try connection.cached(
      """
      SELECT fingerprint, status, location, etag, body FROM idempotentAnswers \
      WHERE scope = ? AND key = ? AND createdAt > ?
      """)
    try statement.bind([
      .text(key.scope), .text(key.key), .integer(now - StoredAnswers.lifetime),
    ])
    guard try statement.step() else { return nil }
    guard statement.value(at: 0).integer == key.fingerprint else {
      throw APIProblem(
        .idempotencyKeyReused,
        "This Idempotency-Key was already used with a different body. Use a new key.")
    }
    return WrittenAnswer(
      status: Status(UInt16(clamping: statement.value(at: 1).integer ?? 200)),
      location: statement.value(at: 2).text,
      tag: statement.value(at: 3).text,
      body: statement.value(at: 4).blob.map { SharedBytes($0) })
  }

  func keep(_ answer: WrittenAnswer, _ key: IdempotencyKey) throws {
    try key.isForwarded ? sweepForwarded() : sweep()
    // Responses to forwarded requests have negative IDs, so that they take no room from the others.
    try connection.run(
      """
      INSERT OR REPLACE INTO idempotentAnswers \
      (id, scope, key, fingerprint, status, location, etag, body, createdAt) \
      VALUES (\(key.isForwarded ? "(SELECT min(0, coalesce(min(id), 0)) - 1 FROM idempotentAnswers)" : "NULL"), \
      ?, ?, ?, ?, ?, ?, ?, ?)
      """, .text(key.scope), .text(key.key), .integer(key.fingerprint),
      .integer(Int64(answer.status.rawValue)), answer.location.map { .text($0) } ?? .null,
      answer.tag.map { .text($0) } ?? .null,
      (answer.kept ?? answer.body).map { .blob(Array($0.bytes)) } ?? .null,
      .integer(now))
  }

  /// Deletes some of the oldest responses to forwarded requests, if they have expired.
  private func sweepForwarded() throws {
    try connection.run(
      """
      DELETE FROM idempotentAnswers WHERE createdAt <= ? AND id IN \
      (SELECT id FROM idempotentAnswers WHERE id < 0 ORDER BY id DESC LIMIT ?)
      """, .integer(now - StoredAnswers.forwardedLifetime), .integer(StoredAnswers.sweep))
  }

  /// Deletes expired responses, and the oldest ones beyond the limit.
  private func sweep() throws {
    try connection.run(
      """
      DELETE FROM idempotentAnswers WHERE id IN \
      (SELECT id FROM idempotentAnswers WHERE createdAt <= ? ORDER BY createdAt LIMIT ?)
      """, .integer(now - StoredAnswers.lifetime), .integer(StoredAnswers.sweep))
    // IDs increase, so the difference of two bounds the number of rows between them.
    try connection.run(
      """
      DELETE FROM idempotentAnswers \
      WHERE id BETWEEN 1 AND (SELECT max(id) FROM idempotentAnswers) + 1 - ?
      """, .integer(Int64(most)))
  }
}
