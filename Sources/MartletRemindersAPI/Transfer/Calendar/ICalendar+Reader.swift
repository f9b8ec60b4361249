import MartletICalendar
import MartletLiveAPI
import MartletReminders
import MartletTime

extension ICalendar {
  /// Reads the to-dos of one calendar or several. Events and what else a calendar can hold are left out.
  struct Reader: TransferReader {
    private var lines = CalendarReader()
    private var todo: Todo?
    private var todos = 0
    /// Of all calendars of the file.
    private var events = 0
    /// A component inside of a to-do, or a time zone, as far as it has come.
    private var inner: [String] = []
    private var zones = CalendarZones()
    private var zoneSize = 0
    // What the calendar says of itself.
    private var title: String?
    private var color: String?
    private var zoneName: String?
    /// The zone of that name, when a time has asked for it.
    private var zone: ZoneInfo?
    /// By title, as bytes.
    private var lists: [[UInt8]: Int] = [:]
    /// How much of the definitions was kept, each with every to-do that names it.
    private var keptZoneSize = 0
    /// Where it is no line's fault.
    private var isWholeFile = false
    var line: Int { isWholeFile ? 0 : lines.line }

    private static let mostZoneBytes = 64 << 20

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
        "The calendar has no to-dos (VTODO), but \(Count(events, "event")) (VEVENT), and to-dos alone are imported."
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
        todo = Todo()
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
        todo?.kept.add(component: inner)
        inner = []
      }
      return []
    }

    private mutating func property(_ step: CalendarReader.Step) throws(APIProblem) {
      switch step.depth {
      case 1: try calendarProperty(step.line)
      case 2 where todo != nil:
        guard var todo else { return }
        self.todo = nil
        try todo.read(step.line) { (name) throws(APIProblem) in try zone(name) }
        self.todo = todo
      default: try keep(step.line)
      }
    }

    private mutating func calendarProperty(_ line: ContentLine) throws(APIProblem) {
      switch line.name {
      case "VERSION":
        guard line.value == "2.0" else {
          throw APIProblem(
            .invalidBody, "This is version \(line.value.excerpt); only 2.0 is read.")
        }
      case Name.title: title = ContentLine.text(line.value)
      // RFC 7986 section 5.1; the other one is what programs know.
      case "NAME": title = title ?? ContentLine.text(line.value)
      // Followed by how opaque it is.
      case Name.color: color = String(line.value.unicodeScalars.prefix(7))
      case Name.zone: (zoneName, zone) = (line.value, nil)
      default: break
      }
    }

    /// Of a component inside of a to-do, or of a time zone.
    private mutating func keep(_ line: ContentLine) throws(APIProblem) {
      if todo != nil {
        try todo?.count(line.text)
      } else if lines.components.dropFirst().first == "VTIMEZONE" {
        zoneSize += line.text.utf8.count
        guard zoneSize <= KeptLines.longest else {
          throw APIProblem(.invalidBody, "The time zones of the file are too large.")
        }
      } else {
        return
      }
      inner.append(line.text)
    }

    /// Without a name the calendar's.
    private mutating func zone(_ name: String?) throws(APIProblem) -> ZoneInfo {
      guard let name else {
        let zone = zone ?? zoneName.flatMap(CalendarTime.zone) ?? .utc
        self.zone = zone
        return zone
      }
      do throws(CalendarError) { return try zones.zone(name) } catch { throw APIProblem(error) }
    }

    private mutating func records(_ todo: Todo) throws(APIProblem) -> [TransferRecord] {
      var todo = todo
      let names = todo.kept.namedZones().sorted { $0.lexicographicallyPrecedes($1) }
      for name in names {
        guard let definition = zones.definition(name) else { continue }
        try todo.count(definition)
        keptZoneSize += definition.utf8.count + 1
        guard keptZoneSize <= Reader.mostZoneBytes else {
          throw APIProblem(
            .invalidBody,
            "The to-dos name time zones whose definitions take more than \(Reader.mostZoneBytes >> 20) MiB with them."
          )
        }
        todo.kept.add(zone: definition)
      }
      var records: [TransferRecord] = []
      let title = todo.list ?? title ?? RemindersList.defaultTitle
      let key = Array(title.utf8)
      let id = lists[key] ?? lists.count + 1
      if lists[key] == nil {
        lists[key] = id
        records.append(.list(try list(id, title)))
      }
      records.append(.reminder(try todo.reminder(in: id)))
      return records
    }

    private func list(_ id: Int, _ title: String) throws(APIProblem) -> TransferList {
      try ListBody.check(title: title, as: "title")
      let isCalendar = self.title.map { $0.utf8.elementsEqual(title.utf8) } ?? false
      return TransferList(
        id: id, title: title, color: isCalendar ? color.flatMap(ListBody.color) : nil)
    }
  }
}

extension APIProblem {
  init(_ error: CalendarError) { self.init(.invalidBody, error.detail) }
}
