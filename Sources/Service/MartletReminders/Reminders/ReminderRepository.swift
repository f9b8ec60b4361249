import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// Reads and changes reminders and their tags. Every function that takes a connection runs in that
/// connection's transaction.
public enum ReminderRepository {
  /// The fields of a reminder that a client can set. Outer `nil` leaves a field unchanged; inner
  /// `nil` clears it.
  public struct Values: Equatable, Sendable {
    /// The list to move the reminder to.
    public var listID: Int?
    /// The reminder that this one is a part of.
    public var parentID: Int??
    /// The title, at most 1,000 characters.
    public var title: String?
    /// The notes, at most 100,000 characters.
    public var notes: String?
    /// The due date.
    public var dueDate: DueDate??
    /// From when on it can be done.
    public var startDate: DueDate??
    /// The name of the zone of its times of day, which must exist.
    public var timeZone: String??
    /// How it recurs.
    public var recurrence: Recurrence.Values??
    /// The priority.
    public var priority: Reminder.Priority??
    /// Whether the reminder is flagged.
    public var isFlagged: Bool?
    /// The status.
    public var status: Reminder.Status?
    /// The titles of all tags, which replace the existing ones.
    public var tags: [String]?
    /// The alarms, which replace the existing ones. `nil` for a new reminder: the default ones.
    public var alarms: [AlarmTrigger]?
    /// The UID; only for a new reminder.
    public var uid: String?

    /// Values that set nothing.
    public init() {}
  }

  /// The query of a single reminder, as a ``ReminderItem``. It has no row if the reminder is not in
  /// `lists`.
  public static func item(_ id: Int, among lists: ListExtent = .all) -> Query {
    guard case .only = lists else { return byID(id) }
    return Reminder.find(id).where { if let extent = lists.condition($0) { extent } }
      .select { $0.item }.query
  }

  private static let byID = PreparedQuery<Int> { id in Reminder.find(id).select { $0.item } }

  /// A page of reminders. Throws ``InvalidCursor`` if the cursor belongs to another filter or sort
  /// order.
  public static func page(
    _ filter: ReminderFilter, sort: ReminderSort, _ request: PageRequest, now: Instant
  ) throws(InvalidCursor) -> PageQuery {
    try ReminderPages(filter: filter, sort: sort, request: request, now: now).page()
  }

  /// Creates a reminder and returns its ID.
  ///
  /// A trigger checks that the list exists. Throws ``RuleViolation/unknownList`` for a list outside
  /// `lists`, ``RuleViolation/tooManyTags`` for more than five different tags, and
  /// ``DomainError/uidExists(_:at:)`` if a reminder of the list has the UID, before anything is
  /// written.
  ///
  /// - Parameters:
  ///   - zone: The zone of a reminder that recurs at a time of day and names none.
  ///   - isImport: Whether a completed reminder that recurs stays completed for now. The importer
  ///     does not know yet whether it was completed with its parent; ``FollowUps`` moves it on.
  public static func create(
    _ values: Values, among lists: ListExtent = .all, at now: Instant = Clock.system.now(),
    zone: ZoneInfo = .utc, isImport: Bool = false, in db: Connection
  ) throws -> Int {
    var values = values
    if let parent = values.parentID ?? nil {
      values.listID = try self.list(ofParent: parent, for: values, lists, db)
    }
    if let list = values.listID, !lists.contains(list) { throw RuleViolation.unknownList }
    let tags = try distinct(values.tags ?? [])
    if let uid = values.uid, let id = try withUID(uid, in: values.listID ?? 0).fetchOne(db) {
      throw DomainError.uidExists(uid, at: .reminder(id))
    }
    var row = Reminder(id: 0, remindersListID: values.listID ?? 0)
    row.apply(values)
    try row.change(values.recurrence, in: zone)
    let query = insertion(
      row.remindersListID, row.parentID, row.title, row.notes, row.startDate, row.dueDate,
      row.timeZone, row.recurrenceRule, row.recurrenceBasis, row.recurrenceStart,
      row.recurrenceExcluded, row.priority, row.isFlagged, row.status, values.uid ?? UID.make())
    try db.statement(for: query).run()
    let id = Int(db.lastInsertRowID)
    if values.uid != nil { try AwaitedParents.join(around: id, in: db) }
    for tag in tags { try add(tag: tag, to: id, in: db) }
    if let alarms = values.alarms, !alarms.isEmpty {
      try AlarmRepository.replace(id, with: alarms, at: now, in: zone, db)
    }
    if values.status == .completed, values.recurrence != nil, !isImport {
      try CompletionRepository.moveOn(id, in: zone, db)
    }
    return id
  }

  /// Throws what ``create(_:among:at:zone:isImport:in:)`` would throw because of the dates and the
  /// recurrence.
  public static func check(_ values: Values) throws {
    var row = Reminder(id: 0, remindersListID: 0)
    row.apply(values)
    try row.change(values.recurrence, in: .utc)
  }

  /// The list of a parent. Throws ``RuleViolation/unknownParent`` if the parent is not in `lists`,
  /// and ``RuleViolation/parentList`` if the values name another list.
  private static func list(
    ofParent parent: Int, for values: Values, _ lists: ListExtent, _ db: Connection
  ) throws -> Int {
    let list = try Reminder.find(parent).select(\.remindersListID).fetchOne(db)
    guard let list, lists.contains(list) else { throw RuleViolation.unknownParent }
    guard values.listID == nil || values.listID == list else { throw RuleViolation.parentList }
    return list
  }

  /// The ID of the reminder of a list that has a UID. `eq`, because `IS` does not use an index of
  /// the rows that are not NULL.
  static func withUID(_ uid: String, in list: Int) -> some Statement<Int> {
    Reminder.where { $0.uid.eq(uid) && $0.remindersListID == list }.select(\.id)
  }

  /// A row with all that a trigger would set afterwards.
  private static let insertion = PreparedQuery<
    Int, Int?, String, String, DueDate?, DueDate?, String?, String?, Recurrence.Basis, DueDate?,
    String?, Reminder.Priority?, Bool, Reminder.Status, String
  > {
    list, parent, title, notes, startDate, due, zone, rule, basis, seriesStart, excluded, priority,
    flag, status, uid in
    Reminder.insert {
      (
        $0.remindersListID, $0.parentID, $0.title, $0.notes, $0.startDate, $0.dueDate,
        $0.timeZone, $0.recurrenceRule, $0.recurrenceBasis, $0.recurrenceStart,
        $0.recurrenceExcluded, $0.priority, $0.isFlagged, $0.status, $0.uid, $0.position,
        $0.createdAt, $0.updatedAt
      )
    } values: {
      (
        list, parent, title, notes, startDate, due, zone, rule, basis, seriesStart, excluded,
        priority, flag, status, uid, Reminder.nextPosition(in: list),
        SQLQueryExpression<Instant>("\(sqliteNow)"), SQLQueryExpression<Instant>("\(sqliteNow)")
      )
    }
  }

  /// Changes the fields that differ from the stored values. If all are equal, the reminder is not
  /// touched. A reminder that recurs and is completed moves on to its next occurrence.
  ///
  /// Throws ``DomainError/notFound(_:)`` if the reminder does not exist in `lists`. Throws
  /// ``RuleViolation/unknownList`` for a list outside `lists` and ``RuleViolation/tooManyTags`` for
  /// more than five different tags, before anything is written.
  ///
  /// - Parameters:
  ///   - now: The time of a completion.
  ///   - zone: The zone of a reminder that recurs at a time of day and names none.
  ///   - fixed: The default alarms that the operator has set; `nil`: a due date gets no alarms.
  public static func update(
    _ id: Int, _ values: Values, among lists: ListExtent = .all, at now: Instant,
    zone: ZoneInfo = .utc, fixed: DefaultAlarms.Values? = nil, in db: Connection
  ) throws {
    let old = try Reminder.stored(id, among: lists, in: db)
    if let list = values.listID, !lists.contains(list) { throw RuleViolation.unknownList }
    var values = values
    if values.parentID == old.parentID { values.parentID = nil }
    if let parent = values.parentID ?? nil {
      values.listID = try self.list(ofParent: parent, for: values, lists, db)
    }
    let tags = try values.tags.map(distinct)
    if let list = values.listID, list != old.remindersListID, let uid = old.uid,
      let other = try withUID(uid, in: list).fetchOne(db)
    {
      throw DomainError.uidInList(uid, at: .reminder(other))
    }
    var new = old
    new.apply(values)
    try new.change(values.recurrence, in: zone)
    let isCompleted = new.status == .completed && old.status != .completed
    let next = isCompleted ? NextOccurrence(of: new, at: now, isSkipped: false, in: zone) : nil
    if next != nil { new.status = old.status }
    if isCompleted, next == nil { new.completedAt = now }
    let isOpened = old.status == .completed && new.status != .completed
    if isOpened, old.allSubtasks > 0 { try Subtasks.reopen(below: id, in: db) }
    try write(new, over: old, db)
    if new.status == .completed, old.status != .completed, old.allSubtasks > 0 {
      try Subtasks.complete(below: id, in: db)
    }
    if new.remindersListID != old.remindersListID, old.allSubtasks > 0 {
      try Subtasks.place(behind: id, in: db)
    }
    if new.remindersListID != old.remindersListID || new.parentID != old.parentID {
      try AwaitedParents.join(around: id, from: old.parentID, in: db)
    }
    if let tags { try replaceTags(of: id, with: tags, in: db) }
    if let alarms = values.alarms {
      try AlarmRepository.replace(id, with: alarms, at: now, in: zone, db)
    } else if let fixed, values.dueDate != nil {
      try AlarmRepository.followDefaults(
        fixed: fixed, from: old.dueDate, to: new, at: now, in: zone, db)
    }
    if let next {
      try CompletionRepository.move(new, to: next, .completed, at: now, zone: zone, in: db)
    } else if old.alarmCount > 0 {
      try AlarmRepository.settle(of: id, at: now, in: zone, db)
    }
    // A completed reminder that recurs from now on moves on at once.
    if old.status == .completed, new.status == .completed, new.recurrenceRule != old.recurrenceRule
    {
      try CompletionRepository.moveOn(id, in: zone, db)
    }
  }

  /// Stores the columns that differ.
  private static func write(_ new: Reminder, over old: Reminder, _ db: Connection) throws {
    try Reminder.find(new.id).update {
      if new.remindersListID != old.remindersListID { $0.remindersListID = new.remindersListID }
      if new.parentID != old.parentID { $0.parentID = new.parentID }
      // Compared by bytes: Swift's string equality treats composed and decomposed letters as equal.
      if !new.title.utf8.elementsEqual(old.title.utf8) { $0.title = new.title }
      if !new.notes.utf8.elementsEqual(old.notes.utf8) { $0.notes = new.notes }
      if new.dueDate != old.dueDate { $0.dueDate = new.dueDate }
      if new.startDate != old.startDate { $0.startDate = new.startDate }
      if new.timeZone != old.timeZone { $0.timeZone = new.timeZone }
      if new.recurrenceRule != old.recurrenceRule { $0.recurrenceRule = new.recurrenceRule }
      if new.recurrenceBasis != old.recurrenceBasis { $0.recurrenceBasis = new.recurrenceBasis }
      if new.recurrenceStart != old.recurrenceStart { $0.recurrenceStart = new.recurrenceStart }
      if new.recurrenceExcluded != old.recurrenceExcluded {
        $0.recurrenceExcluded = new.recurrenceExcluded
      }
      if new.priority != old.priority { $0.priority = new.priority }
      if new.isFlagged != old.isFlagged { $0.isFlagged = new.isFlagged }
      if new.status != old.status { $0.status = new.status }
      if new.completedAt != old.completedAt { $0.completedAt = new.completedAt }
    }.execute(db)
  }

  /// Deletes a reminder, into the trash unless `isPermanent`. Throws ``DomainError/notFound(_:)``
  /// if it does not exist in `lists`.
  public static func delete(
    _ id: Int, among lists: ListExtent = .all, isPermanent: Bool = false, in db: Connection
  ) throws {
    let parent = try Reminder.stored(id, among: lists, in: db).parentID
    try Reminder.find(id).delete().execute(db)
    if isPermanent { try TrashRepository.erase(.reminder, id, in: db) }
    if parent != nil { try AwaitedParents.join(around: id, from: parent, in: db) }
  }

  /// Orders a list's reminders as in `ids`, which must contain each of them exactly once. Throws
  /// ``DomainError/incompleteOrder(missing:unknown:repeated:)`` otherwise.
  public static func order(_ ids: [Int], ofList list: Int, in db: Connection) throws {
    guard try RemindersList.exists(list, in: db) else {
      throw DomainError.notFound(.list(list))
    }
    try OrderedRows.reminders(ofList: list).order(ids, in: db)
  }

  /// Moves a reminder within its list.
  ///
  /// Throws ``DomainError/notFound(_:)`` if it does not exist in `lists`, and
  /// ``DomainError/invalid(_:_:)`` if the destination names no other reminder of the list.
  public static func move(
    _ id: Int, _ destination: Destination, among lists: ListExtent = .all, in db: Connection
  ) throws {
    guard let list = try Reminder.find(id).select(\.remindersListID).fetchOne(db),
      lists.contains(list),
      try OrderedRows.reminders(ofList: list).move(id, destination, in: db)
    else { throw DomainError.notFound(.reminder(id)) }
  }

  /// Throws if the reminder is not in `lists`.
  private static func check(_ id: Int, _ lists: ListExtent, _ db: Connection) throws {
    guard case .only = lists else { return }
    let list = try Reminder.find(id).select(\.remindersListID).fetchOne(db)
    guard let list, lists.contains(list) else { throw DomainError.notFound(.reminder(id)) }
  }

  // MARK: Tags

  /// Adds a tag to a reminder, and creates the tag if it is new. Has no effect if the reminder
  /// already carries it.
  ///
  /// Throws ``DomainError/notFound(_:)`` if the reminder does not exist in `lists`.
  public static func tag(
    _ id: Int, with tag: String, among lists: ListExtent = .all, in db: Connection
  ) throws {
    guard try Reminder.find(id).exists(in: db) else { throw DomainError.notFound(.reminder(id)) }
    try check(id, lists, db)
    try add(tag: tag, to: id, in: db)
  }

  /// Removes a tag from a reminder. Throws ``DomainError/notFound(_:)`` if the reminder does not
  /// exist in `lists` or does not carry the tag.
  public static func untag(
    _ id: Int, from tag: String, among lists: ListExtent = .all, in db: Connection
  ) throws {
    try check(id, lists, db)
    let removed = try ReminderTag.where { $0.reminderID == id && $0.tagID == tag }
      .delete().returning(\.id).fetchOne(db)
    guard removed == nil else { return }
    guard try Reminder.find(id).exists(in: db) else { throw DomainError.notFound(.reminder(id)) }
    throw DomainError.notFound(.tagging(tag, reminder: id))
  }

  /// The different tags, each in its first spelling.
  private static func distinct(_ tags: [String]) throws -> [String] {
    var keys: Set<[UInt8]> = []
    var distinct: [String] = []
    for tag in tags where keys.insert(Tag.key(tag)).inserted {
      guard distinct.count < Reminder.mostTags else { throw RuleViolation.tooManyTags }
      distinct.append(tag)
    }
    return distinct
  }

  private static func replaceTags(of id: Int, with tags: [String], in db: Connection) throws {
    let stored = try ReminderTag.where { $0.reminderID == id }.select(\.tagID).fetchAll(db)
    let wanted = Set(tags.map(Tag.key))
    let known = Set(stored.map(Tag.key))
    // Tags are removed before others are added, so that five can be replaced by five others.
    for tag in stored where !wanted.contains(Tag.key(tag)) {
      try ReminderTag.where { $0.reminderID == id && $0.tagID == tag }.delete().execute(db)
    }
    for tag in tags where !known.contains(Tag.key(tag)) { try add(tag: tag, to: id, in: db) }
  }

  private static func add(tag: String, to id: Int, in db: Connection) throws {
    try Tag.insert { Tag.Columns(title: tag) }.onConflictDoNothing().execute(db)
    try ReminderTag.insert { ReminderTag.Draft(reminderID: id, tagID: tag) }
      .onConflictDoNothing().execute(db)
  }
}

extension Reminder {
  /// Sets the changed fields that are columns of their own.
  fileprivate mutating func apply(_ values: ReminderRepository.Values) {
    remindersListID = values.listID ?? remindersListID
    parentID = values.parentID ?? parentID
    title = values.title ?? title
    notes = values.notes ?? notes
    // Another program may have left out the start of the series: it is the due date until then.
    if recurrenceRule != nil, values.dueDate != nil {
      recurrenceStart = recurrenceStart ?? dueDate
    }
    dueDate = values.dueDate ?? dueDate
    startDate = values.startDate ?? startDate
    timeZone = values.timeZone ?? timeZone
    priority = values.priority ?? priority
    isFlagged = values.isFlagged ?? isFlagged
    status = values.status ?? status
  }
}

extension ReminderRepository.Values {
  /// The values of a new reminder, with the default alarm of its due date unless they have alarms.
  ///
  /// - Parameter fixed: The default alarms that the operator has set.
  public func withDefaultAlarms(
    fixed: DefaultAlarms.Values, in db: Connection
  ) throws -> ReminderRepository.Values {
    guard alarms == nil, let due = dueDate ?? nil else { return self }
    var values = self
    values.alarms = try DefaultAlarms.stored(fixed: fixed, in: db).triggers(of: due)
    return values
  }
}
