/// The Swift error that a function threw last, until the statement that failed by it asks.
///
/// Shared by a connection and its functions: a function may outlive the connection object when the
/// handle is someone else's.
final class FunctionFailures {
  private var last: (error: any Error, message: String)?

  /// Notes an error and gives the message that SQLite is told.
  func note(_ error: any Error) -> String {
    let described = error as? DescribedError
    let message =
      described?.message ?? (error as? SQLiteError)?.message ?? String(describing: error)
    last = (described?.cause ?? error, message)
    return message
  }

  /// The noted error, if it is the one that a statement failed with.
  func take(for message: String) -> (any Error)? {
    defer { last = nil }
    return last?.message == message ? last?.error : nil
  }
}

/// An error of a function with the message that SQLite is told of it. Whoever runs the statement gets the cause.
package struct DescribedError: Error {
  package let cause: any Error
  package let message: String

  package init(_ cause: any Error, message: String) {
    self.cause = cause
    self.message = message
  }
}
