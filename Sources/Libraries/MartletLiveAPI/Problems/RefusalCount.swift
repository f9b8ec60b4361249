/// Counts refused requests and reports the count at most once a second, so that a client that keeps
/// retrying cannot fill the log.
struct RefusalCount {
  private static let pause: UInt64 = 1_000_000_000

  private var told: UInt64?
  private var count = 0

  /// Counts one refusal at `now`, in nanoseconds of the monotonic clock.
  ///
  /// Returns the number of refusals since the last report, or `nil` within a second of it.
  mutating func add(at now: UInt64) -> Int? {
    count += 1
    if let told, now < told + RefusalCount.pause { return nil }
    told = now
    defer { count = 0 }
    return count
  }
}
