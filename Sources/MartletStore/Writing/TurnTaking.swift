import Glibc
import MartletSQLite

/// When a busy writer lets others have the processor, and the file.
struct TurnTaking {
  /// Since when there was always a further group.
  private var start: UInt64?

  /// How often others have their turn before a group. With one a group of 64 clients is of four writes, with ten of
  /// forty, and then nearly every client waits for it.
  private static let turns = 4
  /// How long writes go on without a pause, in nanoseconds, and the pause, in microseconds.
  private static let longest: UInt64 = 1_000_000_000
  private static let pause: UInt32 = 3_000

  /// On a core that is shared with an event loop, what the loop was doing brings more writes into the group, each of
  /// which then costs less: a commit writes the same pages for three as for ten. Nothing waits where no loop has
  /// anything to do, where it has a core of its own, or where writes come one by one.
  static func yieldToBatch() {
    for _ in 0..<turns { sched_yield() }
  }

  /// Other programs look for the lock every now and then: one that is free for microseconds they would never find.
  mutating func yieldLock() {
    let now = steadyNanoseconds()
    let start = start ?? now
    self.start = start
    guard now - start > TurnTaking.longest else { return }
    usleep(TurnTaking.pause)
    self.start = nil
  }

  /// No group waits.
  mutating func rest() { start = nil }
}
