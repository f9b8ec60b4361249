import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

@testable import MartletReminders

/// The expected content of a page, computed in plain Swift over all rows.
struct Oracle {
  var reminders: [Reminder]
  let lists: [Int: RemindersList]
  let tags: [Int: [String]]

  init(_ db: Connection) throws {
    reminders = try Reminder.all.fetchAll(db)
    lists = Dictionary(uniqueKeysWithValues: try RemindersList.all.fetchAll(db).map { ($0.id, $0) })
    tags = Dictionary(grouping: try ReminderTag.all.fetchAll(db), by: \.reminderID)
      .mapValues { $0.map { $0.tagID.lowercased() } }
  }

  func ids(_ filter: ReminderFilter, _ sort: ReminderSort, now: Instant) -> [Int] {
    reminders.filter { matches($0, filter, now) }
      .sorted { comesBefore($0, $1, sort, isAcrossLists: filter.listID == nil) }
      .map(\.id)
  }

  // MARK: Order

  private func comesBefore(
    _ left: Reminder, _ right: Reminder, _ sort: ReminderSort, isAcrossLists: Bool
  ) -> Bool {
    if sort.key == .list, isAcrossLists {
      return place(left).lexicographicallyPrecedes(place(right))
    }
    switch (key(left, sort.key), key(right, sort.key)) {
    case (nil, nil): return (left.id < right.id) != sort.isDescending
    case (nil, _?): return false
    case (_?, nil): return true
    case (let first?, let second?):
      if first == second { return (left.id < right.id) != sort.isDescending }
      return first.lexicographicallyPrecedes(second) != sort.isDescending
    }
  }

  private func place(_ reminder: Reminder) -> [Int] {
    let list = lists[reminder.remindersListID]
    return [list?.position ?? -1, list?.id ?? -1, reminder.position ?? -1, reminder.id]
  }

  /// The sort key as bytes that compare like the key in SQLite.
  private func key(_ reminder: Reminder, _ key: ReminderSort.Key) -> [UInt8]? {
    func bytes(_ number: Int?) -> [UInt8]? {
      number.map { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    }
    return switch key {
    case .list, .position: bytes(reminder.position)
    case .dueDate: reminder.dueDate.map { Array($0.stored.utf8) }
    case .startDate: reminder.startDate.map { Array($0.stored.utf8) }
    case .title: Tag.key(reminder.title)
    case .priority: bytes(reminder.priority?.rawValue)
    case .createdAt: bytes(reminder.createdAt.map { Int($0.milliseconds) })
    case .updatedAt: bytes(reminder.updatedAt.map { Int($0.milliseconds) })
    case .completedAt: bytes(reminder.completedAt.map { Int($0.milliseconds) })
    }
  }

  // MARK: Filter

  private func matches(_ reminder: Reminder, _ filter: ReminderFilter, _ now: Instant) -> Bool {
    let isOpen = reminder.status != .completed
    if let list = filter.listID, reminder.remindersListID != list { return false }
    if let status = filter.status, reminder.status != status { return false }
    if let isCompleted = filter.isCompleted, isCompleted == isOpen { return false }
    if let isFlagged = filter.isFlagged, reminder.isFlagged != isFlagged { return false }
    if !filter.listIDs.isEmpty, !filter.listIDs.contains(reminder.remindersListID) { return false }
    switch filter.parent {
    case .reminder(let id)?: if reminder.parentID != id { return false }
    case ReminderFilter.Parent.none?: if reminder.parentID != nil { return false }
    case nil: break
    }
    if !filter.priorities.isEmpty {
      guard let priority = reminder.priority, filter.priorities.contains(priority) else {
        return false
      }
    }
    if let isRecurring = filter.isRecurring, isRecurring == (reminder.recurrenceRule == nil) {
      return false
    }
    let carried = tags[reminder.id] ?? []
    if !filter.tags.allSatisfy({ carried.contains($0.lowercased()) }) { return false }
    if let text = filter.text, !matches(reminder, carried, text) { return false }
    let zone = filter.zone
    let today = zone.time(at: now).date
    let due = reminder.dueDate.map { Due($0.stored, in: zone) }
    switch filter.due {
    case .today?: if !isOpen || due?.day != today { return false }
    case .overdue?: if !isOpen || due?.isBefore(now, today) != true { return false }
    case .scheduled?: if !isOpen || due == nil { return false }
    case ReminderFilter.Due.none?: if !isOpen || due != nil { return false }
    case nil: break
    }
    if let isAvailable = filter.isAvailable {
      let start = reminder.startDate.map { Due($0.stored, in: zone) }
      if isAvailable == (start?.isAfter(now, today) ?? false) { return false }
    }
    if let days = filter.dueWithin {
      guard isOpen, let due, due.day <= today.adding(days: days) else { return false }
    }
    switch filter.dueBefore {
    case .day(let day)?: if !(due.map { $0.day < day } ?? false) { return false }
    case .instant(let instant)?:
      if due?.isBefore(instant, zone.time(at: instant).date) != true { return false }
    case nil: break
    }
    switch filter.dueAfter {
    case .day(let day)?: if !(due.map { $0.day > day } ?? false) { return false }
    case .instant(let instant)?:
      if due?.isAfter(instant, zone.time(at: instant).date) != true { return false }
    case nil: break
    }
    return true
  }

  private struct Due {
    /// `nil` for a bare date.
    let instant: Instant?
    /// The local day.
    let day: CivilDate

    init(_ text: String, in zone: ZoneInfo) {
      instant = SQLiteTime.parse(text)
      day = instant.map { zone.time(at: $0).date } ?? CivilDate(text) ?? CivilDate(utc: .epoch)
    }

    func isBefore(_ other: Instant, _ day: CivilDate) -> Bool {
      instant.map { $0 < other } ?? (self.day < day)
    }
    func isAfter(_ other: Instant, _ day: CivilDate) -> Bool {
      instant.map { $0 > other } ?? (self.day > day)
    }
  }

  /// Matches texts of plain words, the last of which may be incomplete.
  private func matches(_ reminder: Reminder, _ tags: [String], _ text: SearchText) -> Bool {
    let words = ([reminder.title, reminder.notes] + tags).joined(separator: " ").lowercased()
      .split { !$0.isLetter && !$0.isNumber }
    return text.words.enumerated().allSatisfy { index, word in
      index == text.words.count - 1
        ? words.contains { $0.hasPrefix(word) } : words.contains { $0 == word }
    }
  }
}
