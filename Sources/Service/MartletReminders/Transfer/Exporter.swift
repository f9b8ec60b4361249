import MartletICalendar
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// Exports lists, tags, reminders, completions and smart lists one record at a time, in constant
/// memory.
public enum Exporter {
  /// Passes every record in `lists` to `body`, and returns their numbers. All records show the
  /// snapshot of the read that this runs in.
  @discardableResult
  public static func export(
    among lists: ListExtent = .all, in db: Connection,
    _ body: (TransferRecord) throws -> Void
  ) throws -> TransferCounts {
    var counts = TransferCounts()
    func tell(_ record: TransferRecord) throws {
      counts.add(record)
      try body(record)
    }
    let listRows =
      try RemindersList
      .where { if let extent = lists.condition($0.id) { extent } }
      .order { ($0.position, $0.id) }
      .fetchCursor(db)
    while let list = try listRows.next() {
      try tell(
        .list(
          TransferList(
            id: list.id, title: list.title, color: list.color, uid: list.uid,
            createdAt: list.createdAt,
            updatedAt: list.updatedAt)))
    }
    let tagRows =
      try Tag
      .where { if let use = $0.use(among: lists) { use } }
      .order(by: \.title)
      .fetchCursor(db)
    while let tag = try tagRows.next() { try tell(.tag(tag.title)) }
    let reminderRows =
      try RemindersList
      .join(Reminder.all) { $1.remindersListID == $0.id }
      .leftJoin(CalendarObject.all) { $2.reminderID == $1.id }
      .where { list, _, _ in if let extent = lists.condition(list.id) { extent } }
      .order { list, reminder, _ in (list.position, list.id, reminder.position, reminder.id) }
      .select { _, reminder, calendar in
        (
          reminder.item, calendar.lines, reminder.uidOfParent(awaited: calendar.parentUID)
        )
      }
      .fetchCursor(db)
    // In the order of the reminders.
    let completions =
      try RemindersList
      .join(Reminder.all) { $1.remindersListID == $0.id }
      .join(Completion.all) { $2.reminderID == $1.id }
      .where { list, _, _ in if let extent = lists.condition(list.id) { extent } }
      .order { list, reminder, completion in
        (list.position, list.id, reminder.position, reminder.id, completion.id)
      }
      .select { _, _, completion in completion }
      .fetchCursor(db)
    var completion = try completions.next()
    while let (item, calendar, parent) = try reminderRows.next() {
      // Another program may have left lines that an import refuses.
      var reminder = TransferReminder(item, calendar: calendar.flatMap { KeptLines.valid($0) })
      reminder.parentUID = parent
      try tell(.reminder(reminder))
      while let next = completion, next.reminderID == item.id {
        try tell(.completion(TransferCompletion(next)))
        completion = try completions.next()
      }
    }
    // What they name may be in other lists.
    if lists == .all {
      for list in try SmartListRepository.all(in: db) {
        try tell(.smartList(TransferSmartList(list)))
      }
    }
    return counts
  }
}

extension Reminder.TableColumns {
  /// The UID of the parent, or of the one that is awaited.
  func uidOfParent(
    awaited: some QueryExpression<String?>
  ) -> SQLQueryExpression<String?> {
    #sql(
      """
      coalesce((SELECT parent.uid FROM reminders AS parent WHERE parent.id = \(parentID)), \
      \(awaited))
      """, as: String?.self)
  }
}

extension TransferSmartList {
  init(_ list: SmartList) {
    var values = SmartListRepository.Values()
    values.uid = list.uid
    values.title = list.title
    values.color = list.color
    values.icon = list.icon
    values.filter = SmartList.members(of: list.filter)
    values.sort = .some(list.sort)
    self.init(values, createdAt: list.createdAt, updatedAt: list.updatedAt)
  }
}

extension TransferReminder {
  init(_ item: ReminderItem, calendar: String?) {
    var values = ReminderRepository.Values()
    values.uid = item.uid
    values.listID = item.listID
    values.title = item.title
    values.notes = item.notes
    values.dueDate = .some(item.dueDate)
    values.parentID = .some(item.parentID)
    values.startDate = .some(item.startDate)
    values.timeZone = .some(item.timeZone)
    values.recurrence = .some(item.recurrence.flatMap(Recurrence.Values.init))
    values.priority = .some(item.priority)
    values.isFlagged = item.isFlagged
    values.status = item.status
    values.tags = item.tags
    self.init(
      id: item.id, values, createdAt: item.createdAt, updatedAt: item.updatedAt,
      completedAt: item.completedAt, calendar: calendar)
    alarms = item.alarms.compactMap { TransferAlarm($0) }
  }
}

extension TransferAlarm {
  /// An alarm; `nil` if another program wrote an invalid offset.
  init?(_ alarm: AlarmSummary) {
    let anchor = ReminderAlarm.Anchor.allCases.first { $0.label == alarm.from }
    guard let moment = AlarmTrigger.Moment(at: alarm.at, offset: alarm.offset, from: anchor) else {
      return nil
    }
    let repetition = alarm.repeat.flatMap {
      AlarmTrigger.Repetition(every: $0.every, times: $0.times)
    }
    self.init(
      AlarmTrigger(moment, repetition: repetition), snoozedUntil: alarm.snoozedUntil,
      acknowledgedAt: alarm.acknowledgedAt)
  }
}

extension TransferCompletion {
  init(_ completion: Completion) {
    self.init(
      reminderID: completion.reminderID, title: completion.title, dueDate: completion.dueDate,
      startDate: completion.startDate, completedAt: completion.completedAt, kind: completion.kind)
    id = completion.id
    rule = completion.recurrenceRule.flatMap { try? RecurrenceRule($0) }
    start = rule == nil ? nil : completion.recurrenceStart
    causeID = completion.causeID
    // A JSON array of IDs.
    subtasks = (completion.subtasks ?? "").split { "[,]".contains($0) }.compactMap { Int($0) }
  }
}

extension Recurrence.Values {
  /// The recurrence of a reminder; `nil` if another program wrote a rule that cannot be evaluated.
  init?(_ item: RecurrenceItem) {
    guard let rule = try? RecurrenceRule(item.rule) else { return nil }
    self.rule = rule
    basis = item.basis
    start = .some(item.start)
    excluded = item.excluded.compactMap { try? DueDate($0) }
  }
}
