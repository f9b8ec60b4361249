import MartletICalendar
import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletTime

/// The export and import format iCalendar (RFC 5545): each reminder is a to-do.
///
///     BEGIN:VTODO
///     UID:5f0c8f6e-3f7a-4d53-9d53-6c1b7a2e9d10
///     DTSTAMP:20270101T080000Z
///     SUMMARY:Winter tyres
///     DUE;VALUE=DATE:20270115
///     PRIORITY:1
///     STATUS:NEEDS-ACTION
///     CATEGORIES:car
///     X-MARTLET-LIST:Home
///     END:VTODO
public enum ICalendar {
  /// The names of nonstandard properties, and the rules for properties that are stored unchanged.
  enum Name {
    static let list = "X-MARTLET-LIST"
    static let flag = "X-MARTLET-FLAGGED"
    static let basis = "X-MARTLET-BASIS"
    /// The occurrence of the series that `DUE` was moved from.
    static let series = "X-MARTLET-SERIES"
    static let title = "X-WR-CALNAME"
    static let color = "X-APPLE-CALENDAR-COLOR"
    static let calendarZone = "X-WR-TIMEZONE"
    /// The zone of a to-do whose `DUE` does not name it.
    static let zone = "X-MARTLET-TIMEZONE"
    /// The parameter of `CATEGORIES` that marks leading spaces as part of the titles.
    static let exact = "X-MARTLET-EXACT"

    /// Properties that are written from the fields of the reminder.
    private static let written: Set = [
      "UID", "DTSTAMP", "CREATED", "LAST-MODIFIED", "SUMMARY", "DESCRIPTION", "DUE", "PRIORITY",
      "STATUS", "COMPLETED", list, flag, zone, basis, series,
    ]

    /// Whether to write a stored line: no field replaces it, and it does not contradict the fields.
    static func isKept(
      _ line: ContentLine, of reminder: TransferReminder, isCompleted: Bool
    ) -> Bool {
      let values = reminder.values
      let isDue = (values.dueDate ?? nil) != nil
      let recurs = (values.recurrence ?? nil) != nil
      return switch line.name {
      case "DTSTART": (values.startDate ?? nil) == nil && !recurs
      case "RELATED-TO": reminder.parentUID == nil || !line.namesParent
      case "RRULE", "EXDATE", "RDATE": !recurs
      case _ where written.contains(line.name): false
      case "PERCENT-COMPLETE": (line.value == "100") == isCompleted
      // DUE and DURATION exclude each other (RFC 5545 section 3.6.2).
      case "DURATION": !isDue
      default: true
      }
    }
  }

  /// Writes a calendar.
  struct Writer: TransferWriter {
    /// The first list, and the titles of all lists by their IDs.
    private var firstList: TransferList?
    private var titles: [Int: String] = [:]
    private var isOpen = false
    /// The names of the time zones written so far. Of several definitions only the first is
    /// written, because names must be unique (section 3.8.3.1).
    private var zones: Set<[UInt8]> = []

    func begin(into buffer: ByteBuffer) {
      for line in [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//martlet//martlet//EN", "CALSCALE:GREGORIAN",
      ] {
        ContentLine.write(line, into: buffer)
      }
    }

    mutating func write(_ record: TransferRecord, into buffer: ByteBuffer) {
      switch record {
      case .list(let list):
        firstList = firstList ?? list
        titles[list.id] = list.title
      case .tag, .completion, .smartList: break
      case .reminder(let reminder):
        open(into: buffer)
        write(reminder, into: buffer)
      }
    }

    mutating func end(_ counts: TransferCounts, into buffer: ByteBuffer) {
      open(into: buffer)
      ContentLine.write("END:VCALENDAR", into: buffer)
    }

    /// Writes the title and the color of the calendar if there is only one list.
    private mutating func open(into buffer: ByteBuffer) {
      guard !isOpen else { return }
      isOpen = true
      guard titles.count == 1, let list = firstList else { return }
      ContentLine.write("\(Name.title):\(ContentLine.escaped(list.title))", into: buffer)
      ContentLine.write("\(Name.color):\(ListBody.text(ofColor: list.color))", into: buffer)
    }

    private mutating func write(_ reminder: TransferReminder, into buffer: ByteBuffer) {
      let kept = KeptLines(reminder.calendar ?? "")
      let (lines, stored) = lines(of: reminder, kept)
      // Only for stored lines: the names of the others are those of the system's zones.
      for (name, zone) in kept.zones(namedBy: stored) where zones.insert(Array(name.utf8)).inserted
      {
        for line in zone { ContentLine.write(line, into: buffer) }
      }
      for line in lines { ContentLine.write(line, into: buffer) }
    }

    /// The lines of a to-do, and the ones of them that were stored as they are.
    private func lines(
      of reminder: TransferReminder, _ kept: KeptLines
    ) -> (all: [String], stored: [String]) {
      let values = reminder.values
      let isDone = (values.status ?? .incomplete) != .incomplete
      let changed = CalendarTime.text(reminder.updatedAt ?? .epoch)
      var lines = ["BEGIN:VTODO", kept.first("UID")?.text ?? uid(values), "DTSTAMP:\(changed)"]
      if let created = reminder.createdAt { lines.append("CREATED:\(CalendarTime.text(created))") }
      lines.append("LAST-MODIFIED:\(changed)")
      lines.append("SUMMARY:\(ContentLine.escaped(values.title ?? ""))")
      let notes = ContentLine.escaped(values.notes ?? "")
      if !notes.isEmpty { lines.append("DESCRIPTION:\(notes)") }
      lines += TodoDates.lines(of: values)
      let priority = kept.line("PRIORITY", Todo.priority, values.priority ?? nil)
      if let priority {
        lines.append(priority)
      } else if let priority = values.priority ?? nil {
        lines.append("PRIORITY:\(Todo.number(priority))")
      }
      let status = kept.line("STATUS", Todo.isDone, isDone)
      lines.append(status ?? (isDone ? "STATUS:COMPLETED" : "STATUS:NEEDS-ACTION"))
      var completed: String?
      if isDone, status == nil || kept.first("COMPLETED") != nil {
        let time = CalendarTime.text(reminder.completedAt ?? reminder.updatedAt ?? .epoch)
        completed = kept.line(
          "COMPLETED", { CalendarTime.instant($0, in: .utc).map { CalendarTime.text($0) } }, time)
        lines.append(completed ?? "COMPLETED:\(time)")
      }
      if let tags = values.tags, !tags.isEmpty { lines.append(Todo.categories(tags)) }
      if let list = values.listID, let title = titles[list] {
        lines.append("\(Name.list):\(ContentLine.escaped(title))")
      }
      if let parent = reminder.parentUID {
        lines.append("RELATED-TO:\(ContentLine.escaped(parent))")
      }
      if values.isFlagged == true { lines.append("\(Name.flag):TRUE") }
      let isCompleted = isDone && status == nil
      let others = kept.lines { Name.isKept($0, of: reminder, isCompleted: isCompleted) }
      let stored =
        [kept.first("UID")?.text, priority, status, completed].compactMap { $0 } + others
      return (lines + others + ["END:VTODO"], stored)
    }

    private func uid(_ values: ReminderRepository.Changes) -> String {
      "UID:\(ContentLine.escaped(values.uid ?? ""))"
    }
  }
}
