/// Observes the statements that run on a connection: set it as ``Connection/observer``.
///
/// ``began(_:)`` requires ``Authorizer/collects``.
public protocol StatementObserver: AnyObject {
  /// Called when a statement starts with its values bound, before ``row(of:)`` for its first row.
  func began(_ statement: PreparedStatement)
  /// Called when a statement has reached a row.
  func row(of statement: PreparedStatement)
}
