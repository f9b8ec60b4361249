/// How often a limit has worked, told at most once a second: a client that asks again and again must not fill
/// the log.
struct RefusalCount {
  private static let pause: UInt64 = 1_000_000_000

  private var told: UInt64?
  private var count = 0

  /// Counts one more at `now`, in nanoseconds. Gives how many there were since the last time it gave a number;
  /// `nil` within a second of that.
  mutating func add(at now: UInt64) -> Int? {
    count += 1
    if let told, now < told + RefusalCount.pause { return nil }
    told = now
    defer { count = 0 }
    return count
  }
}
