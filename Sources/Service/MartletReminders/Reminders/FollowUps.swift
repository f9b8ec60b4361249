import Dispatch
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// Does what a change implies some time after its commit.
///
/// - Reminders with the status `completing` are completed after they have not changed for a while,
///   the grace period. It begins at `updatedAt`: each further change of the reminder restarts it,
///   and returning to `incomplete` cancels it. After a restart of the program, overdue reminders
///   are completed at once.
/// - What another program has done is completed as the repositories would have done it: completed
///   reminders that recur move on to their next occurrence, subtasks are completed and opened with
///   the reminder above them, and reminders that wait for a parent are put below it.
///
/// The function that the trigger calls only wakes the timer, after the commit.
public final class FollowUps: Sendable {
  /// The signal that a connection's trigger sends. It is created before the database, whose
  /// connections are prepared with it.
  public final class Signal: Sendable {
    fileprivate let rung = Callback<Void, Never>()

    /// A signal without a receiver.
    public init() {}
  }

  private let database: any ServerDatabase
  private let duration: Duration
  private let zone: ZoneInfo
  private let clock: Clock
  /// The version of the last completed reminder that was read, to move it on.
  private let seen = Mutex(-1)
  /// Planned for when the next reminder is to be completed.
  private let check: RepeatedCheck

  /// Observes a database, and first completes the reminders that are due already.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - signal: The signal that its prepared connections send.
  ///   - duration: How long a reminder stays unchanged before it is completed, in whole
  ///     milliseconds.
  ///   - zone: The zone of a reminder without one.
  ///   - queue: A serial queue for the work, which others may share; by default a new one.
  ///   - agenda: Schedules the next completion.
  ///   - failed: Receives errors. A failed check is repeated after one second.
  public init(
    _ database: any ServerDatabase, signal: Signal, duration: Duration,
    in zone: ZoneInfo = .utc, on queue: DispatchQueue? = nil, agenda: Agenda = Agenda(),
    failed: @escaping @Sendable (any Error) -> Void
  ) {
    self.database = database
    self.duration = duration
    self.zone = zone
    clock = agenda.clock
    check = RepeatedCheck(
      of: database, on: queue, agenda: agenda, failed: failed)
    check.start { [weak self] in
      try self?.completeDue()
      try self?.moveOn()
      try self?.follow()
    }
    signal.rung.set { [weak check] in check?.schedule() }
    // Commits of other programs do not send the signal.
    database.onCommit(while: check) { check, notice in
      if notice.everything || (notice.isForeign && notice.tables[Reminder.tableName] != nil) {
        check.schedule()
      }
    }
    database.hasListeners = true
    check.schedule()
  }

  /// Installs the triggers and their function. Both are temporary, because the connections of other
  /// programs do not have the function.
  ///
  /// A connection that cannot write gets none. To create a trigger SQLite parses the whole schema,
  /// almost a megabyte per connection, which a reader that is not used yet does not need.
  public static func prepare(_ connection: Connection, signal: Signal) throws {
    guard !connection.isReadOnly else { return }
    try connection.addFunction("martlet_completing", argumentCount: 0) {
      [unowned connection] _ in
      connection.afterCommit { signal.rung() }
      return nil
    }
    try Reminder.createTemporaryTrigger(
      "martlet_completing",
      after: .update(of: { $0.status }) { _, _ in
        Values(#sql("martlet_completing()", as: Int?.self))
      } when: { _, new in
        new.status == .completing || isToMoveOn(new)
      }
    ).execute(connection)
    try Reminder.createTemporaryTrigger(
      "martlet_completing_insert",
      after: .insert { _ in
        Values(#sql("martlet_completing()", as: Int?.self))
      } when: { new in
        new.status == .completing || isToMoveOn(new)
      }
    ).execute(connection)
  }

  private static func isToMoveOn(_ new: Reminder.TableColumns) -> SQLQueryExpression<Bool> {
    #sql("\(new.status) = 1 AND \(new.recurrenceRule) IS NOT NULL", as: Bool.self)
  }

  private func completeDue() throws {
    let last = clock.now().adding(duration)
    let found = try database.read { db in
      try Reminder.where { $0.status == .completing }.select {
        (Self.time($0, upTo: last).min(), Self.time($0, upTo: last).count(), $0.count())
      }.fetchOne(db)
    }
    guard let (first, readable, all) = found, all > 0 else { return check.plan(at: nil) }
    // A row whose `updatedAt` says nothing is completed at once and does not delay other rows.
    guard readable == all, let first, let earliest = SQLiteTime.parse(first) else {
      return complete()
    }
    let due = earliest.adding(duration)
    if due > clock.now() { check.plan(at: due) } else { complete() }
  }

  /// The value of `updatedAt` if it is a valid time, otherwise NULL. Far ahead of the clock, which
  /// was set back then, it says nothing about the grace period.
  private static func time(
    _ reminder: Reminder.TableColumns, upTo last: Instant
  ) -> SQLQueryExpression<String?> {
    let column: QueryFragment = "\(reminder.updatedAt)"
    let last = SQLiteTime.string(last)
    return SQLQueryExpression(
      """
      CASE WHEN \(ValueRule.isTime(column)) AND \(column) <= \(bind: last) THEN \(column) END
      """)
  }

  /// The maximum number of reminders that one write changes. A write has a time limit; the next
  /// check continues.
  static let portion = 500

  private func complete() {
    let (clock, duration, zone) = (clock, duration, zone)
    check.submitEach { db in
      let now = clock.now()
      let last = now.adding(duration)
      let latest = SQLiteTime.string(
        now.adding(milliseconds: -Int64(duration.wholeMilliseconds)))
      let due =
        try Reminder
        .where {
          $0.status == .completing
            && (Self.time($0, upTo: last).is(nil) || Self.time($0, upTo: last) <= latest)
        }
        .limit(Self.portion).select(\.id).fetchAll(db)
      return try db.changeEach(due) { id in
        // Most have no more than a status, and are not read: any other value may be invalid.
        try Reminder.find(id)
          .where { $0.status == .completing && $0.recurrenceRule.is(nil) && $0.allSubtasks == 0 }
          .update {
            $0.status = .completed
            $0.completedAt = now
          }.execute(db)
        // Its parent may have completed it just now.
        guard db.changes == 0, let reminder = try Reminder.find(id).fetchOne(db),
          reminder.status == .completing
        else { return }
        try CompletionRepository.complete(reminder, at: now, in: zone, db)
      }
    }
  }

  /// Moves on the completed reminders that recur. One without a next occurrence is read only once:
  /// a later completion has a later version.
  private func moveOn() throws {
    let seen = seen.withLock { $0 }
    let found = try database.read { db in
      try Reminder
        .where {
          #sql("\($0.recurrenceRule) IS NOT NULL", as: Bool.self)
          $0.status == .completed
          $0.version > seen
        }
        .order { $0.version }.limit(Self.portion).select { ($0.id, $0.version) }.fetchAll(db)
    }
    guard let last = found.last else { return }
    let zone = zone
    check.submitEach(then: { [weak self] in self?.seen.withLock { $0 = last.1 } }) { db in
      try db.changeEach(found.map(\.0)) { try CompletionRepository.moveOn($0, in: zone, db) }
    }
  }

  /// Completes and opens subtasks with the reminders above them, and puts reminders below the
  /// parents that they wait for.
  private func follow() throws {
    let (canFollow, canJoin) = try database.read {
      (try Subtasks.canFollow(in: $0), try AwaitedParents.canJoin(in: $0))
    }
    // Two writes: one that fails does not hold up the other.
    if canFollow { check.submitEach { try Subtasks.follow(in: $0, most: Self.portion) } }
    if canJoin { check.submit { try AwaitedParents.join(in: $0, most: Self.portion) } }
  }
}
