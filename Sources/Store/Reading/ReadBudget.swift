import Glibc
import SQLite

/// Interrupts a connection's statements when their time is over. SQLite looks at it about every
/// thousand instructions; a step of FTS5 may take tens of milliseconds between two looks.
final class ReadBudget {
  private var deadline = UInt64.max
  private var isOver = false
  /// Of a read on a thread that others wait for: half of its time, and what the thread had done after that.
  private var pace: UInt64?
  private var seen: ThreadUse?

  static func install(on connection: Connection) -> ReadBudget {
    let budget = ReadBudget()
    connection.onProgress(every: 1_000) { budget.allowsMore() }
    return budget
  }

  private func allowsMore() -> Bool {
    // Without a budget there is nothing to measure.
    guard deadline != .max, steadyNanoseconds() >= deadline else { return true }
    if let pace {
      let use = ThreadUse.now
      let start = seen ?? use
      seen = start
      if !use.hasWorked(pace - pace / 4, since: start) {
        deadline = steadyNanoseconds() &+ pace
        return true
      }
    }
    isOver = true
    return false
  }

  /// Runs `body`; throws ``ReadError/overBudget(nanoseconds:)`` when it was interrupted.
  ///
  /// `ownWork`: the time counts that the thread works or waits for the disk, and not that in which the machine was busy
  /// with others: a read is not slow because it was held up. Looked at in the middle and at the end.
  func limiting<T>(
    to nanoseconds: UInt64?, ownWork: Bool = false, _ body: () throws -> T
  ) throws -> T {
    guard let nanoseconds else { return try body() }
    pace = ownWork ? nanoseconds / 2 : nil
    seen = nil
    deadline = steadyNanoseconds() &+ (pace ?? nanoseconds)
    isOver = false
    defer { deadline = .max }
    do {
      let result = try body()
      // A closure that swallowed the interruption has not seen all rows.
      if isOver { throw ReadError.overBudget(nanoseconds: nanoseconds) }
      return result
    } catch  where isOver {
      throw ReadError.overBudget(nanoseconds: nanoseconds)
    }
  }
}

/// What the thread has had of the machine (https://man7.org/linux/man-pages/man2/getrusage.2.html).
struct ThreadUse {
  let nanoseconds: UInt64
  /// How often it waited for something, as for the disk.
  let waits: Int

  static var now: ThreadUse {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    var usage = rusage()
    // RUSAGE_THREAD, which glibc shows to GNU programs alone. Its times are those of the last tick.
    getrusage(1, &usage)
    return ThreadUse(
      nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec),
      waits: usage.ru_nvcsw)
  }

  /// Whether it has worked for so long, or waited. What else went by, others had.
  func hasWorked(_ span: UInt64, since start: ThreadUse) -> Bool {
    waits != start.waits || nanoseconds - start.nanoseconds >= span
  }
}
