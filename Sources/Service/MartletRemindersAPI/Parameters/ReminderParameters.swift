import MartletLiveAPI
import MartletReminders
import MartletTime

extension QueryParameters {
  /// Reads the filters of `GET /v1/reminders`.
  ///
  /// - Parameter list: The list in the path. If it is given, there is no parameter `listID`.
  ///
  /// `listID` and `priority` may be repeated: a reminder matches with any of the values.
  mutating func reminderFilter(_ context: Context, ofList list: Int? = nil) -> ReminderFilter {
    reminderFilter(zone: context.settings.timeZone, ofList: list)
  }

  /// The same with another default of `timeZone`.
  mutating func reminderFilter(zone: ZoneInfo, ofList list: Int? = nil) -> ReminderFilter {
    var filter = ReminderFilter()
    filter.listID = list
    if list == nil {
      let ids = integers("listID", in: 1...Int.max)
      if ids.count == 1 { filter.listID = ids[0] } else { filter.listIDs = Set(ids) }
    }
    filter.parent = value("parentID", expected: "the ID of a reminder, or none") { text in
      if text == "none" { return ReminderFilter.Parent.none }
      guard let id = Int(text), id > 0, String(id) == text else { return nil }
      return .reminder(id)
    }
    filter.status = oneOf(
      "status",
      [
        "incomplete": Reminder.Status.incomplete, "completing": .completing,
        "completed": .completed,
      ])
    filter.isCompleted = bool("completed")
    filter.isFlagged = bool("flagged")
    filter.priorities = Set(
      anyOf("priority", ["low": Reminder.Priority.low, "medium": .medium, "high": .high]))
    filter.isRecurring = bool("recurring")
    filter.isAvailable = bool("available")
    filter.tags = strings("tag").compactMap { tag in
      switch TagTitle.read(tag) {
      case .success(let title): return title
      case .failure(let reason):
        fail("tag", reason.detail)
        return nil
      }
    }
    filter.due = oneOf(
      "due",
      [
        "today": ReminderFilter.Due.today, "overdue": .overdue, "scheduled": .scheduled,
        "none": .none,
      ])
    filter.dueWithin = days("dueWithin")
    filter.dueBefore = dueDate("dueBefore")
    filter.dueAfter = dueDate("dueAfter")
    filter.text = text("q")
    filter.zone = timeZone(else: zone)
    return filter
  }

  /// Reads `sort`, such as `sort=dueDate` or, for descending order, `sort=-dueDate`.
  mutating func reminderSort() -> ReminderSort {
    let names = ReminderSort.Key.named.map(\.rawValue).joined(separator: ", ")
    return value("sort", expected: "one of \(names); - before it sorts descending") { text in
      let isDescending = text.hasPrefix("-")
      guard
        let key = ReminderSort.Key(rawValue: String(isDescending ? text.dropFirst() : text[...])),
        ReminderSort.Key.named.contains(key)
      else { return nil }
      return ReminderSort(key, isDescending: isDescending)
    } ?? ReminderSort()
  }

  /// Reads a search text.
  mutating func text(_ name: String) -> SearchText? {
    guard let text = string(name) else { return nil }
    let count = text.unicodeScalars.count
    guard count <= SearchText.longest else {
      fail(name, "expected at most \(SearchText.longest) characters, got \(count)")
      return nil
    }
    return SearchText(text)
  }

  /// Reads a day or an instant.
  mutating func dueDate(_ name: String) -> DueDate? {
    value(name, expected: "a date (2026-11-20) or an instant (2026-11-20T15:36:00Z)") {
      try? DueDate($0)
    }
  }

  /// Reads a number of days as an ISO 8601 duration of days or weeks.
  private mutating func days(_ name: String) -> Int? {
    let days = value(name, expected: "a number of days such as P7D, or of weeks such as P2W") {
      text -> Int? in
      guard text.utf8.first == UInt8(ascii: "P"), let number = Int(text.dropFirst().dropLast()),
        text.utf8.dropFirst().first.map({ 0x30...0x39 ~= $0 }) == true
      else { return nil }
      switch text.utf8.last {
      case UInt8(ascii: "D"): return number
      case UInt8(ascii: "W"): return number > QueryParameters.mostDays ? number : number * 7
      default: return nil
      }
    }
    guard let days else { return nil }
    guard (0...QueryParameters.mostDays).contains(days) else {
      fail(name, "expected at most \(QueryParameters.mostDays) days")
      return nil
    }
    return days
  }

  private static let mostDays = 366
}
