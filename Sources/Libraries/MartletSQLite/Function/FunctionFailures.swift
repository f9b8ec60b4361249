/// The last Swift error thrown by a function, stored until the failed statement takes it.
///
/// The connection and its functions share it, because on a handle that is not owned, functions can
/// outlive the connection object.
final class FunctionFailures {
  private var last: (error: any Error, message: String)?

  /// Stores an error and returns its message for SQLite.
  func note(_ error: any Error) -> String {
    let described = error as? DescribedError
    let message =
      described?.message ?? (error as? SQLiteError)?.message ?? String(describing: error)
    last = (described?.cause ?? error, message)
    return message
  }

  /// Removes the stored error and returns it if its message is the statement's.
  func take(for message: String) -> (any Error)? {
    defer { last = nil }
    return last?.message == message ? last?.error : nil
  }
}

/// An error with the message that SQLite receives. The caller of the statement gets the cause.
package struct DescribedError: Error {
  /// The error that the caller of the statement gets.
  package let cause: any Error
  /// The message that SQLite receives.
  package let message: String

  /// Gives an error another message.
  package init(_ cause: any Error, message: String) {
    self.cause = cause
    self.message = message
  }
}
