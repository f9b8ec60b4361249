import MartletQueryBuilder
import MartletSQLite
import MartletTime

/// Deletes the records of what has rung long ago.
struct FiringPass: UpkeepPass {
  /// How long a record is kept: longer than an alarm may be late.
  static let keep: Int64 = 30 * 86_400_000
  /// The number deleted at a time.
  static let portion = 2_000

  /// Records before this time are deleted.
  var cutoff: Instant

  static func expired(before cutoff: Instant) -> some Statement<Int> {
    Firing.where { $0.firedAt < cutoff }.order { ($0.firedAt, $0.id) }
      .limit(portion).select(\.id)
  }

  mutating func begin(in db: Connection) throws {}

  mutating func next(in db: Connection) throws -> UpkeepWrite? {
    let expired = try FiringPass.expired(before: cutoff).fetchAll(db)
    guard !expired.isEmpty else { return nil }
    return { try Firing.where { $0.id.in(expired) }.delete().execute($0) }
  }
}
