import MartletQueryBuilder
import MartletSQLite

/// A stored value that does not match the expected Swift type, with its column and statement.
public struct RowDecodingError: Error, CustomStringConvertible, Sendable {
  /// The table and column, such as `reminders.dueDate`. For an expression, its name in the result.
  public let column: String
  /// The Swift type that was expected.
  public let expected: String
  /// The storage class of the value.
  public let found: StorageClass
  /// The value that was found.
  public let value: Value
  /// The SQL of the statement.
  public let sql: String
  /// The explanation given by a type with custom decoding; otherwise `nil`.
  public let reason: String?

  init(_ problem: DecodingProblem, _ statement: PreparedStatement, _ columns: [ResultColumn]) {
    let index = Int(problem.column)
    let handle = statement.handle
    if let table = sqlite3_column_table_name(handle, problem.column),
      let origin = sqlite3_column_origin_name(handle, problem.column)
    {
      column = "\(String(cString: table)).\(String(cString: origin))"
    } else if index < columns.count, !columns[index].name.isEmpty {
      column = columns[index].name
    } else {
      column = "column \(index + 1)"
    }
    expected = problem.expected
    found = problem.found
    value = index < statement.columnCount ? statement.value(at: index) : .null
    sql = statement.sql
    reason = problem.reason
  }

  public var description: String {
    let reason = reason.map { " (\($0))" } ?? ""
    return
      "expected \(column) to be \(expected)\(reason), but it holds \(value) (\(found)), in: \(sql)"
  }
}
