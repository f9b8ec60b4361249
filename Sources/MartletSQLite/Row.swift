/// A row that was copied out of a statement: convenient, for tests and tools; not for hot paths.
public struct Row: Sendable, Hashable, RandomAccessCollection {
  public let columnNames: [String]
  public let values: [Value]

  public var startIndex: Int { 0 }
  public var endIndex: Int { values.count }
  public subscript(column: Int) -> Value { values[column] }

  /// The first column of that name; nil when there is none.
  public subscript(column: String) -> Value? {
    columnNames.firstIndex(of: column).map { values[$0] }
  }
}

extension PreparedStatement {
  /// Runs from the start to the end and copies every row.
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
  /// Runs one statement and copies its rows.
  public func rows(_ sql: String, _ bindings: Value...) throws(SQLiteError) -> [Row] {
    try query(sql, bindings)
  }

  /// The same with the values in a list: `db.query("DELETE FROM users WHERE id = ?", [.integer(id)])`.
  @discardableResult
  public func query(_ sql: String, _ bindings: [Value] = []) throws(SQLiteError) -> [Row] {
    let statement = try cached(sql)
    try statement.bind(bindings)
    return try statement.rows()
  }

  /// The first column of the first row; nil when there is no row.
  public func value(_ sql: String, _ bindings: Value...) throws(SQLiteError) -> Value? {
    let statement = try cached(sql)
    try statement.bind(bindings)
    return try statement.step() ? statement.value(at: 0) : nil
  }

  /// Runs one statement to its end.
  public func run(_ sql: String, _ bindings: Value...) throws(SQLiteError) {
    let statement = try cached(sql)
    try statement.bind(bindings)
    try statement.run()
  }
}
