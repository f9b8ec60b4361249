import Dispatch
import Glibc
import MartletSQLite
import MartletTime
import Synchronization

/// The one connection that writes, and the only place where "durable, then answer" is decided.
///
/// `@unchecked Sendable`: everything but `line`, `listeners`, `clock`, `files` and the atomics is used on
/// `queue` alone.
final class Writer: @unchecked Sendable {
  let clock: CommitClock
  let listeners = CommitListeners()
  private let queue = DispatchQueue(label: "store.writer", qos: .userInitiated)
  private let isWriterThread = DispatchSpecificKey<ObjectIdentifier>()
  private let line: WaitingWrites
  private let onEvent: @Sendable (StoreEvent) -> Void
  private let groupNanoseconds: UInt64
  /// In nanoseconds, as the times of the queue.
  private let patience: UInt64
  private var connection: Connection?
  /// How many writes were in the last group.
  private var lastGroup = 0
  private var turns = TurnTaking()
  private let transaction: GroupTransaction
  private let log: WALCheckpointer
  private let timer: any DispatchSourceTimer
  /// Where it is looked after what the writer itself is too busy for: writes that wait too long, lost files.
  private let beside = DispatchQueue(label: "store.beside", qos: .userInitiated)
  private let fileTimer: any DispatchSourceTimer
  private let files: FileWatch
  /// When the group under way was taken; 0: there is none.
  private let groupSince = Atomic<UInt64>(0)
  /// The last group found the file locked by another program.
  private let foundLocked = Atomic(false)
  private let closing = ClosingTime()
  /// A file of the database is gone: what is committed from here on would be lost.
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
    patience = settings.writeQueueTimeout.wholeNanoseconds
    line = WaitingWrites(
      limits: .init(
        waiting: settings.writeQueueLimit, group: settings.groupLimit, patience: patience))
    let budget = WriteBudget.install(
      on: connection, recorder,
      .init(
        time: settings.writeTimeout > .zero ? settings.writeTimeout.wholeNanoseconds : .max,
        rows: settings.writeRows > 0 ? settings.writeRows : .max / 2,
        shared: max(groupNanoseconds, 1_000_000) * 10, others: patience / 2,
        result: settings.resultBytes),
      .init(
        isOver: { [closing] in closing.isOver },
        oldestWrite: { [line] in line.oldest }))
    transaction = try GroupTransaction(connection, recorder: recorder, budget: budget)
    // By now the connection has read, and its WAL is there.
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

  /// Whether the caller runs on the writer's thread, where waiting for a write would wait forever.
  var isCurrent: Bool { DispatchQueue.getSpecific(key: isWriterThread) == ObjectIdentifier(self) }

  /// How many writes wait.
  var waiting: Int { line.count }

  /// How long the group under way has taken until now; `nil` where there is none.
  var isBlocked: Bool { foundLocked.load(ordering: .relaxed) }
  var groupAge: Duration? {
    let since = groupSince.load(ordering: .relaxed)
    return since == 0 ? nil : .nanoseconds(Int64(clamping: steadyNanoseconds() &- since))
  }

  /// Adds a write to those that wait; its answer comes on the writer's thread, or on another one where it has
  /// waited too long and did not run.
  func admit(_ write: PendingWrite, of client: Int = 0) throws(WriteError) {
    if isCurrent, transaction.isInsideClosure { throw .nested }
    let admission = try line.admit(write, of: client, at: steadyNanoseconds())
    if let evicted = admission.evicted {
      // Not on this thread, which may be an event loop's.
      beside.async { [waiting] in evicted.write.answer(WriteError.overloaded(waiting: waiting)) }
    }
    if admission.mustSchedule { schedule() }
    if admission.mustTime { expire(after: patience) }
  }

  // MARK: Patience

  /// Whatever the writer is doing, a write that waits is told in time that it did not run.
  private func expire(after nanoseconds: UInt64) {
    let wait = Int(min(nanoseconds, 3_600_000_000_000)) + 1_000_000
    beside.asyncAfter(deadline: .now() + .nanoseconds(wait)) { [weak self] in self?.expire() }
  }

  private func expire() {
    let now = steadyNanoseconds()
    let (expired, oldest) = line.takeExpired(at: now)
    answer(expired: expired)
    if let oldest {
      let end = oldest + patience
      expire(after: end > now ? end - now : 0)
    }
  }

  private func answer(expired: [WriteQueue<PendingWrite>.Entry]) {
    for entry in expired {
      entry.write.answer(WriteError.expired(after: .nanoseconds(patience)))
    }
  }

  private func schedule() {
    queue.async {
      if self.lastGroup > 1 { TurnTaking.yieldToBatch() }
      self.runGroup()
      // Queued anew and not looped, so that the timer has its turn.
      if self.line.endRun() {
        self.turns.yieldLock()
        self.schedule()
      } else {
        self.turns.rest()
      }
    }
  }

  // MARK: The group

  /// Take, begin, savepoints, commit, notice, answer.
  private func runGroup() {
    if isLost.load(ordering: .acquiring) { return refuseWaiting() }
    guard var group = take() else { return }
    lastGroup = group.entries.count
    groupSince.store(steadyNanoseconds(), ordering: .relaxed)
    defer { groupSince.store(0, ordering: .relaxed) }
    do {
      if try transaction.begin() { publishForeignCommit() }
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

  /// Runs the writes, each so that it can be undone alone. False when one of them ended the whole
  /// transaction: it was answered, and the others run again, before all that wait.
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
        // An interrupted statement has undone those before it, too.
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

  /// The group was not saved, or nobody knows.
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
    // The rest of a transaction whose file is gone is undone.
    case .stopped: try? transaction.rollBack()
    case .overloaded, .expired, .overTime, .crowdedOut, .tooManyRows, .nested, .transactionEnded,
      nil:
      break
    }
    aroundAnswers { group.answer(failingWith: error) }
    if case .outcomeUnknown = reason { refuseWaiting() }
  }

  // MARK: Beside the writes

  /// Every now and then, between two groups.
  private func maintain() {
    guard let connection, !line.isStopped else { return }
    do throws(SQLiteError) {
      if clock.hasListeners || clock.snapshotCount > 0,
        try transaction.others.haveWritten(connection)
      {
        publishForeignCommit()
      }
    } catch {
      onEvent(.maintenanceFailed(error))
    }
    keepLog()
  }

  /// Every now and then, whatever the writer is doing.
  private func checkFiles() {
    guard let path = files.lostFile() else { return }
    guard !line.stop() else { return }
    isLost.store(true, ordering: .releasing)
    closing.begin(at: 0)
    onEvent(.fileLost(path: path))
    refuseWaiting()
    queue.async { self.stop() }
  }

  private func publishForeignCommit() {
    clock.begin()
    defer { clock.end() }
    let number = clock.advance()
    onEvent(.foreignCommit(number: number))
    listeners.publish(CommitNotification(number: number, everything: true))
    listeners.answered()
  }

  private func keepLog() {
    do throws(SQLiteError) {
      if let (frames, checkpointed) = try log.keep() {
        onEvent(.checkpoint(frames: frames, checkpointed: checkpointed))
      }
    } catch  where error.isBusy {
      // Another program is copying the log; the next look sees what is left.
    } catch  where error.isFull {
      // Nothing is lost: the log still has it all, and is copied when there is room. Writes go on as
      // long as the log can grow, and are refused one by one when it cannot.
      onEvent(.maintenanceFailed(error))
    } catch {
      // After a failed fsync no later one proves anything (https://lwn.net/Articles/752063/).
      stop()
      onEvent(.checkpointFailed(error))
      refuseWaiting()
    }
  }

  /// Asked to wake the loops that keep a snapshot.
  func onSnapshotRelease(_ body: @escaping @Sendable () -> Void) {
    queue.async {
      self.log.wake = body
      self.clock.canWake = true
    }
  }

  /// Asked to have a group's writes answered.
  func onAnswers(_ around: @escaping @Sendable (() -> Void) -> Void) {
    queue.async { self.aroundAnswers = around }
  }

  // MARK: The end

  /// Nothing is written any more. The connection is never closed: that would copy the log, whose
  /// fsync proves nothing now, and delete it. Opening the file again decides what is in it.
  private func stop() {
    line.stop()
    if let connection { _ = Unmanaged.passRetained(connection) }
    connection = nil
  }

  private func refuseWaiting() {
    for entry in line.takeAll() { entry.write.answer(WriteError.stopped) }
  }

  /// Runs what waits, refuses all others, empties the log, then closes the connection. What is not done within
  /// `patience` is abandoned: rolled back, and told so.
  func close(within patience: Duration? = nil) {
    line.stop()
    if let patience { closing.begin(at: steadyNanoseconds() + patience.wholeNanoseconds) }
    let finish: @Sendable () -> Void = {
      while !self.closing.isOver, !self.line.isEmpty { self.runGroup() }
      self.refuseWaiting()
      self.timer.cancel()
      self.fileTimer.cancel()
      self.emptyLog()
      self.connection?.close()
      self.connection = nil
    }
    // On the writer's own thread a group may be under way, whose end needs the connection. It happens
    // when whoever is told of a commit held the last reference to the database.
    if isCurrent { queue.async(execute: finish) } else { queue.sync(execute: finish) }
  }

  /// Afterwards the file alone is the database. Closing would see to it only as the file's last
  /// connection, and readers may still be open.
  private func emptyLog() {
    guard let connection else { return }
    connection.setBusyTimeout(.milliseconds(200))
    do throws(SQLiteError) {
      try connection.walCheckpoint(.truncate)
    } catch  where error.isBusy {
      // Somebody still reads from the log; whoever closes the file last, or opens it next, copies it.
    } catch  where error.isFull {
      // The log stays beside the file, and has it all.
      onEvent(.maintenanceFailed(error))
    } catch {
      stop()
      onEvent(.checkpointFailed(error))
    }
  }
}
