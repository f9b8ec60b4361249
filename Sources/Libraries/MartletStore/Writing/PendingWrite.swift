import Dispatch
import MartletSQLite

/// A queued write: the closure to run, and the handler of its result.
///
/// Both are called on the writer's thread, except that `answer` of a write that was not executed
/// may be called on another one. `run` may be called several times, `answer` exactly once, and
/// without an error only after the commit.
struct PendingWrite: Sendable {
  let run: @Sendable (Connection) throws -> Void
  let answer: @Sendable ((any Error)?) -> Void
}

extension PendingWrite {
  /// Creates a write whose caller does not block.
  init<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) {
    let result = LastResult<T>()
    self.init(
      run: { result.value = try body($0) },
      answer: { error in
        // Without an error, the last run has returned a value.
        completion(error.map { .failure($0) } ?? .success(result.value!))
      })
  }
}

/// The value that the last run of a write returned.
///
/// `@unchecked Sendable`: used on the writer's thread only.
private final class LastResult<T>: @unchecked Sendable {
  var value: T?
}

/// A write whose caller blocks until the result arrives.
///
/// `@unchecked Sendable`: the caller reads the result only after the semaphore was signalled.
final class BlockingWrite<T>: @unchecked Sendable {
  private var body: ((Connection) throws -> T)?
  private var value: T?
  private var error: (any Error)?
  private let answered = DispatchSemaphore(value: 0)

  init(_ body: @escaping (Connection) throws -> T) { self.body = body }

  var pending: PendingWrite {
    PendingWrite(
      run: { self.value = try self.body!($0) },
      answer: { error in
        self.error = error
        // The closure must not outlive the caller's frame, which continues after the signal.
        self.body = nil
        self.answered.signal()
      })
  }

  /// Releases the closure of a write that was not admitted.
  func abandon() { body = nil }

  func wait() throws -> T {
    answered.wait()
    if let error { throw error }
    return value!
  }
}
