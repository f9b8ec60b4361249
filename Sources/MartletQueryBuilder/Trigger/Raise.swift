/// Refuses the change that fired a trigger: `SELECT RAISE(ABORT, 'too many tags')`
/// (https://sqlite.org/lang_createtrigger.html#raise).
public struct Raise: Statement {
  public typealias Output = Never

  /// What becomes of the statement that fired the trigger.
  public enum Action: Sendable {
    /// Undone; the transaction goes on.
    case abort
    /// Stopped; what it did before stays.
    case fail
    /// This row is passed over, without an error.
    case ignore
    /// The whole transaction ends: with it every other write of the same group commit.
    case rollback
  }

  public let query: Query

  public init(_ action: Action, _ message: String = "") {
    let message = QueryFragment(raw: quoted(literal: message))
    let call: QueryFragment =
      switch action {
      case .abort: "ABORT, \(message)"
      case .fail: "FAIL, \(message)"
      case .ignore: "IGNORE"
      case .rollback: "ROLLBACK, \(message)"
      }
    query = Query("SELECT RAISE(\(call))")
  }
}
