import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// Reads and undoes completions, and moves reminders that recur on. Every function that takes a
/// connection runs in that connection's transaction.
public enum CompletionRepository {
  // MARK: Moving on

  /// Records the current occurrence of a reminder, and moves the reminder on to the next one.
  static func move(
    _ reminder: Reminder, to next: NextOccurrence, _ kind: CompletionKind, at now: Instant,
    zone: ZoneInfo, in db: Connection
  ) throws {
    let isCounted = next.rule != reminder.recurrenceRule || next.start != reminder.recurrenceStart
    try Completion.insert {
      Completion.Draft(
        reminderID: reminder.id, title: reminder.title, dueDate: reminder.dueDate,
        startDate: reminder.startDate, recurrenceRule: isCounted ? reminder.recurrenceRule : nil,
        recurrenceStart: isCounted ? reminder.recurrenceStart : nil, completedAt: now, kind: kind)
    }.execute(db)
    if reminder.allSubtasks > 0 {
      try Subtasks.reset(of: reminder.id, for: Int(db.lastInsertRowID), kind, at: now, in: db)
    }
    try Reminder.find(reminder.id).update {
      $0.dueDate = next.dueDate
      if next.startDate != reminder.startDate { $0.startDate = next.startDate }
      if isCounted {
        $0.recurrenceRule = next.rule
        $0.recurrenceStart = next.start
      }
      if reminder.status != .incomplete { $0.status = .incomplete }
    }.execute(db)
    try AlarmRepository.moveOn(with: reminder, to: next.dueDate, at: now, in: zone, db)
  }

  /// Completes a reminder, or moves it on to its next occurrence if it recurs.
  static func complete(
    _ reminder: Reminder, at now: Instant, in zone: ZoneInfo, _ db: Connection
  ) throws {
    if let next = NextOccurrence(of: reminder, at: now, isSkipped: false, in: zone) {
      return try move(reminder, to: next, .completed, at: now, zone: zone, in: db)
    }
    try finish(reminder.id, at: now, in: db)
  }

  /// Completes a reminder, whether it recurs or not, with what is open below it.
  static func finish(_ id: Int, at now: Instant, in db: Connection) throws {
    try Reminder.find(id).update {
      $0.status = .completed
      $0.completedAt = now
    }.execute(db)
    try Subtasks.complete(below: id, in: db)
  }

  /// Opens a completed reminder again, with what was completed below it. A trigger deletes the
  /// record.
  private static func open(_ id: Int, in db: Connection) throws {
    try Subtasks.reopen(below: id, in: db)
    try Reminder.find(id).update { $0.status = .incomplete }.execute(db)
  }

  /// Moves a reminder on to its next occurrence without completing the current one.
  ///
  /// Throws ``DomainError/notFound(_:)`` if it does not exist in `lists`, and
  /// ``DomainError/notRecurring(_:)`` if there is no next occurrence.
  public static func skip(
    _ id: Int, among lists: ListExtent, at now: Instant, in zone: ZoneInfo, _ db: Connection
  ) throws {
    let reminder = try Reminder.stored(id, among: lists, in: db)
    guard reminder.status != .completed,
      let next = NextOccurrence(of: reminder, at: now, isSkipped: true, in: zone)
    else {
      throw DomainError.notRecurring(id)
    }
    try move(reminder, to: next, .skipped, at: now, zone: zone, in: db)
  }

  /// Moves on a completed reminder if it recurs: another program has set its status.
  static func moveOn(_ id: Int, in zone: ZoneInfo, _ db: Connection) throws {
    guard var reminder = try Reminder.find(id).fetchOne(db), reminder.status == .completed,
      let completed = reminder.completedAt,
      let next = NextOccurrence(of: reminder, at: completed, isSkipped: false, in: zone)
    else { return }
    // What was completed with its parent does not move on, and opens with it.
    if let record = try newest(of: id).fetchOne(db) {
      guard record.causeID == nil, record.followsID == nil || record.followsID == id else { return }
    }
    // A trigger has recorded the completion.
    try open(id, in: db)
    reminder.status = .incomplete
    try move(reminder, to: next, .completed, at: completed, zone: zone, in: db)
  }

  // MARK: Undoing

  /// Undoes the newest completion of a reminder, or the newest skip.
  ///
  /// Throws ``DomainError/notFound(_:)`` if it does not exist in `lists`, and
  /// ``DomainError/nothingToUndo(_:)`` if it is open and nothing is recorded.
  public static func reopen(
    _ id: Int, among lists: ListExtent, zone: ZoneInfo = .utc, in db: Connection
  ) throws {
    let reminder = try Reminder.stored(id, among: lists, in: db)
    guard reminder.status == .incomplete else {
      return try open(id, in: db)
    }
    // What was completed with its parent is open again when that moves on.
    guard let newest = try newest(of: id).fetchOne(db), newest.causeID == nil else {
      throw DomainError.nothingToUndo(id)
    }
    try undo(newest, of: reminder, zone, db)
  }

  /// Undoes a completion, which must be the newest one of its reminder.
  ///
  /// Throws ``DomainError/notFound(_:)`` if it does not exist in `lists`, and
  /// ``DomainError/notTheNewest(_:)`` if there is a newer one.
  public static func undo(
    _ id: Int, among lists: ListExtent, zone: ZoneInfo = .utc, in db: Connection
  ) throws {
    guard let completion = try Completion.find(id).fetchOne(db),
      let reminder = try Reminder.find(completion.reminderID).fetchOne(db),
      lists.contains(reminder.remindersListID)
    else { throw DomainError.notFound(.completion(id)) }
    guard try newest(of: reminder.id).fetchOne(db)?.id == id else {
      throw DomainError.notTheNewest(id)
    }
    guard reminder.status != .completed else {
      return try reopen(reminder.id, among: lists, zone: zone, in: db)
    }
    try undo(completion, of: reminder, zone, db)
  }

  private static func undo(
    _ completion: Completion, of reminder: Reminder, _ zone: ZoneInfo, _ db: Connection
  ) throws {
    try Subtasks.undo(completion, in: db)
    try Completion.find(completion.id).delete().execute(db)
    // Dates that are not possible any more stay as they are.
    let isPossible =
      completion.causeID == nil && (completion.dueDate != nil || reminder.recurrenceRule == nil)
    let start = completion.startDate.flatMap { start in
      guard let due = completion.dueDate else { return start }
      return start.isTimed == due.isTimed && start.stored <= due.stored ? start : nil
    }
    try Reminder.find(reminder.id).update {
      $0.status = .incomplete
      if isPossible {
        $0.dueDate = completion.dueDate
        $0.startDate = start
      }
      // Unless the recurrence has changed since.
      if let rule = completion.recurrenceRule, reminder.recurrenceRule == countedDown(rule) {
        $0.recurrenceRule = rule
        $0.recurrenceStart = completion.recurrenceStart
      }
    }.execute(db)
    if isPossible {
      try AlarmRepository.shift(with: reminder, to: completion.dueDate, in: zone, db)
    }
  }

  private static func countedDown(_ rule: String) -> String? {
    (try? RecurrenceRule(rule))?.countedDown().description
  }

  private static func newest(of reminder: Int) -> some Statement<Completion> {
    Completion.where { $0.reminderID == reminder }.order { $0.id.desc() }.limit(1)
  }

  // MARK: Reading

  /// Which completions are asked for. All conditions that are set must hold.
  public struct Filter: Sendable {
    /// Only those of this reminder.
    public var reminderID: Int?
    /// Only those of reminders that are now in this list.
    public var listID: Int?
    /// The lists that the caller may access.
    public var lists = ListExtent.all
    /// Only those after this day or instant.
    public var after: DueDate?
    /// Only those before this day or instant.
    public var before: DueDate?
    /// The zone of the days.
    public var zone = ZoneInfo.utc

    /// All completions.
    public init() {}
  }

  /// A page of completions, the newest first. Throws ``InvalidCursor`` if the cursor belongs to
  /// another filter.
  public static func page(
    _ filter: Filter, _ request: PageRequest
  ) throws(InvalidCursor) -> PageQuery {
    var hash = Fingerprint("completions")
    hash.combine(filter.reminderID.map { "\($0)" })
    hash.combine(filter.listID.map { "\($0)" })
    hash.combine(filter.after.map { "\($0)" })
    hash.combine(filter.before.map { "\($0)" })
    hash.combine(filter.zone.identifier)
    let fingerprint = hash.value
    let after = try request.keys(for: fingerprint)
    var beyond: (time: String, id: Int)?
    if let after {
      guard after.count == 2, let time = after[0].text, let id = after[1].integer else {
        throw InvalidCursor()
      }
      beyond = (time, Int(id))
    }
    return PageQuery(
      segments: [
        { [beyond] limit in
          matching(filter, beyond: beyond)
            .order { completion, _ in (completion.completedAt.desc(), completion.id.desc()) }
            .limit(limit)
            .select { completion, reminder in completion.item(reminder) }
            .query(hiding: [Completion.columns.completedAt, Completion.columns.id])
        }
      ],
      keyCount: 2, limit: request.limit, fingerprint: fingerprint,
      total: request.wantsTotal ? matching(filter, beyond: nil).count.query : nil)
  }

  /// The completions of reminders that are there. Those of a deleted one are kept for a restore.
  private static func matching(
    _ filter: Filter, beyond: (time: String, id: Int)?
  ) -> Select<(Completion.TableColumns, Reminder.TableColumns), (Completion, Reminder), ()> {
    Completion.join(Reminder.all) { $1.id == $0.reminderID }
      .where { completion, reminder in
        if let id = filter.reminderID { completion.reminderID == id }
        if let list = filter.listID { reminder.remindersListID == list }
        if let extent = filter.lists.condition(reminder) { extent }
        if let after = filter.after { completion.completedAt >= after.end(in: filter.zone) }
        if let before = filter.before { completion.completedAt < before.start(in: filter.zone) }
        if let beyond {
          #sql(
            """
            (\(completion.completedAt), \(completion.id)) \
            < (\(bind: beyond.time), \(bind: beyond.id))
            """, as: Bool.self)
        }
      }
  }
}

extension Completion.TableColumns {
  fileprivate func item(_ reminder: Reminder.TableColumns) -> CompletionItem.Columns {
    CompletionItem.Columns(
      id: id, reminderID: reminderID, listID: reminder.remindersListID, title: title,
      dueDate: dueDate, startDate: startDate, completedAt: completedAt, kind: kind)
  }
}
