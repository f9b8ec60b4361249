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
  public final class Bell: Sendable {
    private let body = Mutex<(@Sendable () -> Void)?>(nil)

    public init() {}

    fileprivate func answer(_ body: @escaping @Sendable () -> Void) {
      self.body.withLock { $0 = body }
    }
    fileprivate func ring() { body.withLock { $0 }?() }
  }

  private let database: EmbeddedDatabase
  private let milliseconds: Int
  private let clock: Clock
  private let queue = DispatchQueue(label: "reminders.grace")
  private let failed: @Sendable (any Error) -> Void
  /// The pending look, so that a later one replaces it.
  private let generation = Mutex<UInt64>(0)

  /// Starts with a look at what is due already. `failed` is told of what went wrong; it is tried
  /// again.
  public init(
    _ database: EmbeddedDatabase, bell: Bell, milliseconds: Int, clock: Clock = .system,
    failed: @escaping @Sendable (any Error) -> Void
  ) {
    self.database = database
    self.milliseconds = milliseconds
    self.clock = clock
    self.failed = failed
    bell.answer { [weak self] in self?.look(after: 0) }
    // Another program's reminders ring no bell of ours.
    database.onCommit { [weak self] notice in
      if notice.everything { self?.look(after: 0) }
    }
    database.someoneListens = true
    look(after: 0)
  }

  /// Installs the trigger and its function. They are temporary: another program's connection does
  /// not have the function.
  public static func prepare(_ connection: Connection, bell: Bell) throws {
    try connection.addFunction("martlet_completing", argumentCount: 0) {
      [unowned connection] _ in
      connection.afterCommit { bell.ring() }
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

  private func look(after milliseconds: Int) {
    let current = generation.withLock { generation in
      generation += 1
      return generation
    }
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
      guard let self, self.generation.withLock({ $0 == current }) else { return }
      self.look()
    }
  }

  private func look() {
    do {
      let found = try database.read { db in
        try Reminder.where { $0.status == .completing }.select {
          (Self.time($0).min(), Self.time($0).count(), $0.count())
        }.fetchOne(db)
      }
      guard let (first, readable, all) = found, all > 0 else { return }
      // A row whose time another program has broken waits for nothing, and keeps no other waiting.
      guard readable == all, let first, let earliest = SQLiteTime.parse(first) else {
        return complete()
      }
      let due = earliest.adding(milliseconds: Int64(milliseconds))
      let wait = due.milliseconds(since: clock.now())
      if wait > 0 { look(after: Int(min(wait, 60_000))) } else { complete() }
    } catch {
      failed(error)
      look(after: 1_000)
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
    let patience = Int64(milliseconds)
    let clock = clock
    let done: @Sendable (Result<Void, any Error>) -> Void = { [weak self] result in
      if case .failure(let error) = result {
        self?.failed(error)
        self?.look(after: 1_000)
      } else {
        self?.look(after: 0)
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
