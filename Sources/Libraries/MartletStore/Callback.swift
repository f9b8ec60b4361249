import Synchronization

/// A callback that is set after its owner was created, and that any thread can call.
///
/// Use it instead of a `Mutex` of a function type. `withLock` passes its state as a generic `inout`
/// argument, so Swift 6.3 converts a function to the generic calling convention and back at each
/// access, and both conversions stay in the stored value: each call is slower than the one before,
/// until the stack overflows. A struct around the function is not converted. `scripts/structure`
/// refuses the other forms (decision 0039).
package final class Callback<Input, Failure: Error>: Sendable {
  package typealias Body = @Sendable (Input) throws(Failure) -> Void

  private struct Stored: Sendable { let body: Body }

  private let stored = Mutex<Stored?>(nil)

  /// Creates a callback that does nothing.
  package init() {}

  /// Replaces the function to call; `nil`: none.
  package func set(_ body: Body?) {
    // The previous function is released outside the lock, because it can hold anything.
    let previous = stored.withLock { stored in
      defer { stored = body.map { Stored(body: $0) } }
      return stored
    }
    _ = consume previous
  }

  /// Calls the function, without holding the lock.
  package func callAsFunction(_ input: Input) throws(Failure) {
    try stored.withLock { $0 }?.body(input)
  }
}

extension Callback where Input == Void {
  package func callAsFunction() throws(Failure) { try self(()) }
}
