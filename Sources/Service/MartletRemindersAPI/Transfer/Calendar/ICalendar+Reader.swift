import MartletICalendar
import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletTime

extension ICalendar {
  /// Reads the to-dos of one or more calendars. Events and other components are skipped.
  struct Reader: TransferReader {
    private var lines = CalendarReader()
    /// The lines of the current to-do.
    private var todo: KeptLines?
    /// The size of these lines.
    private var size = 0
    private var todos = 0
    /// The number of events in all calendars of the file, for the error if there are no to-dos.
    private var events = 0
    /// The lines read so far of a component inside a to-do, or of a time zone.
    private var inner: [String] = []
    private var zones: CalendarZones
    /// The zone of times that name none, if the calendar does not say it.
    private let house: ZoneInfo
    private var zoneSize = 0
    // The properties of the current calendar.
    private var title: String?
    private var color: String?
    private var zoneName: String?
    /// The zone named `zoneName`, once it was needed.
    private var zone: ZoneInfo?
    /// The IDs of the lists by the bytes of their titles.
    private var lists: [[UInt8]: Int] = [:]
    /// The total size of the time zone definitions stored with to-dos.
    private var keptZoneSize = 0
    /// Whether an error concerns the whole file and no single line.
    private var isWholeFile = false
    var line: Int { isWholeFile ? 0 : lines.line }

    private static let mostZoneBytes = 64 << 20

    init(house: ZoneInfo = .utc) {
      self.house = house
      zones = CalendarZones(house: house)
    }

    mutating func read(
      _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(APIProblem) -> [TransferRecord] {
      let step: CalendarReader.Step?
      do throws(CalendarError) { step = try lines.read(bytes) } catch { throw APIProblem(error) }
      return try step.map { (step) throws(APIProblem) in try take(step) } ?? []
    }

    mutating func finish() throws(APIProblem) {
      let step: CalendarReader.Step?
      do throws(CalendarError) { step = try lines.finish() } catch { throw APIProblem(error) }
      if let step { _ = try take(step) }
      guard todos == 0, events > 0 else { return }
      isWholeFile = true
      throw APIProblem(
        .invalidBody,
        "The calendar has no to-dos (VTODO), only \(Count(events, "event")) (VEVENT). Only to-dos can be imported."
      )
    }

    private mutating func take(_ step: CalendarReader.Step) throws(APIProblem) -> [TransferRecord] {
      switch step.kind {
      case .begin(let name): try begin(name, step)
      case .end(let name): return try end(name, step)
      case .property: try property(step)
      }
      return []
    }

    private mutating func begin(
      _ name: String, _ step: CalendarReader.Step
    ) throws(APIProblem) {
      switch (step.depth, name) {
      case (1, _):
        (title, color, zoneName, zone) = (nil, nil, nil, nil)
        zoneSize = 0
      case (2, "VTODO"):
        (todo, size) = (KeptLines(), 0)
        todos += 1
      case (2, _):
        if name == "VEVENT" { events += 1 }
        inner = name == "VTIMEZONE" ? [step.line.text] : []
      default: try keep(step.line)
      }
    }

    private mutating func end(
      _ name: String, _ step: CalendarReader.Step
    ) throws(APIProblem) -> [TransferRecord] {
      switch (step.depth, name) {
      case (1, _): return []
      case (2, "VTODO"):
        defer { todo = nil }
        return try todo.map { (todo) throws(APIProblem) in try records(todo) } ?? []
      case (2, "VTIMEZONE"):
        let definition = inner + [step.line.text]
        inner = []
        do throws(CalendarError) { try zones.define(definition) } catch { throw APIProblem(error) }
      case (2, _): return []
      default:
        try keep(step.line)
        guard step.depth == 3, todo != nil else { return [] }
        todo?.add(component: inner)
        inner = []
      }
      return []
    }

    private mutating func property(_ step: CalendarReader.Step) throws(APIProblem) {
      switch step.depth {
      case 1: try calendarProperty(step.line)
      case 2 where todo != nil:
        try count(step.line.text)
        todo?.add(step.line)
      default: try keep(step.line)
      }
    }

    private mutating func calendarProperty(_ line: ContentLine) throws(APIProblem) {
      switch line.name {
      case "VERSION":
        guard line.value == "2.0" else {
          throw APIProblem(
            .invalidBody, "iCalendar version \(line.value.excerpt) is not supported, only 2.0.")
        }
      case CalendarFile.title: title = ContentLine.text(line.value)
      // RFC 7986 section 5.1. Most programs write the other one.
      case "NAME": title = title ?? ContentLine.text(line.value)
      // The color may be followed by two digits of opacity.
      case CalendarFile.color: color = String(line.value.unicodeScalars.prefix(7))
      case ICalendar.calendarZone: (zoneName, zone) = (line.value, nil)
      default: break
      }
    }

    /// Stores a line of a component inside a to-do, or of a time zone.
    private mutating func keep(_ line: ContentLine) throws(APIProblem) {
      if todo != nil {
        try count(line.text)
      } else if lines.components.dropFirst().first == "VTIMEZONE" {
        zoneSize += line.text.utf8.count
        guard zoneSize <= KeptLines.longest else {
          throw APIProblem(.invalidBody, "The time zone definitions of the calendar are too large.")
        }
      } else {
        return
      }
      inner.append(line.text)
    }

    /// Adds the length of a line. Throws if the to-do has too much.
    private mutating func count(_ text: String) throws(APIProblem) {
      size += text.utf8.count + 1
      guard size <= KeptLines.longest else {
        throw APIProblem(
          .invalidBody, "The to-do has more than \(KeptLines.longest >> 20) MiB of properties.")
      }
    }

    /// The zone of times that name none.
    private mutating func floating() -> ZoneInfo {
      let named = zoneName.flatMap { CalendarTime.zone($0) ?? CalendarTime.meantZone($0) }
      let zone = zone ?? named ?? house
      self.zone = zone
      return zone
    }

    private mutating func records(_ all: KeptLines) throws(APIProblem) -> [TransferRecord] {
      var lines = all
      let unread = TodoUnread.remove(from: &lines)
      let todo: Todo
      let zone = floating()
      do throws(CalendarError) { todo = try Todo(lines, &zones, house: zone) } catch {
        throw APIProblem(error)
      }
      var reminder = todo.reminder
      reminder.unread += unread
      if let text = reminder.calendar {
        for definition in KeptLines(text).zones {
          keptZoneSize += definition.reduce(0) { $0 + $1.utf8.count + 1 }
        }
        guard keptZoneSize <= Reader.mostZoneBytes else {
          throw APIProblem(
            .invalidBody,
            "The time zone definitions, stored with each to-do that uses them, take more than \(Reader.mostZoneBytes >> 20) MiB."
          )
        }
        guard text.utf8.count <= KeptLines.longest else {
          throw APIProblem(
            .invalidBody,
            "The to-do has more than \(KeptLines.longest >> 20) MiB of properties that Martlet has no field for."
          )
        }
      }
      var records: [TransferRecord] = []
      let title = todo.list ?? title ?? RemindersList.defaultTitle
      let key = Array(title.utf8)
      let id = lists[key] ?? lists.count + 1
      if lists[key] == nil {
        lists[key] = id
        records.append(.list(try list(id, title)))
      }
      reminder.values.listID = id
      let occurrences = todo.occurrences(lines, &zones, house: zone).map { occurrence in
        var occurrence = occurrence
        occurrence.reminder.values.listID = id
        occurrence.own.values.listID = id
        if todo.occurrence != nil { occurrence.own.unread += unread }
        return TransferRecord.occurrence(occurrence)
      }
      return records + (todo.occurrence == nil ? [.reminder(reminder)] : []) + occurrences
    }

    private func list(_ id: Int, _ title: String) throws(APIProblem) -> TransferList {
      try ListBody.check(title: title, as: "title")
      let isCalendar = self.title.map { $0.utf8.elementsEqual(title.utf8) } ?? false
      return TransferList(
        id: id, title: title, color: isCalendar ? color.flatMap(ListColor.parse) : nil)
    }
  }
}

extension APIProblem {
  /// The problem for an error in a calendar file.
  init(_ error: CalendarError) { self.init(.invalidBody, error.detail) }
}

/// The export and import format iCalendar (RFC 5545): each reminder is a to-do. `TodoText` says
/// what is in one, and `Todo` how it is read.
public enum ICalendar {
  /// The name of the property that has the default zone of a calendar.
  static let calendarZone = "X-WR-TIMEZONE"

  /// Writes a calendar.
  struct Writer: TransferWriter {
    private var file: CalendarFile

    init(house: ZoneInfo = .utc) { file = CalendarFile(house: house) }

    func begin(into buffer: ByteBuffer) { file.begin(into: buffer) }
    mutating func write(_ record: TransferRecord, into buffer: ByteBuffer) {
      file.write(record, into: buffer)
    }
    mutating func end(_ counts: TransferCounts, into buffer: ByteBuffer) {
      file.end(into: buffer)
    }
  }
}
