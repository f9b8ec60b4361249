import MartletSQLite

/// Limits one write: its running time and the number of rows it changes. SQLite calls the progress
/// handler about every 1,000 virtual machine steps, also in the middle of a statement, and
/// interrupts the statement if a limit is exceeded
/// (https://sqlite.org/c3ref/progress_handler.html). The write is then rolled back.
final class WriteBudget: RowGuard {
  struct Limits {
    /// The maximum running time, in nanoseconds.
    var time: UInt64
    /// The maximum number of inserted, updated and deleted rows, including rows changed by triggers
    /// and rows of a full-text index.
    var rows: Int
    /// How long a write may run in a group with others, in nanoseconds. A longer write is rolled
    /// back and runs again alone, so that the others do not wait for it.
    var shared: UInt64
    /// How long a write that runs alone may delay the queue, in nanoseconds. It is interrupted
    /// early enough to be rolled back before the queued writes time out. Time that they waited
    /// before this write started does not count. A client in debt may delay other clients for less
    /// time (``WriterDebts``).
    var others: UInt64
    /// The maximum size of a write's response, in bytes of JSON.
    var result: Int
  }

  /// The state of the writer that the budget depends on.
  struct Surroundings {
    /// Whether the store is closing and its deadline has passed.
    var isOver: () -> Bool
    /// The admission time of the oldest queued write, on the steady clock; with a client, of the
    /// oldest one that is not that client's.
    var oldestWrite: (_ besides: Int?) -> UInt64?
    /// How long a write of a client may delay other clients at a time, in nanoseconds.
    var allowance: (_ client: Int, _ now: UInt64) -> UInt64
  }

  /// Why the write was interrupted.
  enum Excess {
    /// The write takes too long to share a group.
    case shared
    case refused(WriteError)
  }

  private let limits: Limits
  private let recorder: ChangeRecorder
  private let surroundings: Surroundings
  @exclusivity(unchecked) private var start: UInt64 = 0
  @exclusivity(unchecked) private var deadline = UInt64.max
  @exclusivity(unchecked) private var lastChange = Int.max
  @exclusivity(unchecked) private var isAlone = true
  @exclusivity(unchecked) private var client = 0
  @exclusivity(unchecked) private var allowance = UInt64.max
  /// When the queue is checked next, which costs more than the rest.
  @exclusivity(unchecked) private var nextCheck: UInt64 = 0
  @exclusivity(unchecked) private(set) var excess: Excess?

  private init(_ recorder: ChangeRecorder, _ limits: Limits, _ surroundings: Surroundings) {
    self.recorder = recorder
    self.limits = limits
    self.surroundings = surroundings
  }

  static func install(
    on connection: Connection, _ recorder: ChangeRecorder, _ limits: Limits,
    _ surroundings: Surroundings
  ) -> WriteBudget {
    let budget = WriteBudget(recorder, limits, surroundings)
    connection.onProgress(every: 1_000) { budget.allowsMore() }
    connection.rowGuard = budget
    return budget
  }

  func row(bytes: Int) throws {
    guard bytes <= limits.result else { throw ReadError.tooLarge(limit: limits.result) }
  }

  func begin(isAlone: Bool, client: Int) {
    self.isAlone = isAlone
    self.client = client
    excess = nil
    let time = isAlone ? limits.time : min(limits.shared, limits.time)
    start = steadyNanoseconds()
    allowance = isAlone ? surroundings.allowance(client, start) : .max
    nextCheck = isAlone ? start + min(allowance, limits.others, .max / 2) : .max
    deadline = start + min(time, .max / 2)
    lastChange = recorder.rowsChanged + limits.rows
  }

  func end() { deadline = .max }

  /// Whether this write has delayed a queued write for longer than it may.
  private func delaysOthers(_ now: UInt64) -> Bool {
    nextCheck = now + Self.pause
    func hasDelayed(_ oldest: @autoclosure () -> UInt64?, by limit: UInt64) -> Bool {
      guard now - start > limit, let oldest = oldest() else { return false }
      return now > oldest && now - oldest > limit
    }
    return hasDelayed(surroundings.oldestWrite(nil), by: limits.others)
      || hasDelayed(surroundings.oldestWrite(client), by: allowance)
  }

  /// How long it takes until the client owes nothing, with what it owes for this write.
  private func timeToPay(at now: UInt64) -> Duration {
    let owed = limits.others - min(limits.others, surroundings.allowance(client, now))
    let (time, isTooLong) = min(owed + (now - start), limits.others)
      .multipliedReportingOverflow(by: WriterDebts.timeToPay)
    return .nanoseconds(Int64(clamping: isTooLong || client == 0 ? 0 : time))
  }

  /// The time between two checks of the queue, in nanoseconds.
  private static let pause: UInt64 = 1_000_000

  private func allowsMore() -> Bool {
    // No limit applies between two writes, in COMMIT, and in a rollback.
    guard deadline != .max else { return true }
    if excess != nil { return false }
    let now = steadyNanoseconds()
    if recorder.rowsChanged > lastChange {
      excess = .refused(.tooManyRows(limit: limits.rows))
    } else if now > deadline {
      excess = isAlone ? .refused(.overTime(limit: .nanoseconds(limits.time))) : .shared
    } else if surroundings.isOver() {
      excess = .refused(.stopped)
    } else if now > nextCheck, delaysOthers(now) {
      excess = .refused(
        .crowdedOut(after: .nanoseconds(now - start), again: timeToPay(at: now)))
    }
    return excess == nil
  }
}
