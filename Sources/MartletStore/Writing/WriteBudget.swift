import MartletSQLite

/// Bounds one write: how long it runs, and how many rows it changes. SQLite asks about every thousand steps of
/// its virtual machine, in the middle of a statement too, and interrupts it when the answer is no
/// (https://sqlite.org/c3ref/progress_handler.html). What the write has changed is then rolled back.
final class WriteBudget: RowGuard {
  struct Limits {
    /// In nanoseconds.
    var time: UInt64
    /// Rows inserted, changed or deleted, those of triggers and of the full-text index among them.
    var rows: Int
    /// How long a write may run beside others of its group, in nanoseconds. One that takes longer runs again,
    /// alone: the others do not wait for it.
    var shared: UInt64
    /// How long one that runs alone may have others wait, in nanoseconds: it is undone before they are told that
    /// they have waited too long, with time left for undoing it. What they waited for before does not count.
    var others: UInt64
    /// Bytes of JSON that the answer to a write may have.
    var result: Int
  }

  /// What the budget asks the writer for.
  struct Surroundings {
    /// Whether the store is closing and waits no longer.
    var isOver: () -> Bool
    /// Since when the write that waits longest does, by the steady clock.
    var oldestWrite: () -> UInt64?
  }

  /// Why the write was interrupted.
  enum Excess {
    /// It is too long for a group.
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

  func begin(isAlone: Bool) {
    self.isAlone = isAlone
    excess = nil
    let time = isAlone ? limits.time : min(limits.shared, limits.time)
    start = steadyNanoseconds()
    deadline = start + min(time, .max / 2)
    lastChange = recorder.rowsChanged + limits.rows
  }

  func end() { deadline = .max }

  /// Whether others that wait since then have waited for half of their patience.
  private func hasWaited(_ now: UInt64, since: UInt64) -> Bool {
    now > since && now - since > limits.others
  }

  private func allowsMore() -> Bool {
    // Between two writes, in COMMIT and in a rollback there is no bound.
    guard deadline != .max else { return true }
    if excess != nil { return false }
    let now = steadyNanoseconds()
    if recorder.rowsChanged > lastChange {
      excess = .refused(.tooManyRows(limit: limits.rows))
    } else if now > deadline {
      excess = isAlone ? .refused(.overTime(limit: .nanoseconds(limits.time))) : .shared
    } else if surroundings.isOver() {
      excess = .refused(.stopped)
    } else if isAlone, hasWaited(now, since: start),
      let since = surroundings.oldestWrite(), hasWaited(now, since: since)
    {
      excess = .refused(.crowdedOut(after: .nanoseconds(now - start)))
    }
    return excess == nil
  }
}
