import MartletQueryBuilder
import MartletSQLite
import MartletTime

/// A record that is deleted some time after something has happened. Its IDs grow.
protocol AgingRecord: Table, Sendable {
  static func id(_ columns: TableColumns) -> TableColumn<Self, Int>
  /// When it happened. There is an index of this column and the ID.
  static func time(_ columns: TableColumns) -> TableColumn<Self, Instant>
}

/// Deletes records that are older than they are kept, and the oldest ones if there are too many.
struct AgePass<Record: AgingRecord>: UpkeepPass {
  /// The number deleted at a time.
  private let portion = 2_000

  /// Records before this time are deleted; `nil`: none because of its age.
  var cutoff: Instant?
  /// The maximum number of records.
  var most = 500_000
  /// The newest of the records that are too many.
  private var excess = 0

  init(cutoff: Instant?) { self.cutoff = cutoff }

  mutating func begin(in db: Connection) throws {
    excess =
      try Record.order { Record.id($0).desc() }.limit(1, offset: most).select { Record.id($0) }
      .fetchOne(db) ?? 0
  }

  mutating func next(in db: Connection) throws -> UpkeepWrite? {
    var expired = try cutoff.map { try self.expired(before: $0).fetchAll(db) } ?? [Int]()
    if expired.isEmpty, excess > 0 {
      expired = try Record.where { Record.id($0) <= excess }.order { Record.id($0) }
        .limit(portion).select { Record.id($0) }.fetchAll(db)
    }
    guard !expired.isEmpty else { return nil }
    return { [expired] db in
      try Record.where { Record.id($0).in(expired) }.delete().execute(db)
    }
  }

  /// The IDs of the oldest records before a time.
  func expired(before cutoff: Instant) -> some Statement<Int> {
    Record.where { Record.time($0) < cutoff }.order { (Record.time($0), Record.id($0)) }
      .limit(portion).select { Record.id($0) }
  }
}

/// One pass over a table, which deletes rows that have expired.
protocol UpkeepPass: Sendable {
  /// Prepares the pass, in a read transaction.
  mutating func begin(in db: Connection) throws
  /// Finds the next rows to delete, in a read transaction. Returns the write that deletes them, or
  /// `nil` at the end.
  mutating func next(in db: Connection) throws -> UpkeepWrite?
}

/// Deletes a portion of rows. It takes a few milliseconds.
typealias UpkeepWrite = @Sendable (Connection) throws -> Void
