import Dispatch
import Glibc
import MartletTime
import Synchronization

/// One wall-clock timer, for the first instant at which the clock changes a result.
///
/// The timer counts the wall clock's time and not the machine's: when the clock is set, or the machine
/// has slept, it fires when the clock says so.
final class ClockSchedule: Sendable {
  private struct Pending {
    var timer: (any DispatchSourceTimer)?
    var instant: Instant?
    /// Tells a timer that was replaced while it fired from the one that replaced it.
    var generation: UInt64 = 0
  }

  private let clock: Clock
  private let queue = DispatchQueue(label: "live.clock")
  private let pending = Mutex(Pending())

  init(_ clock: Clock) { self.clock = clock }

  deinit { pending.withLock { $0.timer?.cancel() } }

  /// Calls `body` with the time when `instant` has come; replaces what was scheduled before.
  func wake(at instant: Instant?, _ body: @escaping @Sendable (Instant) -> Void) {
    pending.withLock { pending in
      guard pending.instant != instant else { return }
      pending.timer?.cancel()
      pending.timer = nil
      pending.instant = instant
      pending.generation += 1
      let generation = pending.generation
      guard let instant else { return }
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(wallDeadline: ClockSchedule.deadline(instant), leeway: .milliseconds(1))
      timer.setEventHandler { [weak self] in self?.fired(generation, body) }
      timer.resume()
      pending.timer = timer
    }
  }

  private func fired(_ generation: UInt64, _ body: @Sendable (Instant) -> Void) {
    pending.withLock { pending in
      guard pending.generation == generation else { return }
      pending.timer = nil
      pending.instant = nil
    }
    // A timer may be a little early by this clock.
    body(clock.now().adding(milliseconds: 2))
  }

  private static func deadline(_ instant: Instant) -> DispatchWallTime {
    let milliseconds = instant.milliseconds
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return DispatchWallTime(
      timespec: timespec(tv_sec: Int(seconds), tv_nsec: Int(rest) * 1_000_000))
  }
}
