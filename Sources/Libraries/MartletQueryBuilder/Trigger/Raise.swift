/// Rejects the change that fired a trigger: `SELECT RAISE(ABORT, 'too many tags')`
/// (https://sqlite.org/lang_createtrigger.html#raise).
public struct Raise: Statement {
  public typealias Output = Never

  /// The consequence for the statement that fired the trigger.
  public enum Action: Sendable {
    /// The statement is undone. The transaction continues.
    case abort
    /// The statement stops. Its changes so far stay.
    case fail
    /// This row is skipped, without an error.
    case ignore
    /// The whole transaction is rolled back, with all other writes of the same group commit.
    case rollback
  }

  public let query: Query

  /// Creates the statement. SQLite reports `message` as the error; with `ignore` there is no error.
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
