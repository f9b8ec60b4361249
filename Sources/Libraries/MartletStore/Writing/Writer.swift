import Dispatch
import Glibc
import MartletSQLite
import MartletTime
import Synchronization

/// Owns the only connection that writes. Ensures that a successful result is reported only after
/// its commit is durable.
///
/// `@unchecked Sendable`: everything except `line`, `listeners`, `clock`, `files`, the constants
/// and the atomics is used only on `queue`.
final class Writer: @unchecked Sendable {
  let clock: CommitClock
  let listeners = CommitListeners()
  let queue = DispatchQueue(label: "store.writer", qos: .userInitiated)
  private let isWriterThread = DispatchSpecificKey<ObjectIdentifier>()
  let line: WaitingWrites
  let onEvent: @Sendable (StoreEvent) -> Void
  private let groupNanoseconds: UInt64
  /// The queue timeout in nanoseconds.
  private let timeout: UInt64
  /// The connection; `nil` after the end.
  var current: WriterConnection?
  /// The number of writes in the last group.
  private var lastGroup = 0
  private var turns = WriterYield()
  let opening: WriterConnection.Opening
  private let surroundings: WriteBudget.Surroundings
  let timer: any DispatchSourceTimer
  /// Handles queue timeouts and lost files, which must not wait for a busy writer.
  private let beside = DispatchQueue(label: "store.beside", qos: .userInitiated)
  let fileTimer: any DispatchSourceTimer
  private let files: FileWatch
  /// The start time of the current group; 0 while the writer is idle.
  private let groupSince = Atomic<UInt64>(0)
  /// Whether another program held the lock when the last group began.
  private let foundLocked = Atomic(false)
  let closing = ClosingTime()
  /// Whether a file of the database is gone. Further commits would be lost.
  private let isLost = Atomic(false)
  private(set) var aroundAnswers: @Sendable (() -> Void) -> Void = { $0() }
  private var wake: @Sendable () -> Void = {}

  // For a node of a cluster.

  /// The log of the cluster; `nil` for a database of its own.
  let replicator: (any Replicator)?
  /// The number of the last entry that the file has.
  let seq = Atomic<Int64>(0)
  /// The number of the last entry that is durable in the file.
  let durable = Atomic<Int64>(0)
  /// Whether another program has written, so that the file must be replaced.
  let isSpoiled = Atomic(false)
  /// Compares the content of the nodes.
  let checks: ContentChecks
  /// The group of which it is not known yet whether its entry is in the log.
  var undecided: UndecidedGroup?

  /// Opens the connection. With a replicator the database begins as a replica.
  init(
    _ opening: WriterConnection.Opening, replicator: (any Replicator)? = nil,
    onEvent: @escaping @Sendable (StoreEvent) -> Void
  ) throws {
    self.opening = opening
    self.replicator = replicator
    self.onEvent = onEvent
    checks = ContentChecks(opening.path, prepare: opening.prepare)
    clock = opening.clock
    let configuration = opening.configuration
    groupNanoseconds = configuration.groupTime.wholeNanoseconds
    timeout = configuration.writeQueueTimeout.wholeNanoseconds
    line = WaitingWrites(
      limits: .init(
        waiting: configuration.writeQueueLimit, group: configuration.groupLimit, timeout: timeout))
    surroundings = .init(
      isOver: { [closing] in closing.isOver },
      oldestWrite: { [line] in line.oldest(besides: $0) },
      allowance: { [line] in line.allowance(of: $0, at: $1) })
    if replicator != nil { line.refuse(.notPrimary) }
    let current = try WriterConnection(
      opening, role: replicator == nil ? nil : .replica, surroundings)
    self.current = current
    if replicator != nil {
      guard let position = try NodePosition(current.connection) else {
        throw ReplicationError.otherCluster
      }
      seq.store(position.seq, ordering: .sequentiallyConsistent)
    }
    // The connection has read by now, so the WAL exists.
    files = FileWatch(opening.path)
    timer = DispatchSource.makeTimerSource(queue: queue)
    fileTimer = DispatchSource.makeTimerSource(queue: beside)
    queue.setSpecific(key: isWriterThread, value: ObjectIdentifier(self))
    timer.schedule(
      deadline: .now(),
      repeating: .milliseconds(configuration.otherWritersInterval.wholeMilliseconds),
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
    if isCurrent, current?.transaction.isInsideClosure == true { throw .nested }
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
  func runGroup() {
    guard !isLost.load(ordering: .acquiring), let transaction = current?.transaction else {
      return refuseWaiting()
    }
    guard var group = take() else { return }
    var entry: (seq: Int64, tag: UInt64)?
    lastGroup = group.entries.count
    groupSince.store(steadyNanoseconds(), ordering: .relaxed)
    defer { groupSince.store(0, ordering: .relaxed) }
    do {
      if let changes = try transaction.begin() { try publish(changes) }
      foundLocked.store(false, ordering: .relaxed)
      guard try runWrites(&group, transaction) else { return }
      guard group.hasSuccess else {
        try transaction.rollBack()
        try replicator?.confirm()
        return aroundAnswers { group.answer() }
      }
      if isLost.load(ordering: .acquiring) { throw WriteError.stopped }
      clock.begin()
      defer { clock.end() }
      let start = steadyNanoseconds()
      if let replicator { entry = try prepareEntry(transaction, replicator) }
      try transaction.commit()
      if let entry { note(entry.seq, transaction) }
      onEvent(
        .committed(
          writes: group.outcomes.count { $0 == nil },
          duration: .nanoseconds(steadyNanoseconds() - start)))
      listeners.publish(transaction.notice(number: clock.advance()))
      if let entry { replicator?.published(entry.seq) }
    } catch {
      return fail(group, error, entry)
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
  private func runWrites(
    _ group: inout WriteGroup, _ transaction: GroupTransaction
  ) throws -> Bool {
    let started = steadyNanoseconds()
    let isShared = group.entries.contains { $0.client != group.entries[0].client }
    var start = started
    for (index, entry) in group.entries.enumerated() {
      let outcome = transaction.run(
        entry.write, of: entry.client, isAlone: group.entries.count == 1)
      let end = steadyNanoseconds()
      if end - start >= WriterDebts.shortWrite {
        line.charge(entry.client, from: start, to: end, wasShared: isShared)
      }
      start = end
      switch outcome {
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
      if !rest.isEmpty, end - started > groupNanoseconds {
        putBack(rest)
        group.entries.removeLast(rest.count)
        break
      }
    }
    return true
  }

  func putBack(
    _ entries: ArraySlice<WriteQueue<PendingWrite>.Entry>, proven: Int = 0,
    apart: WriteQueue<PendingWrite>.Entry? = nil
  ) {
    if line.putBack(entries, proven: proven, apart: apart, at: steadyNanoseconds()) { expire() }
  }

  /// Handles a group that was not saved, or whose outcome is unknown. `entry` is its entry in the
  /// log, if it has one.
  private func fail(
    _ group: WriteGroup, _ error: any Error, _ entry: (seq: Int64, tag: UInt64)?
  ) {
    if replicator != nil, failReplication(group, error, entry) { return }
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
    case .stopped: try? current?.transaction.rollBack()
    case .overloaded, .expired, .overTime, .crowdedOut, .tooManyRows, .nested, .transactionEnded,
      .notPrimary, .tooLarge, .undecided, nil:
      break
    }
    aroundAnswers { group.answer(failingWith: error) }
    if case .outcomeUnknown = reason { refuseWaiting() }
  }

  // MARK: Beside the writes

  /// Runs periodically between two groups.
  private func maintain() {
    guard let transaction = current?.transaction, !line.isStopped else { return }
    do throws(SQLiteError) {
      if clock.hasListeners || clock.snapshotCount > 0 || replicator != nil,
        let changes = try transaction.changesOfOthers()
      {
        do { try publish(changes) } catch { stepDown() }
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

  /// Publishes a commit of other programs. In a cluster it is an error.
  func publish(_ changes: ForeignChanges) throws(ReplicationError) {
    clock.begin()
    defer { clock.end() }
    let number = clock.advance()
    onEvent(.foreignCommit(number: number))
    listeners.publish(
      CommitNotification(
        number: number, everything: changes.everything, isForeign: true, tables: changes.tables))
    listeners.answered()
    if replicator != nil {
      isSpoiled.store(true, ordering: .releasing)
      throw .foreignCommit
    }
  }

  func keepLog() {
    guard let log = current?.log else { return }
    do throws(SQLiteError) {
      if let done = try log.keep() {
        if done.frames == done.checkpointed {
          durable.store(seq.load(ordering: .relaxed), ordering: .relaxed)
        }
        onEvent(.checkpoint(frames: done.frames, checkpointed: done.checkpointed))
        if let bytes = done.pinned { onEvent(.walPinned(bytes: bytes)) }
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
      self.wake = body
      self.current?.log.wake = body
      self.clock.canWake = true
    }
  }

  /// Sets the wrapper around the delivery of a group's results.
  func onAnswers(_ around: @escaping @Sendable (() -> Void) -> Void) {
    queue.async { self.aroundAnswers = around }
  }

  /// Opens a connection for a role in place of the current one.
  func reopen(_ role: ReplicationRole) throws {
    guard let old = current else { throw WriteError.stopped }
    let next = try WriterConnection(opening, role: role, surroundings)
    // The new connection does not report what was written before it was opened.
    if let changes = try old.transaction.changesOfOthers() { try publish(changes) }
    next.log.wake = wake
    current = next
    old.connection.close()
  }
}
