import Glibc
import MartletSQLite

/// Decides when a busy writer yields the CPU and the file lock.
struct WriterYield {
  /// The time since which groups have followed one another without a pause.
  private var start: UInt64?

  /// How many times the writer yields before it starts a group. Of 64 clients, a single yield
  /// collects 4 writes into a group and ten yields collect 40, but then almost every client waits
  /// for that group.
  private static let turns = 4
  /// The duration of uninterrupted writing after which the writer pauses (nanoseconds), and the
  /// length of the pause (microseconds).
  private static let longest: UInt64 = 1_000_000_000
  private static let pause: UInt32 = 3_000

  /// Yields the CPU so that more writes join the next group. A commit writes nearly the same pages
  /// for ten writes as for three, so each write of a larger group costs less.
  ///
  /// This yields only under contention with the event loops: if they are idle or run on another
  /// core, it returns at once. It is not called for single writes.
  static func yieldToBatch() {
    for _ in 0..<turns { sched_yield() }
  }

  /// Releases the file lock for a moment after a long run of groups. Other programs poll the lock,
  /// and would never find it free if it were free only for microseconds.
  mutating func yieldLock() {
    let now = steadyNanoseconds()
    let start = start ?? now
    self.start = start
    guard now - start > WriterYield.longest else { return }
    usleep(WriterYield.pause)
    self.start = nil
  }

  /// Notes that no group is waiting.
  mutating func rest() { start = nil }
}
