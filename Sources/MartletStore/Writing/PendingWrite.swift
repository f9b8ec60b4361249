import Dispatch
import MartletSQLite

/// A write on its way: what it does, and who is told. Both are called on the writer's thread, `answer` of a write
/// that did not run on another one; `run` perhaps several times, `answer` once, without an error only after the
/// commit.
struct PendingWrite: Sendable {
  let run: @Sendable (Connection) throws -> Void
  let answer: @Sendable ((any Error)?) -> Void
}

extension PendingWrite {
  /// A write whose caller does not wait.
  init<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) {
    let result = LastResult<T>()
    self.init(
      run: { result.value = try body($0) },
      answer: { error in
        // No error means that the last run gave a value.
        completion(error.map { .failure($0) } ?? .success(result.value!))
      })
  }
}

/// What the last run of a write gave.
///
/// `@unchecked Sendable`: used on the writer's thread alone.
private final class LastResult<T>: @unchecked Sendable {
  var value: T?
}

/// A write whose caller blocks until it is answered.
///
/// `@unchecked Sendable`: the caller only reads `result`, and only after the semaphore was
/// signalled.
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
        // The closure may not outlive the caller's frame, which goes on when the signal comes.
        self.body = nil
        self.answered.signal()
      })
  }

  /// Lets go of the closure of a write that was not admitted.
  func abandon() { body = nil }

  func wait() throws -> T {
    answered.wait()
    if let error { throw error }
    return value!
  }
}
