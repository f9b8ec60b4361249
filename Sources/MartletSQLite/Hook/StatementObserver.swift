/// Told of the statements that run on a connection whose authorizer collects what they read:
/// ``Connection/observer``.
public protocol StatementObserver: AnyObject {
  /// A statement runs, with its values bound: before its first row is told.
  func began(_ statement: PreparedStatement)
  /// It has come to a row.
  func row(of statement: PreparedStatement)
}
