import Dispatch
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// A check of the database on a serial queue, which runs again whenever there may be more to
/// do: when it is scheduled, at the instant that it has planned, when the clock is set, and after
/// each of its writes.
final class RepeatedCheck: Sendable {
  private struct Instants {
    var planned: Instant?
    /// When to check again because something has failed. A check that was running then knows
    /// nothing of it, so what it plans must not replace this.
    var retry: Instant?
  }

  private let database: any ServerDatabase
  private let clock: Clock
  private let queue: DispatchQueue
  private let next: Agenda.Entry
  private let isScheduled = Atomic(false)
  private let check = Callback<Void, any Error>()
  private let instants = Mutex(Instants())
  private let failed: @Sendable (any Error) -> Void

  /// - Parameters:
  ///   - database: The database that the writes change.
  ///   - queue: The queue; by default a new one. The checks of a service share one, because each
  ///     thread that reads opens a connection of its own, which needs about a megabyte.
  ///   - agenda: Schedules planned checks.
  ///   - failed: Receives errors. A failed check or write is repeated after one second.
  init(
    of database: any ServerDatabase, on queue: DispatchQueue?, agenda: Agenda,
    failed: @escaping @Sendable (any Error) -> Void
  ) {
    self.database = database
    clock = agenda.clock
    self.queue = queue ?? DispatchQueue(label: "reminders.checks", qos: .userInitiated)
    next = agenda.entry()
    self.failed = failed
  }

  /// Sets the check, which must not retain this object.
  func start(_ check: @escaping @Sendable () throws -> Void) {
    self.check.set(check)
    next.whenDue { [weak self] _, _ in
      self?.plan { $0 = Instants() }
      self?.schedule()
    }
  }

  /// Runs the check soon. Calls before it begins are coalesced.
  func schedule() {
    guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async { [weak self] in
      guard let self else { return }
      isScheduled.store(false, ordering: .releasing)
      do { try check() } catch { retry(after: error) }
    }
  }

  /// Plans the next check, instead of one that was planned before; `nil`: none.
  func plan(at instant: Instant?) { plan { $0.planned = instant } }

  private func plan(_ change: (inout Instants) -> Void) {
    instants.withLock { instants in
      change(&instants)
      next.plan(at: [instants.planned, instants.retry].compactMap { $0 }.min())
    }
  }

  /// Runs a write, and then the check. `ended` is called before that, with whether the write has
  /// succeeded.
  func submit<T: Sendable>(
    then succeeded: @escaping @Sendable (T) -> Void = { _ in },
    finally ended: @escaping @Sendable (Bool) -> Void = { _ in },
    _ write: @escaping @Sendable (Connection) throws -> T
  ) {
    run(write) { [weak self] result in
      switch result {
      case .success(let value):
        ended(true)
        succeeded(value)
        self?.schedule()
      case .failure(let error):
        ended(false)
        self?.retry(after: error)
      }
    }
  }

  /// Runs a write that returns the reminders that it had to leave, and then the check. If there are
  /// any, it waits for a second, as after a failure.
  func submitEach(
    then succeeded: @escaping @Sendable () -> Void = {},
    _ write: @escaping @Sendable (Connection) throws -> [LeftReminder]
  ) {
    run(write) { [weak self] result in
      switch result {
      case .success(let left):
        succeeded()
        if left.isEmpty { self?.schedule() }
        for reminder in left { self?.retry(after: reminder) }
      case .failure(let error): self?.retry(after: error)
      }
    }
  }

  private func run<T: Sendable>(
    _ write: @escaping @Sendable (Connection) throws -> T,
    then done: @escaping @Sendable (Result<T, any Error>) -> Void
  ) {
    do {
      try database.submit(write: write, completion: done)
    } catch {
      done(.failure(error))
    }
  }

  private func retry(after error: any Error) {
    plan { $0.retry = clock.now().adding(milliseconds: 1_000) }
    failed(error)
  }
}
