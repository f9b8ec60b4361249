import MartletQueryBuilder
import MartletSQLite

/// SQL called a Swift function with an argument that cannot be converted to the parameter's type.
public struct ArgumentError: Error, CustomStringConvertible, Sendable {
  /// The SQL name of the function.
  public let function: String
  /// The type that was expected, the storage class that was found, and the argument's position.
  public let problem: DecodingProblem
  /// The argument as SQLite passed it.
  public let value: Value

  public var description: String {
    """
    expected argument \(problem.column + 1) of \(function) to be \(problem.expected)\
    \(problem.reason.map { " (\($0))" } ?? ""), but it is \(value) (\(problem.found))
    """
  }
}
