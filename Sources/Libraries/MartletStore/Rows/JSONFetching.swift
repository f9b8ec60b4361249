import MartletJSON
import MartletQueryBuilder
import MartletSQLite

extension Connection {
  /// Appends the query's first row as a JSON object. Returns false and appends nothing if there is
  /// no row.
  public func writeJSONObject(_ query: Query, into buffer: ByteBuffer) throws -> Bool {
    if query.isEmpty { return false }
    let statement = try statement(for: query)
    defer { statement.reset() }
    guard try statement.step() else { return false }
    JSONRows.of(query).write(statement, into: buffer)
    try rowGuard?.row(bytes: buffer.count)
    return true
  }
}
