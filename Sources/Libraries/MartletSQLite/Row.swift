/// A row copied from a statement. It is convenient for tests and tools, but too slow for hot paths.
public struct Row: Sendable, Hashable, RandomAccessCollection {
  /// The names of the columns, in order.
  public let columnNames: [String]
  /// The values of the columns, in order.
  public let values: [Value]

  public var startIndex: Int { 0 }
  public var endIndex: Int { values.count }
  /// The value of a column by position, from 0.
  public subscript(column: Int) -> Value { values[column] }

  /// The value of the first column with that name, or `nil` if there is no such column.
  public subscript(column: String) -> Value? {
    columnNames.firstIndex(of: column).map { values[$0] }
  }
}

extension PreparedStatement {
  /// Runs the statement from its start to its end and copies every row.
  public func rows() throws(SQLiteError) -> [Row] {
    reset()
    defer { reset() }
    var rows: [Row] = []
    while try step() {
      rows.append(
        Row(columnNames: columnNames, values: (0..<columnCount).map { value(at: $0) }))
    }
    return rows
  }
}

extension Connection {
  /// Runs one statement and returns copies of its rows.
  public func rows(_ sql: String, _ bindings: Value...) throws(SQLiteError) -> [Row] {
    try query(sql, bindings)
  }

  /// Runs one statement with an array of values and returns copies of its rows:
  /// `db.query("DELETE FROM users WHERE id = ?", [.integer(id)])`.
  @discardableResult
  public func query(_ sql: String, _ bindings: [Value] = []) throws(SQLiteError) -> [Row] {
    let statement = try cached(sql)
    try statement.bind(bindings)
    return try statement.rows()
  }

  /// The first column of the first row of a statement, or `nil` if it returns no row.
  public func value(_ sql: String, _ bindings: Value...) throws(SQLiteError) -> Value? {
    let statement = try cached(sql)
    try statement.bind(bindings)
    return try statement.step() ? statement.value(at: 0) : nil
  }

  /// Runs one statement to its end and ignores its rows.
  public func run(_ sql: String, _ bindings: Value...) throws(SQLiteError) {
    let statement = try cached(sql)
    try statement.bind(bindings)
    try statement.run()
  }
}
