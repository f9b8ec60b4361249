import MartletQueryBuilder
import MartletSQLite
import MartletTime

/// Deletes completions that are older than they are kept, and the oldest ones if there are too
/// many.
struct CompletionPass: UpkeepPass {
  /// The maximum number of completions.
  static let most = 500_000
  /// The number deleted at a time.
  static let portion = 2_000

  /// Completions before this time are deleted; `nil`: none because of its age.
  var cutoff: Instant?
  /// The newest of the completions that are too many.
  var excess = 0

  mutating func begin(in db: Connection) throws { try begin(most: CompletionPass.most, in: db) }

  mutating func begin(most: Int, in db: Connection) throws {
    excess =
      try Completion.order { $0.id.desc() }.limit(1, offset: most).select(\.id).fetchOne(db) ?? 0
  }

  mutating func next(in db: Connection) throws -> UpkeepWrite? {
    var expired: [Int] = []
    if let cutoff {
      expired = try Completion.where { $0.completedAt < cutoff }.order { $0.completedAt }
        .limit(CompletionPass.portion).select(\.id).fetchAll(db)
    }
    if expired.isEmpty, excess > 0 {
      expired = try Completion.where { $0.id <= excess }.order { $0.id }
        .limit(CompletionPass.portion).select(\.id).fetchAll(db)
    }
    guard !expired.isEmpty else { return nil }
    return { [expired] in try Completion.where { $0.id.in(expired) }.delete().execute($0) }
  }
}
