import MartletQueryBuilder
import MartletSQLite

/// A call from SQL whose argument is not what the Swift function takes.
public struct ArgumentError: Error, CustomStringConvertible, Sendable {
  public let function: String
  public let problem: DecodingProblem
  public let value: Value

  public var description: String {
    """
    expected argument \(problem.column + 1) of \(function) to be \(problem.expected)\
    \(problem.reason.map { " (\($0))" } ?? ""), but it is \(value) (\(problem.found))
    """
  }
}
