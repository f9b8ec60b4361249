import MartletQueryBuilder
import MartletSQLite

/// Iterates over a statement's rows one at a time, in constant memory.
///
/// ```swift
/// let cursor = try Reminder.all.fetchCursor(db)
/// while let reminder = try cursor.next() { … }
/// ```
///
/// Use a cursor on the connection's thread only. Until it is exhausted or deallocated, the read
/// stays open.
public final class RowCursor<Output> {
  private let statement: PreparedStatement?
  private let columns: [ResultColumn]
  private let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output
  private var isDone: Bool

  init(
    _ statement: PreparedStatement?, _ columns: [ResultColumn],
    _ decode: @escaping @Sendable (inout RowReader) throws(DecodingProblem) -> Output
  ) {
    self.statement = statement
    self.columns = columns
    self.decode = decode
    isDone = statement == nil
  }

  deinit { statement?.reset() }

  /// Returns the next row; `nil` after the last one.
  public func next() throws -> Output? {
    guard !isDone, let statement else { return nil }
    // Set before the step, so that it stays set if the step throws: stepping the statement again
    // would restart it.
    isDone = true
    guard try statement.step() else {
      statement.reset()
      return nil
    }
    isDone = false
    var reader = RowReader(statement: statement.handle, access: columnAccess)
    do throws(DecodingProblem) {
      return try decode(&reader)
    } catch {
      throw RowDecodingError(error, statement, columns)
    }
  }
}

extension MartletQueryBuilder.Statement {
  /// Returns a cursor that fetches the rows on demand.
  public func fetchCursor(_ db: Connection) throws -> RowCursor<Output> {
    let query = query
    return RowCursor(query.isEmpty ? nil : try db.statement(for: query), query.columns, decode)
  }
}

extension PrimaryKeyedTable {
  /// Returns the row with a primary key. Throws ``NotFound`` if there is no such row.
  public static func find(
    _ db: Connection, key: TableColumns.PrimaryKey.QueryOutput
  ) throws -> Self {
    guard let row = try find(key).fetchOne(db) else { throw NotFound() }
    return row
  }
}

extension Connection {
  /// Inserts sample rows (`Seeds`) in a transaction, or in a savepoint if one is already open.
  public func seed(@SeedsBuilder _ rows: () -> [SeedRow]) throws {
    let seeds = Seeds(rows)
    try savepoint { try seeds.execute(self) }
  }
}
