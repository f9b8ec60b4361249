import MartletStore
import MartletTime
import Synchronization

extension RunningService {
  /// Runs `task` at once, and again whenever `interval` has passed since its last start, until the
  /// service is closed.
  ///
  /// ```swift
  /// running.schedule(every: .seconds(3600)) { now in
  ///   try await running.database.write { db in
  ///     try Booking.where { $0.end < now }.delete().execute(db)
  ///   }
  /// }
  /// ```
  ///
  /// The task is an `async` function and may take long: the next run begins after it has ended. An
  /// error that it throws is reported to ``Service/onEvent``, and does not end the schedule. When
  /// the service is closed, a running task is canceled.
  ///
  /// The time is that of ``Service/clock``. If the clock is set, the next run is at most `interval`
  /// away. An interval counts as at least 1 ms.
  public func schedule(
    every interval: Duration, _ task: @escaping @Sendable (_ now: Instant) async throws -> Void
  ) {
    let milliseconds = Int64(max(interval.wholeMilliseconds, 1))
    add(task) { $0.adding(milliseconds: milliseconds) }.start()
  }

  /// Runs `task` at each instant that `next` returns for the current time, such as the next
  /// midnight, until the service is closed. `nil` ends the schedule.
  ///
  /// `next` is also called when the clock is set. Otherwise it is as with ``schedule(every:_:)``.
  public func schedule(
    at next: @escaping @Sendable (_ now: Instant) -> Instant?,
    _ task: @escaping @Sendable (_ now: Instant) async throws -> Void
  ) {
    // An instant that has passed would begin a run after the other without a pause.
    add(task) { now in next(now).map { max($0, now.adding(milliseconds: 1)) } }.plan()
  }

  private func add(
    _ task: @escaping @Sendable (Instant) async throws -> Void,
    _ next: @escaping @Sendable (Instant) -> Instant?
  ) -> ScheduledTask {
    let scheduled = ScheduledTask(
      agenda, on: api.context.settings.taskExecutor, next: next, failed: taskFailed, task)
    tasks.withLock { tasks in
      if tasks == nil { scheduled.end() } else { tasks?.append(scheduled) }
    }
    return scheduled
  }
}

/// A task that runs at instants of the service's clock, one run after the other.
final class ScheduledTask: Sendable {
  private enum State {
    case idle
    case planned(Instant)
    case running(Task<Void, Never>?)
    case ended
  }

  private let agenda: Agenda
  private let entry: Agenda.Entry
  private let executor: (any TaskExecutor)?
  private let next: @Sendable (Instant) -> Instant?
  private let failed: @Sendable (any Error) -> Void
  private let work: @Sendable (Instant) async throws -> Void
  private let state = Mutex(State.idle)

  init(
    _ agenda: Agenda, on executor: (any TaskExecutor)? = nil,
    next: @escaping @Sendable (Instant) -> Instant?,
    failed: @escaping @Sendable (any Error) -> Void,
    _ work: @escaping @Sendable (Instant) async throws -> Void
  ) {
    self.agenda = agenda
    self.executor = executor
    self.next = next
    self.failed = failed
    self.work = work
    entry = agenda.entry()
    entry.whenDue { [weak self] now, _ in self?.wake(now) }
  }

  /// Begins with a run.
  func start() { run(agenda.clock.now()) }

  /// Begins by waiting for the first instant.
  func plan() {
    let now = agenda.clock.now()
    let instant = next(now)
    state.withLock { state in
      guard case .idle = state, let instant else { return }
      state = .planned(instant)
      entry.plan(at: instant)
    }
  }

  /// No run begins any more, and one that is under way is canceled.
  func end() {
    let last = state.withLock { state in
      defer { state = .ended }
      return state
    }
    entry.plan(at: nil)
    if case .running(let task) = last { task?.cancel() }
  }

  /// The instant has come, or the clock was set, which has cleared the plan.
  private func wake(_ now: Instant) {
    let again = next(now)
    let isDue = state.withLock { state in
      // A plan during a run is made at its end.
      guard case .planned(let instant) = state else { return false }
      if instant <= now { return true }
      // After the clock was set back, an earlier instant may come first.
      let first = again.map { min($0, instant) } ?? instant
      state = .planned(first)
      entry.plan(at: first)
      return false
    }
    if isDue { run(now) }
  }

  private func run(_ now: Instant) {
    state.withLock { state in
      if case .ended = state { return }
      state = .running(
        Task(executorPreference: executor) { [self] in
          do {
            try await work(now)
          } catch is CancellationError {
            // The service was closed, or the task gave up by itself.
          } catch WriteError.stopped {
            // The service is being closed, or it has reported why the store has stopped.
          } catch {
            failed(error)
          }
          finish(now)
        })
    }
  }

  /// Plans the run after the one that began at `start`.
  private func finish(_ start: Instant) {
    // The clock may have been set back during the run.
    let instant = next(min(start, agenda.clock.now()))
    state.withLock { state in
      guard case .running = state else { return }
      state = instant.map { .planned($0) } ?? .idle
      entry.plan(at: instant)
    }
  }
}
