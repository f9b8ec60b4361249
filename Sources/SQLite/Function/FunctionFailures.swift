/// The Swift error that a function threw last, until the statement that failed by it asks.
///
/// Shared by a connection and its functions: a function may outlive the connection object when the
/// handle is someone else's.
final class FunctionFailures {
  private var last: (error: any Error, message: String)?

  /// Notes an error and gives the message that SQLite is told.
  func note(_ error: any Error) -> String {
    let message = (error as? SQLiteError)?.message ?? String(describing: error)
    last = (error, message)
    return message
  }

  /// The noted error, if it is the one that a statement failed with.
  func take(for message: String) -> (any Error)? {
    defer { last = nil }
    return last?.message == message ? last?.error : nil
  }
}
