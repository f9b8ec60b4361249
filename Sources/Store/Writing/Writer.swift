import Dispatch
import Glibc
import SQLite
import Synchronization

/// The one connection that writes, and the only place where "durable, then answer" is decided.
///
/// `@unchecked Sendable`: everything but `line`, `listeners` and `clock`, which have locks of their
/// own, is used on `queue` alone.
final class Writer: @unchecked Sendable {
  private struct Line {
    var writes: WriteQueue<PendingWrite>
    /// Whether a run of the next group is on its way.
    var isScheduled = false
    var isStopped = false
  }

  let clock: CommitClock
  let listeners = CommitListeners()
  private let queue = DispatchQueue(label: "store.writer", qos: .userInitiated)
  private let isWriterThread = DispatchSpecificKey<ObjectIdentifier>()
  private let line: Mutex<Line>
  private let occurred: @Sendable (Occurrence) -> Void
  private let groupNanoseconds: UInt64
  private let patienceMilliseconds: Int
  private var connection: Connection?
  /// How many writes were in the last group.
  private var lastGroup = 0
  /// Since when there was always a further group.
  private var writesSince: UInt64?
  private let transaction: GroupTransaction
  private let log: LogKeeper
  private let timer: any DispatchSourceTimer
  private var aroundAnswers: @Sendable (() -> Void) -> Void = { $0() }

  init(
    connection: Connection, recorder: ChangeRecorder, settings: Settings, clock: CommitClock,
    occurred: @escaping @Sendable (Occurrence) -> Void
  ) throws(SQLiteError) {
    self.clock = clock
    self.occurred = occurred
    self.connection = connection
    groupNanoseconds = UInt64(settings.groupMilliseconds) * 1_000_000
    patienceMilliseconds = settings.writePatienceMilliseconds
    line = Mutex(
      Line(
        writes: WriteQueue(
          limits: .init(
            waiting: settings.writeQueueLimit, group: settings.groupLimit,
            patience: UInt64(settings.writePatienceMilliseconds) * 1_000_000))))
    transaction = try GroupTransaction(connection, recorder: recorder)
    log = try LogKeeper(connection, limit: settings.checkpointFrames, clock: clock)
    timer = DispatchSource.makeTimerSource(queue: queue)
    queue.setSpecific(key: isWriterThread, value: ObjectIdentifier(self))
    timer.schedule(
      deadline: .now(), repeating: .milliseconds(settings.otherWritersMilliseconds),
      leeway: .milliseconds(10))
    timer.setEventHandler { [weak self] in self?.look() }
    timer.activate()
  }

  deinit { timer.cancel() }

  /// Whether the caller runs on the writer's thread, where waiting for a write would wait forever.
  var isCurrent: Bool { DispatchQueue.getSpecific(key: isWriterThread) == ObjectIdentifier(self) }

  /// How many writes wait.
  var waiting: Int { line.withLock { $0.writes.count } }

  /// Adds a write to those that wait; its answer comes on the writer's thread.
  func admit(_ write: PendingWrite) throws(WriteError) {
    if isCurrent, transaction.isInsideClosure { throw .nested }
    let now = steadyNanoseconds()
    var refusal: WriteError?
    let mustSchedule = line.withLock { line in
      if line.isStopped {
        refusal = .stopped
        return false
      }
      guard line.writes.admit(write, at: now) else {
        refusal = .overloaded(waiting: line.writes.count)
        return false
      }
      defer { line.isScheduled = true }
      return !line.isScheduled
    }
    if let refusal { throw refusal }
    if mustSchedule { schedule() }
  }

  private func schedule() {
    queue.async {
      self.letOthersJoin()
      self.runGroup()
      let isMore = self.line.withLock { line in
        line.isScheduled = !line.writes.isEmpty
        return line.isScheduled
      }
      // Queued anew and not looped, so that the timer has its turn.
      if isMore {
        self.giveWay()
        self.schedule()
      } else {
        self.writesSince = nil
      }
    }
  }

  /// On a core that is shared with an event loop, what the loop was doing brings more writes into the group, each of which
  /// then costs less: a commit writes the same pages for three as for ten. Nobody waits where no loop has anything to do,
  /// where it has a core of its own, or where writes come one by one.
  private func letOthersJoin() {
    guard lastGroup > 1 else { return }
    for _ in 0..<Writer.turns { sched_yield() }
  }

  /// How often others have their turn first. With one a group of 64 clients is of four writes, with ten of forty, and then
  /// nearly everybody waits for it.
  private static let turns = 4

  /// Other programs look for the lock every now and then: one that is free for microseconds they would never find.
  private func giveWay() {
    let now = steadyNanoseconds()
    let start = writesSince ?? now
    writesSince = start
    guard now - start > Writer.longest else { return }
    usleep(Writer.pause)
    writesSince = nil
  }

  /// How long writes go on without a pause, in nanoseconds, and the pause, in microseconds.
  private static let longest: UInt64 = 1_000_000_000
  private static let pause: UInt32 = 3_000

  // MARK: The group

  /// Take, begin, savepoints, commit, notice, answer.
  private func runGroup() {
    guard var group = take() else { return }
    lastGroup = group.entries.count
    do {
      if try transaction.begin() { publishForeignCommit() }
      guard try runWrites(&group) else { return }
      guard group.hasSuccess else {
        try transaction.rollBack()
        return aroundAnswers { group.answer() }
      }
      clock.begin()
      defer { clock.end() }
      let start = steadyNanoseconds()
      try transaction.commit()
      occurred(
        .committed(
          writes: group.outcomes.count { $0 == nil }, nanoseconds: steadyNanoseconds() - start))
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
    let taken = line.withLock { $0.writes.take(at: steadyNanoseconds()) }
    for entry in taken.expired {
      entry.write.answer(WriteError.expired(milliseconds: patienceMilliseconds))
    }
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
        if !others.isEmpty { occurred(.transactionLost(cause: "\(error)", repeated: others.count)) }
        entry.write.answer(error)
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

  private func putBack(_ entries: ArraySlice<WriteQueue<PendingWrite>.Entry>) {
    line.withLock { $0.writes.putBack(entries) }
  }

  /// The group was not saved, or nobody knows.
  private func fail(_ group: WriteGroup, _ error: any Error) {
    let reason = error as? WriteError
    switch reason {
    case .outcomeUnknown(let cause):
      stop()
      occurred(.outcomeUnknown(cause, writes: group.entries.count))
    case .storageFull(let cause): occurred(.storageFull(cause, writes: group.entries.count))
    case .busy: occurred(.busy(writes: group.entries.count))
    case .overloaded, .expired, .stopped, .nested, .transactionEnded, nil: break
    }
    aroundAnswers { group.answer(failingWith: error) }
    if case .outcomeUnknown = reason { refuseWaiting() }
  }

  // MARK: Beside the writes

  /// Every now and then, between two groups.
  private func look() {
    guard let connection, !line.withLock({ $0.isStopped }) else { return }
    do throws(SQLiteError) {
      if clock.someoneListens || clock.holderCount > 0,
        try transaction.others.haveWritten(connection)
      {
        publishForeignCommit()
      }
    } catch {
      occurred(.maintenanceFailed(error))
    }
    keepLog()
  }

  private func publishForeignCommit() {
    clock.begin()
    defer { clock.end() }
    let number = clock.advance()
    occurred(.foreignCommit(number: number))
    listeners.publish(CommitNotice(number: number, everything: true))
    listeners.answered()
  }

  private func keepLog() {
    do throws(SQLiteError) {
      if let (frames, checkpointed) = try log.keep() {
        occurred(.checkpoint(frames: frames, checkpointed: checkpointed))
      }
    } catch  where error.isBusy {
      // Another program is copying the log; the next look sees what is left.
    } catch  where error.isFull {
      // Nothing is lost: the log still has it all, and is copied when there is room. Writes go on as
      // long as the log can grow, and are refused one by one when it cannot.
      occurred(.maintenanceFailed(error))
    } catch {
      // After a failed fsync no later one proves anything (https://lwn.net/Articles/752063/).
      stop()
      occurred(.checkpointFailed(error))
      refuseWaiting()
    }
  }

  /// Asked to wake the loops that keep a snapshot.
  func onLetGo(_ body: @escaping @Sendable () -> Void) {
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
    line.withLock { $0.isStopped = true }
    if let connection { _ = Unmanaged.passRetained(connection) }
    connection = nil
  }

  private func refuseWaiting() {
    for entry in line.withLock({ $0.writes.takeAll() }) { entry.write.answer(WriteError.stopped) }
  }

  /// Runs what waits, refuses all others, empties the log, then closes the connection.
  func close() {
    line.withLock { $0.isStopped = true }
    let finish: @Sendable () -> Void = {
      while !self.line.withLock({ $0.writes.isEmpty }) { self.runGroup() }
      self.timer.cancel()
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
    connection.setBusyTimeout(milliseconds: 200)
    do throws(SQLiteError) {
      try connection.walCheckpoint(.truncate)
    } catch  where error.isBusy {
      // Somebody still reads from the log; whoever closes the file last, or opens it next, copies it.
    } catch  where error.isFull {
      // The log stays beside the file, and has it all.
      occurred(.maintenanceFailed(error))
    } catch {
      stop()
      occurred(.checkpointFailed(error))
    }
  }
}
