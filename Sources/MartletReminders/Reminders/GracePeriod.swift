import Dispatch
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// Completes reminders with the status `completing` after they have not changed for a while.
///
/// The period begins at `updatedAt`: each further change of the reminder restarts it, and returning
/// to `incomplete` cancels it. After a restart of the program, overdue reminders are completed at
/// once. The function that the trigger calls only wakes the timer, after the commit.
public final class GracePeriod: Sendable {
  /// The signal that a connection's trigger sends. It is created before the database, whose
  /// connections are prepared with it.
  public final class Signal: Sendable {
    private let body = Mutex<(@Sendable () -> Void)?>(nil)

    /// A signal without a receiver.
    public init() {}

    fileprivate func answer(_ body: @escaping @Sendable () -> Void) {
      self.body.withLock { $0 = body }
    }
    fileprivate func ring() { body.withLock { $0 }?() }
  }

  private let database: any ServerDatabase
  private let duration: Duration
  private let clock: Clock
  private let queue = DispatchQueue(label: "reminders.grace")
  private let failed: @Sendable (any Error) -> Void
  /// Fires when the next reminder is to be completed.
  private let next: Agenda.Entry
  private let isLooking = Atomic(false)

  /// Observes a database, and first completes the reminders that are due already.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - signal: The signal that its prepared connections send.
  ///   - duration: How long a reminder stays unchanged before it is completed, in whole
  ///     milliseconds.
  ///   - agenda: Schedules the next completion.
  ///   - failed: Receives errors. A failed check is repeated after one second.
  public init(
    _ database: any ServerDatabase, signal: Signal, duration: Duration, agenda: Agenda = Agenda(),
    failed: @escaping @Sendable (any Error) -> Void
  ) {
    self.database = database
    self.duration = duration
    clock = agenda.clock
    next = agenda.entry()
    self.failed = failed
    next.whenDue { [weak self] _, _ in self?.scheduleRun() }
    signal.answer { [weak self] in self?.scheduleRun() }
    // Commits of other programs do not send the signal.
    database.onCommit { [weak self] notice in
      if notice.everything { self?.scheduleRun() }
    }
    database.hasListeners = true
    scheduleRun()
  }

  /// Installs the trigger and its function. Both are temporary, because the connections of other
  /// programs do not have the function.
  public static func prepare(_ connection: Connection, signal: Signal) throws {
    try connection.addFunction("martlet_completing", argumentCount: 0) {
      [unowned connection] _ in
      connection.afterCommit { signal.ring() }
      return nil
    }
    try Reminder.createTemporaryTrigger(
      "martlet_completing",
      after: .update(of: { $0.status }) { _, _ in
        Values(#sql("martlet_completing()", as: Int?.self))
      } when: { _, new in
        new.status == .completing
      }
    ).execute(connection)
    try Reminder.createTemporaryTrigger(
      "martlet_completing_insert",
      after: .insert { _ in
        Values(#sql("martlet_completing()", as: Int?.self))
      } when: { new in
        new.status == .completing
      }
    ).execute(connection)
  }

  /// Schedules a check. Calls before it begins are coalesced.
  private func scheduleRun() {
    guard !isLooking.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async { [weak self] in
      self?.isLooking.store(false, ordering: .releasing)
      self?.completeDue()
    }
  }

  /// Schedules another check after a failure.
  private func retryLater() { next.plan(at: clock.now().adding(milliseconds: 1_000)) }

  private func completeDue() {
    do {
      let found = try database.read { db in
        try Reminder.where { $0.status == .completing }.select {
          (Self.time($0).min(), Self.time($0).count(), $0.count())
        }.fetchOne(db)
      }
      guard let (first, readable, all) = found, all > 0 else { return next.plan(at: nil) }
      // A row whose `updatedAt` is invalid is completed at once and does not delay other rows.
      guard readable == all, let first, let earliest = SQLiteTime.parse(first) else {
        return complete()
      }
      let due = earliest.adding(milliseconds: Int64(duration.wholeMilliseconds))
      if due > clock.now() { next.plan(at: due) } else { complete() }
    } catch {
      failed(error)
      retryLater()
    }
  }

  /// The value of `updatedAt` if it is a valid time, otherwise NULL.
  private static func time(_ reminder: Reminder.TableColumns) -> SQLQueryExpression<String?> {
    let column: QueryFragment = "\(reminder.updatedAt)"
    return SQLQueryExpression("CASE WHEN \(ValueRule.isTime(column)) THEN \(column) END")
  }

  /// The maximum number of reminders completed in one write.
  static let portion = 500

  private func complete() {
    let timeout = Int64(duration.wholeMilliseconds)
    let clock = clock
    let done: @Sendable (Result<Void, any Error>) -> Void = { [weak self] result in
      if case .failure(let error) = result {
        self?.failed(error)
        self?.retryLater()
      } else {
        self?.scheduleRun()
      }
    }
    do {
      try database.submit(
        write: { db in
          let latest = clock.now().adding(milliseconds: -timeout)
          // The number is limited, because a write has a time limit. The next check continues.
          let due =
            Reminder
            .where {
              $0.status == .completing
                && (Self.time($0).is(nil) || Self.time($0) <= SQLiteTime.string(latest))
            }
            .limit(Self.portion)
          try Reminder.where { $0.id.in(due.select(\.id)) }
            .update { $0.status = .completed }
            .execute(db)
        }, completion: done)
    } catch {
      done(.failure(error))
    }
  }
}
