import MartletLiveAPI
import MartletReminders
import MartletTime

extension QueryParameters {
  /// Reads the filters of `GET /v1/reminders`.
  ///
  /// - Parameter list: The list in the path. If it is given, there is no parameter `listID`.
  mutating func reminderFilter(_ context: Context, ofList list: Int? = nil) -> ReminderFilter {
    var filter = ReminderFilter()
    filter.listID = list ?? integer("listID", in: 1...Int.max)
    filter.status = oneOf(
      "status",
      [
        "incomplete": Reminder.Status.incomplete, "completing": .completing,
        "completed": .completed,
      ])
    filter.isCompleted = bool("completed")
    filter.isFlagged = bool("flagged")
    filter.priority = oneOf(
      "priority", ["low": Reminder.Priority.low, "medium": .medium, "high": .high])
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
    filter.dueBefore = dueDate("dueBefore")
    filter.dueAfter = dueDate("dueAfter")
    filter.text = text("q")
    filter.zone = timeZone(context)
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

  private mutating func dueDate(_ name: String) -> DueDate? {
    value(name, expected: "a date (2026-11-20) or an instant (2026-11-20T15:36:00Z)") {
      try? DueDate($0)
    }
  }
}
