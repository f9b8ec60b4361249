import Glibc

/// The callback for slow statements.
struct ProfileHook {
  let threshold: UInt64
  let body: (String, UInt64) -> Void
}

extension Connection {
  /// Calls `body` after each statement that took at least `threshold` nanoseconds, with its SQL and
  /// its duration in nanoseconds. `nil` removes the hook.
  ///
  /// The duration includes the time between steps. It is measured here instead of with
  /// `sqlite3_trace_v2`, which also reports the statements that SQLite runs internally: a full-text
  /// search has hundreds. The body must not use the connection.
  public func onProfile(from threshold: UInt64 = 0, _ body: ((String, UInt64) -> Void)?) {
    hooks.profile = body.map { ProfileHook(threshold: threshold, body: $0) }
  }
}

/// The time of the monotonic clock, in nanoseconds.
package func steadyNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Observes the statements that run on a connection: set it as ``Connection/observer``.
///
/// ``began(_:)`` requires ``Authorizer/collects``.
public protocol StatementObserver: AnyObject {
  /// Called when a statement starts with its values bound, before ``row(of:)`` for its first row.
  func began(_ statement: PreparedStatement)
  /// Called when a statement has reached a row.
  func row(of statement: PreparedStatement)
}
