import Glibc

/// Who is told of statements that took long.
struct ProfileHook {
  let threshold: UInt64
  let body: (String, UInt64) -> Void
}

extension Connection {
  /// Calls `body` when a statement has ended that took `threshold` nanoseconds or longer, with its SQL as it was written
  /// and the nanoseconds it took, the time between two steps included. Nil removes it.
  ///
  /// Measured here and not by `sqlite3_trace_v2`, which would tell of each statement that SQLite runs within one: a search
  /// has hundreds. The body must not use the connection.
  public func onProfile(from threshold: UInt64 = 0, _ body: ((String, UInt64) -> Void)?) {
    hooks.profile = body.map { ProfileHook(threshold: threshold, body: $0) }
  }
}

/// Nanoseconds of a clock that nobody sets.
package func steadyNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
