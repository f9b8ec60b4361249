import Dispatch
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// Turns `completing` into `completed` when a reminder has been left alone for a while.
///
/// `updatedAt` is the clock: each further change of the reminder restarts it, going back to
/// `incomplete` stops it, and after a restart of the program what is due is done at once. The
/// trigger's function only wakes the timer, after the commit.
public final class GracePeriod: Sendable {
  /// What a connection's trigger calls: made before the database, which wants its connections
  /// prepared.
  public final class Signal: Sendable {
    private let body = Mutex<(@Sendable () -> Void)?>(nil)

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
  /// When the first reminder is to be completed.
  private let next: Agenda.Entry
  private let isLooking = Atomic(false)

  /// Starts with a look at what is due already. `duration`, in whole milliseconds: how long a reminder is left alone
  /// before it is completed. `failed` is told of what went wrong; it is tried
  /// again.
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
    // Another program's reminders ring no signal of ours.
    database.onCommit { [weak self] notice in
      if notice.everything { self?.scheduleRun() }
    }
    database.hasListeners = true
    scheduleRun()
  }

  /// Installs the trigger and its function. They are temporary: another program's connection does
  /// not have the function.
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

  /// One look for all who ask before it begins.
  private func scheduleRun() {
    guard !isLooking.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async { [weak self] in
      self?.isLooking.store(false, ordering: .releasing)
      self?.completeDue()
    }
  }

  /// After a failure.
  private func retryLater() { next.plan(at: clock.now().adding(milliseconds: 1_000)) }

  private func completeDue() {
    do {
      let found = try database.read { db in
        try Reminder.where { $0.status == .completing }.select {
          (Self.time($0).min(), Self.time($0).count(), $0.count())
        }.fetchOne(db)
      }
      guard let (first, readable, all) = found, all > 0 else { return next.plan(at: nil) }
      // A row whose time another program has broken waits for nothing, and keeps no other waiting.
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

  /// `updatedAt`, where it is a time.
  private static func time(_ reminder: Reminder.TableColumns) -> SQLQueryExpression<String?> {
    let column: QueryFragment = "\(reminder.updatedAt)"
    return SQLQueryExpression("CASE WHEN \(ValueRule.isTime(column)) THEN \(column) END")
  }

  /// How many reminders are completed in one write.
  static let portion = 500

  private func complete() {
    let patience = Int64(duration.wholeMilliseconds)
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
          let latest = clock.now().adding(milliseconds: -patience)
          // Not all at once: a write has a bound. The next look goes on.
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
