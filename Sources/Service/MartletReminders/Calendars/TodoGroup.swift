import MartletICalendar

/// The properties of a to-do that one or more fields of a reminder stand for. The lines of a group
/// go out as they came as long as they still mean what the reminder says.
enum TodoGroup: CaseIterable {
  case uid, title, notes, dates, priority, status, tags, parent, flag, snooze

  /// The group of a line; `nil` for a property that no field stands for.
  init?(_ line: ContentLine) {
    switch line.name {
    case "UID": self = .uid
    case "SUMMARY": self = .title
    case "DESCRIPTION": self = .notes
    case "DTSTART", "DUE", "DURATION", "RRULE", "EXDATE", TodoName.zone, TodoName.series,
      TodoName.basis, TodoName.lead, TodoName.current:
      self = .dates
    case "PRIORITY": self = .priority
    case "STATUS", "COMPLETED", "PERCENT-COMPLETE": self = .status
    case "CATEGORIES": self = .tags
    case "RELATED-TO" where line.namesParent: self = .parent
    case TodoName.flag: self = .flag
    case TodoName.snoozed, TodoName.acknowledged: self = .snooze
    case let name where name.hasPrefix("\(TodoName.snoozed)-"): self = .snooze
    default: return nil
    }
  }

  /// Whether a line is never stored: the reminder has what it says, or the next writer sets it.
  static func isDropped(_ line: ContentLine) -> Bool {
    switch line.name {
    case "DTSTAMP", "CREATED", "LAST-MODIFIED", TodoName.list, TodoName.form,
      TodoName.defaultAlarm:
      true
    default: false
    }
  }
}

/// The names of nonstandard properties.
package enum TodoName {
  /// The title of the list, in a file of several lists.
  package static let list = "X-MARTLET-LIST"
  /// The form of stored lines. It is never a part of a calendar.
  static let form = "X-MARTLET-LINES"
  /// The default alarm of a to-do that names none, among its stored lines: how long after `DUE`. It
  /// is never a part of a calendar.
  static let defaultAlarm = "X-MARTLET-DEFAULT-ALARM"
  static let flag = "X-MARTLET-FLAGGED"
  static let basis = "X-MARTLET-BASIS"
  /// The occurrence of the series that `DUE` was moved from.
  static let series = "X-MARTLET-SERIES"
  /// The current occurrence of a series, whose `DTSTART` and `DUE` stay with the first (KDE).
  static let current = "X-KDE-LIBKCAL-DTRECURRENCE"
  /// The start of a series whose `DTSTART` is its due date, as a duration from there.
  static let lead = "X-MARTLET-START"
  /// The zone of a to-do whose `DUE` does not name it.
  static let zone = "X-MARTLET-TIMEZONE"
  /// The parameter of `CATEGORIES` that marks leading spaces as part of the titles.
  static let exact = "X-MARTLET-EXACT"
  /// The parameter of `CATEGORIES` that marks titles that are no tags, because five others were.
  static let kept = "X-MARTLET-KEPT"
  /// Until when Thunderbird has snoozed the alarms, and until when they are acknowledged.
  static let snoozed = "X-MOZ-SNOOZE-TIME"
  static let acknowledged = "X-MOZ-LASTACK"
}

extension ContentLine {
  /// Whether a `RELATED-TO` names the parent, as it does without `RELTYPE` (RFC 5545 section
  /// 3.2.15).
  var namesParent: Bool { (parameter("RELTYPE") ?? "PARENT").uppercased() == "PARENT" }

  /// Whether it names a subtask.
  var namesChild: Bool {
    name == "RELATED-TO" && parameter("RELTYPE")?.uppercased() == "CHILD"
  }
}
