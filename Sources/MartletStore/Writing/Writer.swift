import Dispatch
import Glibc
import MartletSQLite
import MartletTime
import Synchronization

/// Owns the only connection that writes. Ensures that a successful result is reported only after
/// its commit is durable.
///
/// `@unchecked Sendable`: everything except `line`, `listeners`, `clock`, `files` and the atomics
/// is used only on `queue`.
final class Writer: @unchecked Sendable {
  let clock: CommitClock
  let listeners = CommitListeners()
  private let queue = DispatchQueue(label: "store.writer", qos: .userInitiated)
  private let isWriterThread = DispatchSpecificKey<ObjectIdentifier>()
  private let line: WaitingWrites
  private let onEvent: @Sendable (StoreEvent) -> Void
  private let groupNanoseconds: UInt64
  /// The queue timeout in nanoseconds.
  private let timeout: UInt64
  private var connection: Connection?
  /// The number of writes in the last group.
  private var lastGroup = 0
  private var turns = WriterYield()
  private let transaction: GroupTransaction
  private let log: WALCheckpointer
  private let timer: any DispatchSourceTimer
  /// Handles queue timeouts and lost files, which must not wait for a busy writer.
  private let beside = DispatchQueue(label: "store.beside", qos: .userInitiated)
  private let fileTimer: any DispatchSourceTimer
  private let files: FileWatch
  /// The start time of the current group; 0 while the writer is idle.
  private let groupSince = Atomic<UInt64>(0)
  /// Whether another program held the lock when the last group began.
  private let foundLocked = Atomic(false)
  private let closing = ClosingTime()
  /// Whether a file of the database is gone. Further commits would be lost.
  private let isLost = Atomic(false)
  private var aroundAnswers: @Sendable (() -> Void) -> Void = { $0() }

  init(
    connection: Connection, path: String, recorder: ChangeRecorder, settings: Settings,
    clock: CommitClock,
    onEvent: @escaping @Sendable (StoreEvent) -> Void
  ) throws(SQLiteError) {
    self.clock = clock
    self.onEvent = onEvent
    self.connection = connection
    groupNanoseconds = settings.groupTime.wholeNanoseconds
    timeout = settings.writeQueueTimeout.wholeNanoseconds
    line = WaitingWrites(
      limits: .init(
        waiting: settings.writeQueueLimit, group: settings.groupLimit, timeout: timeout))
    let budget = WriteBudget.install(
      on: connection, recorder,
      .init(
        time: settings.writeTimeout > .zero ? settings.writeTimeout.wholeNanoseconds : .max,
        rows: settings.writeRows > 0 ? settings.writeRows : .max / 2,
        shared: max(groupNanoseconds, 1_000_000) * 10, others: timeout / 2,
        result: settings.resultBytes),
      .init(
        isOver: { [closing] in closing.isOver },
        oldestWrite: { [line] in line.oldest }))
    transaction = try GroupTransaction(
      connection, recorder: recorder, budget: budget, log: settings.changeLog)
    // The connection has read by now, so the WAL exists.
    files = FileWatch(path)
    log = try WALCheckpointer(connection, limit: settings.checkpointFrames, clock: clock)
    timer = DispatchSource.makeTimerSource(queue: queue)
    fileTimer = DispatchSource.makeTimerSource(queue: beside)
    queue.setSpecific(key: isWriterThread, value: ObjectIdentifier(self))
    timer.schedule(
      deadline: .now(), repeating: .milliseconds(settings.otherWritersInterval.wholeMilliseconds),
      leeway: .milliseconds(10))
    timer.setEventHandler { [weak self] in self?.maintain() }
    timer.activate()
    fileTimer.schedule(
      deadline: .now(), repeating: .milliseconds(500), leeway: .milliseconds(50))
    fileTimer.setEventHandler { [weak self] in self?.checkFiles() }
    fileTimer.activate()
  }

  deinit {
    timer.cancel()
    fileTimer.cancel()
  }

  /// Whether the caller is on the writer's thread, where waiting for a write would deadlock.
  var isCurrent: Bool { DispatchQueue.getSpecific(key: isWriterThread) == ObjectIdentifier(self) }

  /// The number of queued writes.
  var waiting: Int { line.count }

  /// Whether another program held the lock when the last group began.
  var isBlocked: Bool { foundLocked.load(ordering: .relaxed) }
  /// How long the current group has been running; `nil` while the writer is idle.
  var groupAge: Duration? {
    let since = groupSince.load(ordering: .relaxed)
    return since == 0 ? nil : .nanoseconds(Int64(clamping: steadyNanoseconds() &- since))
  }

  /// Enqueues a write. Its result is reported on the writer's thread, or on another thread if the
  /// write times out or is evicted without being executed.
  func admit(_ write: PendingWrite, of client: Int = 0) throws(WriteError) {
    if isCurrent, transaction.isInsideClosure { throw .nested }
    let admission = try line.admit(write, of: client, at: steadyNanoseconds())
    if let evicted = admission.evicted {
      // Not on the current thread, which may belong to an event loop.
      beside.async { [waiting] in evicted.write.answer(WriteError.overloaded(waiting: waiting)) }
    }
    if admission.mustSchedule { schedule() }
    if admission.mustTime { expire(after: timeout) }
  }

  // MARK: Timeouts

  /// Schedules a timeout check. It runs beside the writer's queue, so it is not delayed by a long
  /// write.
  private func expire(after nanoseconds: UInt64) {
    let wait = Int(min(nanoseconds, 3_600_000_000_000)) + 1_000_000
    beside.asyncAfter(deadline: .now() + .nanoseconds(wait)) { [weak self] in self?.expire() }
  }

  private func expire() {
    let now = steadyNanoseconds()
    let (expired, oldest) = line.takeExpired(at: now)
    answer(expired: expired)
    if let oldest {
      let end = oldest + timeout
      expire(after: end > now ? end - now : 0)
    }
  }

  private func answer(expired: [WriteQueue<PendingWrite>.Entry]) {
    for entry in expired {
      entry.write.answer(WriteError.expired(after: .nanoseconds(timeout)))
    }
  }

  private func schedule() {
    queue.async {
      if self.lastGroup > 1 { WriterYield.yieldToBatch() }
      self.runGroup()
      // Dispatches again instead of looping, so that the timer's handler can run in between.
      if self.line.endRun() {
        self.turns.yieldLock()
        self.schedule()
      } else {
        self.turns.rest()
      }
    }
  }

  // MARK: The group

  /// Runs one group: take, begin, run in savepoints, commit, notify, report results.
  private func runGroup() {
    if isLost.load(ordering: .acquiring) { return refuseWaiting() }
    guard var group = take() else { return }
    lastGroup = group.entries.count
    groupSince.store(steadyNanoseconds(), ordering: .relaxed)
    defer { groupSince.store(0, ordering: .relaxed) }
    do {
      if let changes = try transaction.begin() { publish(changes) }
      foundLocked.store(false, ordering: .relaxed)
      guard try runWrites(&group) else { return }
      guard group.hasSuccess else {
        try transaction.rollBack()
        return aroundAnswers { group.answer() }
      }
      if isLost.load(ordering: .acquiring) { throw WriteError.stopped }
      clock.begin()
      defer { clock.end() }
      let start = steadyNanoseconds()
      try transaction.commit()
      onEvent(
        .committed(
          writes: group.outcomes.count { $0 == nil },
          duration: .nanoseconds(steadyNanoseconds() - start)))
      listeners.publish(transaction.notice(number: clock.advance()))
    } catch {
      return fail(group, error)
    }
    for action in transaction.takeActions() { action() }
    aroundAnswers { group.answer() }
    listeners.answered()
    keepLog()
  }

  private func take() -> WriteGroup? {
    let taken = line.take(at: steadyNanoseconds())
    answer(expired: taken.expired)
    return taken.group.isEmpty ? nil : WriteGroup(taken.group)
  }

  /// Runs the writes, each so that it can be rolled back alone. Returns false if one of them ended
  /// the transaction: it got its error, and the others were put back at the front of the queue.
  private func runWrites(_ group: inout WriteGroup) throws -> Bool {
    let started = steadyNanoseconds()
    for (index, entry) in group.entries.enumerated() {
      switch transaction.run(entry.write, isAlone: group.entries.count == 1) {
      case .done: group.outcomes.append(nil)
      case .undone(let error): group.outcomes.append(error)
      case .transactionLost(let error):
        try transaction.rollBack()
        let others = group.entries[..<index] + group.entries[(index + 1)...]
        putBack(others)
        if !others.isEmpty { onEvent(.transactionLost(cause: "\(error)", repeated: others.count)) }
        entry.write.answer(error)
        return false
      case .setApart:
        try transaction.rollBack()
        // The interrupted statement may have rolled back the whole transaction, so the writes
        // before it run again too.
        putBack(
          group.entries[..<index] + group.entries[(index + 1)...], proven: index, apart: entry)
        return false
      }
      let rest = group.entries[(index + 1)...]
      if !rest.isEmpty, steadyNanoseconds() - started > groupNanoseconds {
        putBack(rest)
        group.entries.removeLast(rest.count)
        break
      }
    }
    return true
  }

  private func putBack(
    _ entries: ArraySlice<WriteQueue<PendingWrite>.Entry>, proven: Int = 0,
    apart: WriteQueue<PendingWrite>.Entry? = nil
  ) {
    if line.putBack(entries, proven: proven, apart: apart) { expire() }
  }

  /// Handles a group that was not saved, or whose outcome is unknown.
  private func fail(_ group: WriteGroup, _ error: any Error) {
    let reason = error as? WriteError
    switch reason {
    case .outcomeUnknown(let cause):
      stop()
      onEvent(.outcomeUnknown(cause, writes: group.entries.count))
    case .storageFull(let cause): onEvent(.storageFull(cause, writes: group.entries.count))
    case .busy:
      foundLocked.store(true, ordering: .relaxed)
      onEvent(.busy(writes: group.entries.count))
    // Rolls back the open transaction, whose file is gone.
    case .stopped: try? transaction.rollBack()
    case .overloaded, .expired, .overTime, .crowdedOut, .tooManyRows, .nested, .transactionEnded,
      nil:
      break
    }
    aroundAnswers { group.answer(failingWith: error) }
    if case .outcomeUnknown = reason { refuseWaiting() }
  }

  // MARK: Beside the writes

  /// Runs periodically between two groups.
  private func maintain() {
    guard connection != nil, !line.isStopped else { return }
    do throws(SQLiteError) {
      if clock.hasListeners || clock.snapshotCount > 0,
        let changes = try transaction.changesOfOthers()
      {
        publish(changes)
      }
    } catch {
      onEvent(.maintenanceFailed(error))
    }
    keepLog()
  }

  /// Runs periodically beside the writer's queue.
  private func checkFiles() {
    guard let path = files.lostFile() else { return }
    guard !line.stop() else { return }
    isLost.store(true, ordering: .releasing)
    closing.begin(at: 0)
    onEvent(.fileLost(path: path))
    refuseWaiting()
    queue.async { self.stop() }
  }

  /// Publishes a commit of other programs.
  private func publish(_ changes: ForeignChanges) {
    clock.begin()
    defer { clock.end() }
    let number = clock.advance()
    onEvent(.foreignCommit(number: number))
    listeners.publish(
      CommitNotification(
        number: number, everything: changes.everything, isForeign: true, tables: changes.tables))
    listeners.answered()
  }

  private func keepLog() {
    do throws(SQLiteError) {
      if let (frames, checkpointed) = try log.keep() {
        onEvent(.checkpoint(frames: frames, checkpointed: checkpointed))
      }
    } catch  where error.isBusy {
      // Another program is running a checkpoint. The next call checkpoints the rest.
    } catch  where error.isFull {
      // Nothing is lost: the WAL still has all frames, and is checkpointed when there is space.
      // Writes succeed as long as the WAL can grow, and fail individually when it cannot.
      onEvent(.maintenanceFailed(error))
    } catch {
      // After a failed fsync, a later successful one proves nothing
      // (https://lwn.net/Articles/752063/).
      stop()
      onEvent(.checkpointFailed(error))
      refuseWaiting()
    }
  }

  /// Sets the handler that wakes the loops that keep a snapshot.
  func onSnapshotRelease(_ body: @escaping @Sendable () -> Void) {
    queue.async {
      self.log.wake = body
      self.clock.canWake = true
    }
  }

  /// Sets the wrapper around the delivery of a group's results.
  func onAnswers(_ around: @escaping @Sendable (() -> Void) -> Void) {
    queue.async { self.aroundAnswers = around }
  }

  // MARK: The end

  /// Stops all writing. The connection is leaked and not closed: closing would checkpoint the WAL,
  /// whose fsync can no longer be trusted, and delete it. Recovery at the next open decides what
  /// the file contains.
  private func stop() {
    line.stop()
    if let connection { _ = Unmanaged.passRetained(connection) }
    connection = nil
  }

  private func refuseWaiting() {
    for entry in line.takeAll() { entry.write.answer(WriteError.stopped) }
  }

  /// Runs the queued writes, refuses new ones, checkpoints the WAL, and closes the connection.
  /// Writes that do not finish within `timeout` are rolled back and fail with
  /// ``WriteError/stopped``.
  func close(within timeout: Duration? = nil) {
    line.stop()
    if let timeout { closing.begin(at: steadyNanoseconds() + timeout.wholeNanoseconds) }
    let finish: @Sendable () -> Void = {
      while !self.closing.isOver, !self.line.isEmpty { self.runGroup() }
      self.refuseWaiting()
      self.timer.cancel()
      self.fileTimer.cancel()
      self.emptyLog()
      self.connection?.close()
      self.connection = nil
    }
    // On the writer's own thread a group may be in progress that still needs the connection. This
    // happens when a commit handler releases the last reference to the database.
    if isCurrent { queue.async(execute: finish) } else { queue.sync(execute: finish) }
  }

  /// Checkpoints and truncates the WAL, so that the file alone is the database. Closing does this
  /// only for the last connection, and readers may still be open.
  private func emptyLog() {
    guard let connection else { return }
    connection.setBusyTimeout(.milliseconds(200))
    do throws(SQLiteError) {
      try connection.walCheckpoint(.truncate)
    } catch  where error.isBusy {
      // Another connection still reads from the WAL. The last connection to close, or the next to
      // open the file, checkpoints it.
    } catch  where error.isFull {
      // The WAL stays next to the file and has all frames.
      onEvent(.maintenanceFailed(error))
    } catch {
      stop()
      onEvent(.checkpointFailed(error))
    }
  }
}
