import JSON
import LiveAPI
import Reminders
import Time

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
    /// A component inside of a to-do, or a time zone, as far as it has come.
    private var inner: [String] = []
    /// The time zones that the file defines, by the names that it gives them.
    private var zones: [String: [ContentLine]] = [:]
    private var zoneSize = 0
    // What the calendar says of itself.
    private var title: String?
    private var color: String?
    private var zone = TimeZone.utc
    /// By title.
    private var lists: [String: Int] = [:]

    /// How much of the definitions was kept, each with every to-do that names it.
    private var keptZoneSize = 0

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
      guard let last = components.last else { return }
      throw APIProblem(.invalidBody, "The file ends early: \(last) has no END.")
    }

    /// What has come of a line is all of it.
    private mutating func take() throws(APIProblem) -> [TransferRecord] {
      defer { open.removeAll(keepingCapacity: true) }
      // None has a place in a line (section 3.1), and some programs write them.
      open.removeAll { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
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
        (title, color, zone) = (nil, nil, .utc)
        zoneSize = 0
      case (2, "VTODO"): todo = Todo()
      case (2, _): inner = name == "VTIMEZONE" ? [line.text] : []
      default: try keep(line)
      }
    }

    private mutating func end(_ line: ContentLine) throws(APIProblem) -> [TransferRecord] {
      guard let name = components.last, name == Reader.component(line) else {
        throw APIProblem(
          .invalidBody,
          "END:\(line.value.prefix(40)) stands where \(components.last.map { "END:\($0)" } ?? "nothing") should end."
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
      String(line.value.prefix { $0 != " " && $0 != "\t" }).uppercased()
    }

    private mutating func property(_ line: ContentLine) throws(APIProblem) {
      switch components.count {
      case 0: throw APIProblem(.invalidBody, "A calendar begins with BEGIN:VCALENDAR.")
      case 1: try calendarProperty(line)
      case 2 where todo != nil:
        let zones = zones
        try todo?.read(line, zone: zone) { (name) throws(APIProblem) in
          try Reader.zone(name, defined: zones)
        }
      default: try keep(line)
      }
    }

    private mutating func calendarProperty(_ line: ContentLine) throws(APIProblem) {
      switch line.name {
      case "VERSION":
        guard line.value == "2.0" else {
          throw APIProblem(
            .invalidBody, "This is version \(line.value.prefix(20)); only 2.0 is read.")
        }
      case Name.title: title = ContentLine.text(line.value)
      // RFC 7986 section 5.1; the other one is what programs know.
      case "NAME": title = title ?? ContentLine.text(line.value)
      // Followed by how opaque it is.
      case Name.color: color = String(line.value.prefix(7))
      case Name.zone: zone = CalendarTime.zone(line.value) ?? zone
      default: break
      }
    }

    /// Of a component inside of a to-do, or of a time zone.
    private mutating func keep(_ line: ContentLine) throws(APIProblem) {
      if todo != nil {
        try todo?.count(line)
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
      var lines: [ContentLine] = []
      for text in inner { lines.append(try ContentLine(text)) }
      if let name = lines.first(where: { $0.name == "TZID" })?.value { zones[name] = lines }
    }

    /// By its name, or by that of the place which its definition says.
    private static func zone(
      _ name: String, defined: [String: [ContentLine]]
    ) throws(APIProblem) -> TimeZone {
      let place = defined[name]?.first { $0.name == "X-LIC-LOCATION" }?.value
      guard let zone = CalendarTime.zone(name) ?? place.flatMap(CalendarTime.zone) else {
        throw APIProblem(
          .invalidBody, "The time zone \"\(name.prefix(100))\" is not one of the system's.")
      }
      return zone
    }

    private mutating func records(_ todo: Todo) throws(APIProblem) -> [TransferRecord] {
      var todo = todo
      for name in todo.kept.namedZones().sorted() {
        guard let lines = zones[name] else { continue }
        for line in lines {
          try todo.count(line)
          keptZoneSize += line.text.utf8.count
        }
        guard keptZoneSize <= Reader.mostZoneBytes else {
          throw APIProblem(
            .invalidBody,
            "The to-dos name time zones whose definitions take more than \(Reader.mostZoneBytes >> 20) MiB with them."
          )
        }
        todo.kept.add(component: lines.map(\.text))
      }
      var records: [TransferRecord] = []
      let title = todo.list ?? title ?? RemindersList.defaultTitle
      let id = lists[title] ?? lists.count + 1
      if lists[title] == nil {
        lists[title] = id
        records.append(.list(try list(id, title)))
      }
      records.append(.reminder(try todo.reminder(in: id)))
      return records
    }

    private func list(_ id: Int, _ title: String) throws(APIProblem) -> TransferList {
      var body = Body(JSONObject(members: [.init(name: "title", value: .string(title))]))
      _ = body.string("title", ListBody.titleLengths)
      try body.finish()
      return TransferList(
        id: id, title: title, color: title == self.title ? color.flatMap(ListBody.color) : nil)
    }
  }
}
