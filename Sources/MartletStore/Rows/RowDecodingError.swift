import MartletQueryBuilder
import MartletSQLite

/// A stored value that is not what the Swift type expects: which column, what was there, in which
/// statement.
public struct RowDecodingError: Error, CustomStringConvertible, Sendable {
  /// `reminders.dueDate`, or the column's name in the result where it comes from no table.
  public let column: String
  public let expected: String
  public let found: StorageClass
  public let value: Value
  public let sql: String
  /// What a type that reads itself says of it.
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
