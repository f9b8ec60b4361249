import MartletQueryBuilder
import MartletSQLite
import MartletStore

/// Erases what has been in the trash for too long, and the oldest entries if there are too many.
struct TrashPass: UpkeepPass {
  /// The maximum number of entries, with the reminders of lists.
  static let most = 100_000
  /// The number of entries inspected and erased at a time.
  static let portion = 500

  /// Entries from before this time have expired.
  var cutoff: String
  /// The newest of the entries that are too many.
  var excess = 0
  /// The last entry inspected.
  var last = 0

  mutating func begin(in db: Connection) throws { try begin(most: TrashPass.most, in: db) }

  mutating func begin(most: Int, in db: Connection) throws {
    excess =
      try TrashEntry.order { $0.id.desc() }.limit(1, offset: most).select(\.id).fetchOne(db) ?? 0
  }

  /// Entries are inspected from the oldest on, up to a portion in which none has expired.
  mutating func next(in db: Connection) throws -> UpkeepWrite? {
    let (last, excess, cutoff) = (last, excess, cutoff)
    let entries = try TrashEntry.where { $0.id > last }.order { $0.id }.limit(TrashPass.portion)
      .select { ($0.id, $0.id <= excess || #sql("\($0.deletedAt) < \(bind: cutoff)")) }.fetchAll(db)
    let expired = entries.filter(\.1).map(\.0)
    guard let end = entries.last, !expired.isEmpty else { return nil }
    self.last = end.0
    return { try TrashEntry.where { $0.id.in(expired) }.delete().execute($0) }
  }
}
