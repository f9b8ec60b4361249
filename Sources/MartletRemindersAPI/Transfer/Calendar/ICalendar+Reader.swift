import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletTime

extension ICalendar {
  /// Reads the to-dos of one calendar or several. Events and what else a calendar can hold are left out.
  struct Reader: TransferReader {
    /// A line that may go on with the next one: whether it is right is known one line later.
    private var open: [UInt8] = []
    private(set) var line = 0
    private var lines = 0
    private var hasBegun = false
    /// The components that have begun and not ended.
    private var components: [String] = []
    private var todo: Todo?
    private var todos = 0
    /// Of all calendars of the file.
    private var events = 0
    /// A component inside of a to-do, or a time zone, as far as it has come.
    private var inner: [String] = []
    /// The time zones that the file defines, by the names that it gives them. All names are compared by their bytes.
    private var zones: [[UInt8]: DefinedZone] = [:]
    private var zoneSize = 0
    /// The zones that were found for names: many to-dos have the same.
    private var found: [[UInt8]: ZoneInfo] = [:]
    // What the calendar says of itself.
    private var title: String?
    private var color: String?
    private var zoneName: String?
    /// The zone of that name, when a time has asked for it.
    private var zone: ZoneInfo?
    /// By title.
    private var lists: [[UInt8]: Int] = [:]

    /// How much of the definitions was kept, each with every to-do that names it.
    private var keptZoneSize = 0

    private struct DefinedZone {
      /// Its lines, with line feeds between them.
      var text: String
      /// The system's zone that it says it is.
      var place: String?
    }

    private static let longest = 4 << 20
    private static let mostZoneBytes = 64 << 20
    private static let deepest = 8

    mutating func read(
      _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(APIProblem) -> [TransferRecord] {
      line = max(lines, 1)
      lines += 1
      var bytes = bytes[...]
      if bytes.last == 0x0D { bytes.removeLast() }
      // Section 3.1: a line that begins with a blank goes on with the one before.
      if bytes.first == 0x20 || bytes.first == 0x09, !open.isEmpty {
        open.append(contentsOf: bytes.dropFirst())
        guard open.count <= Reader.longest else {
          throw APIProblem(.invalidBody, "The line is longer than \(Reader.longest >> 20) MiB.")
        }
        return []
      }
      let records = try take()
      open = Array(bytes)
      return records
    }

    mutating func finish() throws(APIProblem) {
      line = lines
      _ = try take()
      guard hasBegun else { throw APIProblem(.invalidBody, "There is nothing in it.") }
      if let last = components.last {
        throw APIProblem(.invalidBody, "The file ends early: \(last.excerpt) has no END.")
      }
      guard todos == 0, events > 0 else { return }
      // It is no line's fault.
      self.line = 0
      throw APIProblem(
        .invalidBody,
        "The calendar has no to-dos (VTODO), but \(Count(events, "event")) (VEVENT), and to-dos alone are imported."
      )
    }

    /// What has come of a line is all of it.
    private mutating func take() throws(APIProblem) -> [TransferRecord] {
      defer { open.removeAll(keepingCapacity: true) }
      // None has a place in a line (section 3.1), and some programs write them.
      open.removeAll(where: ContentLine.isControl)
      var bytes = open[...]
      // A byte order mark.
      if !hasBegun, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
      if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return [] }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw APIProblem(.invalidBody, "The line is not UTF-8.")
      }
      let line = try ContentLine(text)
      switch line.name {
      case "BEGIN": try begin(line)
      case "END": return try end(line)
      default: try property(line)
      }
      return []
    }

    private mutating func begin(_ line: ContentLine) throws(APIProblem) {
      let name = Reader.component(line)
      guard !components.isEmpty || name == "VCALENDAR" else {
        throw APIProblem(.invalidBody, "A calendar begins with BEGIN:VCALENDAR.")
      }
      guard components.count < Reader.deepest else {
        throw APIProblem(
          .invalidBody, "More than \(Reader.deepest) components are inside each other.")
      }
      components.append(name)
      switch (components.count, name) {
      case (1, _):
        hasBegun = true
        (title, color, zoneName, zone) = (nil, nil, nil, nil)
        zoneSize = 0
      case (2, "VTODO"):
        todo = Todo()
        todos += 1
      case (2, _):
        if name == "VEVENT" { events += 1 }
        inner = name == "VTIMEZONE" ? [line.text] : []
      default: try keep(line)
      }
    }

    private mutating func end(_ line: ContentLine) throws(APIProblem) -> [TransferRecord] {
      guard let name = components.last, name == Reader.component(line) else {
        throw APIProblem(
          .invalidBody,
          "END:\(line.value.excerpt) stands where \(components.last.map { "END:\($0.excerpt)" } ?? "nothing") should end."
        )
      }
      defer { components.removeLast() }
      switch (components.count, name) {
      case (1, _): return []
      case (2, "VTODO"):
        defer { todo = nil }
        return try todo.map { (todo) throws(APIProblem) in try records(todo) } ?? []
      case (2, "VTIMEZONE"): try end(zone: line)
      case (2, _): return []
      default:
        try keep(line)
        guard components.count == 3, todo != nil else { return [] }
        todo?.kept.add(component: inner)
        inner = []
      }
      return []
    }

    /// Some programs leave blanks behind it.
    private static func component(_ line: ContentLine) -> String {
      String(line.value.unicodeScalars.prefix { $0 != " " && $0 != "\t" }).uppercased()
    }

    private mutating func property(_ line: ContentLine) throws(APIProblem) {
      switch components.count {
      case 0: throw APIProblem(.invalidBody, "A calendar begins with BEGIN:VCALENDAR.")
      case 1: try calendarProperty(line)
      case 2 where todo != nil:
        guard var todo else { return }
        self.todo = nil
        try todo.read(line) { (name) throws(APIProblem) in try zone(name) }
        self.todo = todo
      default: try keep(line)
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
      } else if components.dropFirst().first == "VTIMEZONE" {
        zoneSize += line.text.utf8.count
        guard zoneSize <= KeptLines.longest else {
          throw APIProblem(.invalidBody, "The time zones of the file are too large.")
        }
      } else {
        return
      }
      inner.append(line.text)
    }

    private mutating func end(zone line: ContentLine) throws(APIProblem) {
      inner.append(line.text)
      defer { inner = [] }
      var name: [UInt8]?
      var place: String?
      for text in inner {
        let line = try ContentLine(text)
        switch line.name {
        case "TZID": name = name ?? Array(line.value.utf8)
        case "X-LIC-LOCATION": place = place ?? line.value
        default: break
        }
      }
      guard let name else { return }
      zones[name] = DefinedZone(text: inner.joined(separator: "\n"), place: place)
      found[name] = nil
    }

    /// By its name, or by that of the place which its definition says; without a name the calendar's.
    private mutating func zone(_ name: String?) throws(APIProblem) -> ZoneInfo {
      guard let name else {
        let zone = zone ?? zoneName.flatMap(CalendarTime.zone) ?? .utc
        self.zone = zone
        return zone
      }
      let key = Array(name.utf8)
      if let known = found[key] { return known }
      guard let zone = CalendarTime.zone(name) ?? zones[key]?.place.flatMap(CalendarTime.zone)
      else {
        throw APIProblem(
          .invalidBody, "The time zone \"\(name.excerpt)\" is not one of the system's.")
      }
      found[key] = zone
      return zone
    }

    private mutating func records(_ todo: Todo) throws(APIProblem) -> [TransferRecord] {
      var todo = todo
      let names = todo.kept.namedZones().sorted { $0.lexicographicallyPrecedes($1) }
      for name in names {
        guard let zone = zones[name] else { continue }
        try todo.count(zone.text)
        keptZoneSize += zone.text.utf8.count + 1
        guard keptZoneSize <= Reader.mostZoneBytes else {
          throw APIProblem(
            .invalidBody,
            "The to-dos name time zones whose definitions take more than \(Reader.mostZoneBytes >> 20) MiB with them."
          )
        }
        todo.kept.add(zone: zone.text)
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
