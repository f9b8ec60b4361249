import MartletSQLite

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
