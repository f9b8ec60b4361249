import Glibc
import MartletSQLite
import MartletTime

/// Interrupts a connection's statements when their time is up. SQLite checks about every 1,000
/// virtual machine instructions; a step of FTS5 can take tens of milliseconds between two checks.
final class ReadBudget: RowGuard {
  /// The read was interrupted to let another client run, and has to be restarted.
  struct Yielded: Error {}

  private let resultLimit: Int
  @exclusivity(unchecked) private var deadline = UInt64.max
  @exclusivity(unchecked) private var isOver = false
  /// The time from which `mustYield` is called.
  @exclusivity(unchecked) private var yieldsFrom = UInt64.max
  @exclusivity(unchecked) private var mustYield: (() -> Bool)?
  @exclusivity(unchecked) private var hasYielded = false
  /// The size of the result at the last time check, and the number of rows since.
  @exclusivity(unchecked) private var checkedBytes = 0
  @exclusivity(unchecked) private var rowsSince = 0
  /// Set for a read that counts only its own work: half of the limit, and what the thread had used
  /// when that was first reached.
  @exclusivity(unchecked) private var pace: UInt64?
  @exclusivity(unchecked) private var seen: ThreadUse?

  private init(resultLimit: Int) { self.resultLimit = resultLimit }

  static func install(on connection: Connection, resultLimit: Int) -> ReadBudget {
    let budget = ReadBudget(resultLimit: resultLimit)
    connection.onProgress(every: 1_000) { budget.allowsMore() }
    connection.rowGuard = budget
    return budget
  }

  /// Checks the limits after each row. SQLite's progress handler does not run inside the functions
  /// of a row (such as `highlight` on a long text), which can take most of the time.
  func row(bytes: Int) throws {
    guard bytes <= resultLimit else { throw ReadError.tooLarge(limit: resultLimit) }
    rowsSince += 1
    // Reading the clock for each small row would cost too much.
    guard deadline != .max, rowsSince >= 16 || bytes < checkedBytes || bytes - checkedBytes >= 4096
    else {
      return
    }
    rowsSince = 0
    checkedBytes = bytes
    guard allowsMore() else { throw SQLiteError(code: SQLITE_INTERRUPT, message: "interrupted") }
  }

  private func allowsMore() -> Bool {
    // No read with a time limit is running.
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

  /// Runs `body` and throws ``ReadError/overBudget(limit:)`` if it was interrupted.
  ///
  /// With `ownWork`, only the time counts in which the thread works or waits for the disk, so a
  /// read is not interrupted because the machine was busy. It is checked halfway and at the end.
  ///
  /// Once the read has run for ``share``, `mustYield` is polled. When it returns true, ``Yielded``
  /// is thrown.
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
      // The closure may have swallowed the interruption, but then it has not seen all rows.
      if isOver || hasYielded { throw interruption(limit) }
      return result
    } catch  where isOver || hasYielded {
      throw interruption(limit)
    }
  }

  /// How long a read runs before it may have to yield to another client, in nanoseconds.
  private static let share: UInt64 = 50_000_000

  private func interruption(_ limit: Duration) -> any Error {
    hasYielded ? Yielded() : ReadError.overBudget(limit: limit)
  }
}

/// The resources that the calling thread has used
/// (https://man7.org/linux/man-pages/man2/getrusage.2.html).
package struct ThreadUse {
  let nanoseconds: UInt64
  /// The number of voluntary context switches, such as waits for the disk.
  let waits: Int

  /// The use of the calling thread until now.
  package static var now: ThreadUse {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    var usage = rusage()
    // 1 is `RUSAGE_THREAD`, which glibc defines only for `_GNU_SOURCE`. Its CPU times have tick
    // resolution, hence the clock above.
    getrusage(1, &usage)
    return ThreadUse(
      nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec),
      waits: usage.ru_nvcsw)
  }

  /// The cost in nanoseconds of what has lasted for `duration`: the CPU time, unless the thread
  /// waited. The rest of the time was used by other processes.
  package func cost(since start: ThreadUse, of duration: UInt64) -> UInt64 {
    waits == start.waits ? min(nanoseconds - start.nanoseconds, duration) : duration
  }

  /// Whether the thread used the CPU for at least `span` nanoseconds, or waited. Otherwise other
  /// processes used the time.
  func hasWorked(_ span: UInt64, since start: ThreadUse) -> Bool {
    waits != start.waits || nanoseconds - start.nanoseconds >= span
  }
}
