import MartletICalendar
import MartletTime

/// The lines that versions before CalDAV have stored, in the database and in exports: only what had
/// no field then, such as all alarms and the sixth category, and not whole groups. They go out as
/// they did then, until a calendar program writes the to-do anew.
enum OldLines {
  /// Whether stored lines are such ones. Newer ones say so.
  static func contains(_ kept: KeptLines) -> Bool {
    let isEmpty = kept.properties.isEmpty && kept.components.isEmpty
    return !isEmpty && kept.first(TodoName.form) == nil
  }

  /// The properties that still are what the groups of newer lines are, and the others.
  static func split(
    _ kept: KeptLines, of reminder: TransferReminder
  ) -> (groups: KeptLines, others: [String]) {
    var groups = KeptLines()
    var others: [String] = []
    for line in kept.properties {
      switch TodoGroup(line) {
      case .dates: if fits(line, reminder.values) { others.append(line.text) }
      case .tags, .snooze: others.append(line.text)
      case .parent where reminder.parentUID == nil: others.append(line.text)
      default: groups.add(line)
      }
    }
    return (groups, others)
  }

  /// Whether a date does not contradict the fields.
  private static func fits(_ line: ContentLine, _ values: ReminderRepository.Values) -> Bool {
    let recurs = (values.recurrence ?? nil) != nil
    switch line.name {
    case "DTSTART": return (values.startDate ?? nil) == nil && !recurs
    case "RRULE", "EXDATE": return !recurs
    // DUE and DURATION exclude each other (RFC 5545 section 3.6.2).
    case "DURATION": return (values.dueDate ?? nil) == nil
    default: return false
    }
  }
}
