import MartletICalendar
import MartletJSON
import MartletReminders
import MartletSQLite
import MartletStore
import MartletTime
import MartletXML

@testable import MartletCalDAV

extension FuzzTarget {
  /// The body of a request of a calendar program. Its first byte selects the kind.
  static let dav = FuzzTarget(name: "dav") {
    let connection = try ServiceDatabase.open()
    return { bytes in
      guard let first = bytes.first else { return }
      let body = UnsafeBufferPointer(rebasing: bytes.dropFirst())
      switch first {
      case UInt8(ascii: "x"): try xml(body)
      case UInt8(ascii: "q"): try query(body)
      case UInt8(ascii: "p"): try put(body, connection)
      default: break
      }
    }
  }

  /// A document that is read can be written, as the properties of lists are, and reads back the
  /// same.
  private static func xml(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    guard let element = try? XMLReader.parse(bytes) else { return }
    func copied(_ element: XMLElement) throws -> XMLElement? {
      let buffer = ByteBuffer(capacity: 1024)
      XMLWriter.document(DAVName.dav("prop"), prefixes: DAVName.prefixes, into: buffer) {
        $0.copy(element)
      }
      return try XMLReader.parse(buffer.bytes).children.first
    }
    // Attributes with a namespace are left out. The writer adds one level, and a declaration to
    // each element.
    guard let once = try? copied(element) else { return }
    let twice = try copied(once)
    try expect(twice == once, "\(once) became \(String(describing: twice))")
  }

  /// The filter of a query answers for every text, and so does the part of it that is wanted.
  private static func query(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    guard let body = try? XMLReader.parse(bytes) else { return }
    let filter = try? ObjectFilter(body.first(DAVName.caldav("filter")), zone: .utc)
    let data = body.first(DAVName.dav("prop"))?.first(DAVName.caldav("calendar-data"))
      .flatMap { try? CalendarData($0, zone: .utc) }
    for text in texts {
      _ = try filter?.matches(text, zone: .utc) {}
      if let part = try? data?.apply(to: text) {
        try expect(part.isEmpty || part.hasSuffix("\r\n"), part)
      }
    }
  }

  private static let texts = [
    ["SUMMARY;LANGUAGE=de:a", "DUE:20270131T093000Z", "CATEGORIES:a,b"],
    ["DTSTART;VALUE=DATE:20270131", "DUE;VALUE=DATE:20270131", "RRULE:FREQ=DAILY"],
    ["DTSTART:20270131T093000Z", "DURATION:PT1H", "BEGIN:VALARM", "TRIGGER:-PT1H", "END:VALARM"],
    ["COMPLETED:20270131T093000Z", "CREATED:20270131T093000Z"],
  ].map { lines in
    (["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO", "UID:u"] + lines
      + ["END:VTODO", "END:VCALENDAR", ""]).joined(separator: "\r\n")
  }

  private static let place = CalendarRepository.Placement(
    list: 1, name: "x.ics", at: Instant(seconds: 1_800_000_000), in: .utc)

  /// A text that is accepted is stored and comes back as it was, and after a change with all lines
  /// that the service does not know; then it can be stored again, and changes nothing.
  private static func put(
    _ bytes: UnsafeBufferPointer<UInt8>, _ db: Connection
  ) throws {
    guard let raw = String(validating: bytes, as: UTF8.self),
      let object = try? ObjectText(bytes, house: .utc)
    else { return }
    let savepoint = try db.beginSavepoint("fuzz")
    defer { try? db.rollBack(to: savepoint) }
    func text(_ entry: CalendarRepository.Entry) throws -> String {
      try CalendarRepository.text(of: entry.id, house: .utc, in: db) ?? ""
    }
    func row(_ entry: CalendarRepository.Entry) throws -> String {
      let row = try db.query(
        """
        SELECT title, notes, dueDate, startDate, timeZone, recurrenceRule, recurrenceExcluded,
          priority, status, isFlagged, completedAt, alarmCount
        FROM reminders WHERE id = \(entry.id)
        """)
      return "\(row.map(\.values))"
    }
    let stored = try CalendarRepository.put(object, raw: raw, place, over: nil, in: db)
    if stored.isAsPut {
      let same = try text(stored.entry)
      try expect(same.utf8.elementsEqual(raw.utf8), "\(raw) became \(same)")
    }
    try db.run(
      "UPDATE reminders SET isFlagged = 1 - isFlagged WHERE id = ?",
      .integer(Int64(stored.entry.id)))
    let made = try text(stored.entry)
    guard
      let lines = CalendarComponent(parsing: made)?.components.first(where: { $0.name == "VTODO" })
    else { throw Finding("\(raw) became \(made)") }
    let known = Set(lines.properties.map { Array($0.text.utf8) })
    for line in KeptLines(object.master.reminder.calendar ?? "").properties
    where line.name.hasPrefix("X-") && !line.name.hasPrefix("X-MARTLET")
      && !line.name.hasPrefix("X-MOZ")
    {
      try expect(known.contains(Array(line.text.utf8)), "\(line.text) is lost in \(made)")
    }
    let before = try row(stored.entry)
    let again = try Array(made.utf8).withUnsafeBufferPointer { bytes in
      do { return try ObjectText(bytes, house: .utc) } catch { throw Finding("\(made): \(error)") }
    }
    _ = try CalendarRepository.put(again, raw: made, place, over: stored.entry, in: db)
    let after = try row(stored.entry)
    try expect(after == before, "\(before) became \(after) by \(made)")
  }
}
