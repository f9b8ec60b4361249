import Glibc
import MartletSQLite
import MartletTime

/// Interrupts a connection's statements when their time is over. SQLite looks at it about every
/// thousand instructions; a step of FTS5 may take tens of milliseconds between two looks.
final class ReadBudget: RowGuard {
  /// The read was interrupted so that another client has its turn, and is to begin anew.
  struct Yielded: Error {}

  private let resultLimit: Int
  @exclusivity(unchecked) private var deadline = UInt64.max
  @exclusivity(unchecked) private var isOver = false
  /// From when on it is asked whether the read has to make room, and who is asked.
  @exclusivity(unchecked) private var yieldsFrom = UInt64.max
  @exclusivity(unchecked) private var mustYield: (() -> Bool)?
  @exclusivity(unchecked) private var hasYielded = false
  /// How large the result was when the clock was looked at last, and how many rows there were since.
  @exclusivity(unchecked) private var checkedBytes = 0
  @exclusivity(unchecked) private var rowsSince = 0
  /// Of a read on a thread that others wait for: half of its time, and what the thread had done after that.
  @exclusivity(unchecked) private var pace: UInt64?
  @exclusivity(unchecked) private var seen: ThreadUse?

  private init(resultLimit: Int) { self.resultLimit = resultLimit }

  static func install(on connection: Connection, resultLimit: Int) -> ReadBudget {
    let budget = ReadBudget(resultLimit: resultLimit)
    connection.onProgress(every: 1_000) { budget.allowsMore() }
    connection.rowGuard = budget
    return budget
  }

  /// SQLite does not look while a row's functions run (`highlight` of a long text), which may be most of the time.
  func row(bytes: Int) throws {
    guard bytes <= resultLimit else { throw ReadError.tooLarge(limit: resultLimit) }
    rowsSince += 1
    // Small rows are not worth the clock's time.
    guard deadline != .max, rowsSince >= 16 || bytes < checkedBytes || bytes - checkedBytes >= 4096
    else {
      return
    }
    rowsSince = 0
    checkedBytes = bytes
    guard allowsMore() else { throw SQLiteError(code: SQLITE_INTERRUPT, message: "interrupted") }
  }

  private func allowsMore() -> Bool {
    // Without a budget there is nothing to measure.
    guard deadline != .max else { return true }
    let now = steadyNanoseconds()
    if now >= yieldsFrom, mustYield?() == true {
      hasYielded = true
      return false
    }
    guard now >= deadline else { return true }
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

  /// Runs `body`; throws ``ReadError/overBudget(limit:)`` when it was interrupted.
  ///
  /// `ownWork`: the time counts that the thread works or waits for the disk, and not that in which the machine was busy
  /// with others: a read is not slow because it was held up. Looked at in the middle and at the end.
  ///
  /// `mustYield` is asked again and again, once the read has had ``share``: where it says so, ``Yielded`` is thrown.
  func limiting<T>(
    to limit: Duration?, ownWork: Bool = false, mustYield: (() -> Bool)? = nil,
    _ body: () throws -> T
  ) throws -> T {
    guard let limit else { return try body() }
    let nanoseconds = limit.wholeNanoseconds
    pace = ownWork ? nanoseconds / 2 : nil
    seen = nil
    let start = steadyNanoseconds()
    deadline = start &+ (pace ?? nanoseconds)
    self.mustYield = mustYield
    yieldsFrom = mustYield == nil ? .max : start + ReadBudget.share
    isOver = false
    hasYielded = false
    checkedBytes = 0
    defer {
      deadline = .max
      self.mustYield = nil
    }
    do {
      let result = try body()
      // A closure that swallowed the interruption has not seen all rows.
      if isOver || hasYielded { throw interruption(limit) }
      return result
    } catch  where isOver || hasYielded {
      throw interruption(limit)
    }
  }

  /// What a read has before it may have to make room for another client's, in nanoseconds.
  private static let share: UInt64 = 50_000_000

  private func interruption(_ limit: Duration) -> any Error {
    hasYielded ? Yielded() : ReadError.overBudget(limit: limit)
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
