import MartletQueryBuilder
import MartletSQLite

/// A statement's rows, one at a time and in constant memory.
///
/// ```swift
/// let cursor = try Reminder.all.fetchCursor(db)
/// while let reminder = try cursor.next() { … }
/// ```
/// It belongs to the connection's thread. As long as it lives and has rows, the read goes on.
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

  /// The next row; `nil` after the last.
  public func next() throws -> Output? {
    guard !isDone, let statement else { return nil }
    // Also after an error: a statement that is stepped again begins anew.
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
  /// The rows, fetched as they are asked for.
  public func fetchCursor(_ db: Connection) throws -> RowCursor<Output> {
    let query = query
    return RowCursor(query.isEmpty ? nil : try db.statement(for: query), query.columns, decode)
  }
}

extension PrimaryKeyedTable {
  /// The row of a key. Throws ``NotFound``.
  public static func find(
    _ db: Connection, key: TableColumns.PrimaryKey.QueryOutput
  ) throws -> Self {
    guard let row = try find(key).fetchOne(db) else { throw NotFound() }
    return row
  }
}

extension Connection {
  /// Rows to begin with: ``Seeds``, in one transaction or in the one that is open.
  public func seed(@SeedsBuilder _ rows: () -> [SeedRow]) throws {
    let seeds = Seeds(rows)
    try savepoint { try seeds.execute(self) }
  }
}
