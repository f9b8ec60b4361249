import MartletICalendar
import MartletJSON
import MartletReminders
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletRemindersAPI

/// Exporting a database and importing it into an empty one preserves it, whatever its texts
/// contain.
///
/// Excluded is what a format cannot represent (docs/settings.md). In a table and in a calendar,
/// lists with the same title become one, and lists without reminders are missing. In a calendar,
/// texts are compared without control characters and with line feeds as line breaks.
@Suite("Export and import round trips")
struct RoundTripTests {
  private static let pieces = [
    "x", "é", "e\u{301}", "\u{301}", "\u{200D}", "\"", "\"\"", "'", "\\", "\\;", "\\\\", "\\n",
    "\\ ",
    ";", ",", ":", "\r", "\n", "\r\n", "\t", " ", "  ", "\u{FEFF}", "=1+1", "+", "-", "@", "{",
    "null",
    "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{1F44D}\u{1F3FD}", "\u{1F1E6}\u{1F1F9}",
    "\u{200F}", "\u{202E}", "\u{85}", "\u{2028}", "\u{2029}", "\u{1}", "\u{7F}", "\u{A0}",
    "BEGIN:VTODO", "END:VCALENDAR", String(repeating: "long", count: 30),
    String(repeating: "ä🦜", count: 40),
  ]

  private static func text(_ random: inout SeededRandom) -> String {
    (0..<Int.random(in: 0...7, using: &random)).map { _ in random.pick(pieces) }.joined()
  }

  private static func tags(_ random: inout SeededRandom) -> [String] {
    var tags = ReminderTags()
    for _ in 0..<Int.random(in: 0...7, using: &random) where tags.titles.count < 5 {
      _ = tags.add(text(&random))
    }
    return tags.titles
  }

  private static func records(_ random: inout SeededRandom) -> [TransferRecord] {
    var records: [TransferRecord] = []
    var titles: Set<[UInt8]> = []
    for id in 1...Int.random(in: 1...4, using: &random) {
      let title = text(&random)
      guard titles.insert(Array(carriedByCalendar(title).utf8)).inserted else { continue }
      records.append(
        .list(
          TransferList(
            id: id, title: title, createdAt: .init(milliseconds: 1_000),
            updatedAt: .init(milliseconds: 2_000))))
      for _ in 1...Int.random(in: 1...6, using: &random) {
        var values = ReminderRepository.Values()
        values.listID = id
        values.title = text(&random)
        values.notes = text(&random)
        values.dueDate = .some(
          random.pick(
            [nil, "2026-12-24", "2026-12-24 16:30:00.123"].map {
              $0.flatMap { DueDate(stored: $0) }
            }))
        setDates(&values, &random)
        values.priority = .some(random.pick([nil, .low, .medium, .high]))
        values.isFlagged = random.once(in: 2)
        values.status = random.pick([.incomplete, .completed, .completing])
        let isCompleted = values.status == .completed
        values.tags = tags(&random)
        let kept = "X-KEPT;X-A=\"\u{301}\":" + ContentLine.escaped(text(&random))
        let time = Int64.random(in: 1...2_000_000_000_000, using: &random)
        var reminder = TransferReminder(
          values, createdAt: .init(milliseconds: time),
          updatedAt: .init(milliseconds: time + 1_500),
          completedAt: isCompleted ? .init(milliseconds: time + 1_200) : nil,
          calendar: random.once(in: 4) ? kept : nil)
        reminder.alarms = alarms(&random)
        // In a calendar it is completed, and so has no snooze.
        if values.status == .completing {
          for place in reminder.alarms.indices { reminder.alarms[place].snoozedUntil = nil }
        }
        records.append(.reminder(reminder))
      }
    }
    return records + smartLists(&random)
  }

  private static func smartLists(_ random: inout SeededRandom) -> [TransferRecord] {
    (0..<random.pick([0, 1, 3])).map { number in
      var values = SmartListRepository.Values()
      values.uid = "smart-\(number)"
      values.title = text(&random)
      values.color = Int.random(in: 0...0xFF_FFFF, using: &random) << 8 | 0xFF
      values.icon = random.pick(["", "⭐️", "👨‍👩‍👧‍👦"])
      values.filter = random.pick([
        [:], ["due": "today"], ["listID": 1], ["tag": ["a", "b"], "flagged": true],
      ])
      values.sort = .some(random.pick([nil, "-dueDate"]))
      return .smartList(
        TransferSmartList(
          values, createdAt: .init(milliseconds: 1_700_000_000_123),
          updatedAt: .init(milliseconds: 1_700_000_000_124)))
    }
  }

  /// Alarms with different triggers: two for one moment are one in a calendar.
  private static func alarms(_ random: inout SeededRandom) -> [TransferAlarm] {
    var triggers: Set<AlarmTrigger> = []
    return (0..<random.pick([0, 0, 1, 3])).map { _ in
      let repetition = AlarmTrigger.Repetition(every: "PT1M30S", times: 3)
      let moment: AlarmTrigger.Moment = random.pick(
        [.at(Instant(milliseconds: 1_800_000_000_123))]
          + ["-PT10M", "P1D", "-P1DT2H30.5S"].compactMap { CivilDuration($0) }
          .flatMap { [.offset($0, from: .due), .offset($0, from: .start)] })
      return TransferAlarm(
        AlarmTrigger(moment, repetition: random.pick([nil, repetition])),
        snoozedUntil: random.pick([nil, nil, Instant(milliseconds: 4_000_000_000_123)]),
        acknowledgedAt: random.pick([nil, Instant(milliseconds: 1_700_000_000_123)]))
    }.filter { triggers.insert($0.trigger).inserted }
  }

  /// Sets a start, a zone and a recurrence that are possible with the due date.
  private static func setDates(
    _ values: inout ReminderRepository.Values, _ random: inout SeededRandom
  ) {
    let due = values.dueDate ?? nil
    values.startDate = .some(
      random.pick([nil, due?.isTimed == true ? "2026-12-01 08:00:00.000" : "2026-12-01"])
        .flatMap { DueDate(stored: $0) })
    values.timeZone = .some(random.pick([nil, "Europe/Vienna", "America/New_York"]))
    guard due != nil, random.once(in: 2) else { return }
    var recurrence = Recurrence.Values()
    recurrence.rule = try? RecurrenceRule(
      random.pick(["FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;COUNT=4", "FREQ=MONTHLY;BYDAY=-1FR"]))
    recurrence.basis = random.pick(Recurrence.Basis.allCases)
    if random.once(in: 2) {
      let isTimed = due?.isTimed == true
      recurrence.start = DueDate(stored: isTimed ? "2026-12-01 09:30:00.000" : "2026-12-01")
      recurrence.excluded = ["2026-12-25", "2027-01-01"].compactMap { DueDate(stored: $0) }
    }
    values.recurrence = .some(recurrence)
  }

  /// The text as a calendar represents it: with line feeds and no other control characters (RFC
  /// 5545 section 3.1).
  private static func carriedByCalendar(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var last: Unicode.Scalar = "x"
    for scalar in text.unicodeScalars {
      if scalar == "\r" || (scalar == "\n" && last != "\r") {
        scalars.append("\n")
      } else if scalar != "\n", scalar.value >= 0x20 && scalar.value != 0x7F || scalar == "\t" {
        scalars.append(scalar)
      }
      last = scalar
    }
    return String(scalars)
  }

  /// A new database with these records.
  private final class Database {
    let folder: TemporaryFolder
    let db: Connection

    init(_ records: [TransferRecord]) throws {
      folder = try TemporaryFolder()
      try RemindersDatabase.migrate(path: folder.file("a.db"))
      db = try Connection(location: .file(folder.file("a.db")))
      try db.pragma("synchronous", set: "OFF")
      try db.execute("BEGIN")
      _ = try Importer.add(records, in: db)
      try db.execute("COMMIT")
    }

    /// The export in a format.
    func text(_ format: TransferFormat) throws -> [UInt8] {
      let buffer = ByteBuffer(capacity: 1 << 16)
      var writer = format.writer()
      writer.begin(into: buffer)
      let counts = try Exporter.export(in: db) { writer.write($0, into: buffer) }
      writer.end(counts, into: buffer)
      return Array(buffer.bytes)
    }

    /// The records, with lists numbered by position instead of their IDs.
    func records() throws -> [TransferRecord] {
      var lists: [Int: Int] = [:]
      var records: [TransferRecord] = []
      try Exporter.export(in: db) { record in
        switch record {
        case .list(var list):
          lists[list.id] = lists.count
          list.id = lists.count - 1
          records.append(.list(list))
        case .tag: records.append(record)
        // Checked as the text of an export. Its reminder has another ID here.
        case .completion, .occurrence: break
        case .reminder(var reminder):
          reminder.id = nil
          reminder.values.listID = reminder.values.listID.flatMap { lists[$0] }
          records.append(.reminder(reminder))
        case .smartList(var list):
          if let id = list.values.filter?["listID"]?.int64 {
            list.values.filter?["listID"] = .integer(Int64(lists[Int(id)] ?? -1))
          }
          records.append(.smartList(list))
        }
      }
      return records
    }
  }

  private static func read(_ bytes: [UInt8], _ format: TransferFormat) throws -> [TransferRecord] {
    var lines = MemoryLines(SharedBytes(bytes))
    return try format.records(&lines, most: 1_000)
  }

  /// The bytes of the fields that a table and a calendar preserve.
  private static func parts(
    _ records: [TransferRecord], _ carried: (String) -> String
  ) -> [[[UInt8]]] {
    var titles: [Int: String] = [:]
    var parts: [[[UInt8]]] = []
    for record in records {
      switch record {
      case .list(let list): titles[list.id] = list.title
      case .tag, .completion, .occurrence, .smartList: break
      case .reminder(let reminder):
        let values = reminder.values
        let texts =
          [titles[values.listID ?? -1] ?? "none", values.title ?? "", values.notes ?? ""]
          .map(carried)
        let others =
          [
            (values.priority ?? nil)?.label ?? "", values.isFlagged == true ? "flag" : "",
            (values.status ?? .incomplete) == .incomplete ? "" : "done",
          ] + dates(values)
        parts.append((texts + (values.tags ?? []) + others).map { Array($0.utf8) })
      }
    }
    return parts
  }

  /// A calendar has no milliseconds, and what a rule's COUNT was.
  private static func dates(_ values: ReminderRepository.Values) -> [String] {
    let start: DueDate? = values.startDate ?? nil
    let due: DueDate? = values.dueDate ?? nil
    let recurrence: Recurrence.Values? = values.recurrence ?? nil
    var texts = [start, due].map { date in date.map { String($0.description.prefix(19)) } ?? "" }
    texts.append((values.timeZone ?? nil) ?? "")
    // Of a moved due date, the COUNT begins with the occurrence before it.
    texts.append(
      recurrence?.rule.map { $0.count == nil ? $0.description : "counted" } ?? "")
    texts.append(recurrence?.basis?.label ?? "")
    return texts
  }

  /// The due dates that follow the current ones.
  private static func following(_ records: [TransferRecord]) -> [[String]] {
    records.compactMap { record in
      guard case .reminder(let reminder) = record, let due = reminder.values.dueDate ?? nil,
        let recurrence = reminder.values.recurrence ?? nil, let rule = recurrence.rule
      else { return nil }
      let name = (reminder.values.timeZone ?? nil) ?? "UTC"
      let series = RecurrenceSeries(
        start: Occurrence((recurrence.start ?? nil) ?? due), rule: rule,
        excluded: Set((recurrence.excluded ?? []).map { Occurrence($0) }),
        in: (try? ZoneDatabase.system.zone(named: name)) ?? .utc)
      return series.occurrences(after: Occurrence(due)).prefix(6)
        .map { "\(DueDate($0))".prefix(19).description }
    }
  }

  private static let seeds: [UInt64] = (0..<Effort.rounds(4)).map { _ in .random(in: 0 ... .max) }

  @Test("NDJSON preserves everything", arguments: seeds)
  func ndjson(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let first = try Database(RoundTripTests.records(&random))
    let file = try first.text(.ndjson)
    let second = try Database(RoundTripTests.read(file, .ndjson))
    #expect(try second.records() == first.records(), "seed \(seed)")
    let again = try second.text(.ndjson)
    let third = try Database(RoundTripTests.read(again, .ndjson))
    // From here on, IDs are the same, too.
    #expect(try third.text(.ndjson) == again, "seed \(seed)")
    // Compares bytes, because the comparison of records uses Swift's canonical string equality.
    #expect(try second.text(.csv) == first.text(.csv), "seed \(seed)")
  }

  @Test("CSV preserves the reminders and the titles of their lists", arguments: seeds)
  func csv(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let first = try Database(RoundTripTests.records(&random))
    let file = try first.text(.csv)
    let second = try Database(RoundTripTests.read(file, .csv))
    #expect(try second.text(.csv) == file, "seed \(seed)")
    let following = try RoundTripTests.following(first.records())
    #expect(try RoundTripTests.following(second.records()) == following, "seed \(seed)")
    let parts = try RoundTripTests.parts(first.records()) { $0 }
    #expect(try RoundTripTests.parts(second.records()) { $0 } == parts, "seed \(seed)")
  }

  @Test("iCalendar preserves the reminders, except for control characters", arguments: seeds)
  func ics(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let first = try Database(RoundTripTests.records(&random))
    let file = try first.text(.ics)
    for line in file.split(separator: 0x0A) {
      #expect(line.count <= 76 && line.last == 0x0D, "seed \(seed)")
      #expect(String(validating: line, as: UTF8.self) != nil, "seed \(seed)")
    }
    let second = try Database(RoundTripTests.read(file, .ics))
    let again = try second.text(.ics)
    #expect(again == file, "seed \(seed): \(RoundTripTests.difference(file, again))")
    let following = try RoundTripTests.following(first.records())
    #expect(try RoundTripTests.following(second.records()) == following, "seed \(seed)")
    let carried = RoundTripTests.carriedByCalendar
    let parts = try RoundTripTests.parts(first.records(), carried)
    #expect(try RoundTripTests.parts(second.records(), carried) == parts, "seed \(seed)")
    // Stored calendar properties are preserved by NDJSON.
    let json = try second.text(.ndjson)
    let third = try Database(RoundTripTests.read(json, .ndjson))
    let last = try third.text(.ics)
    #expect(last == file, "seed \(seed): \(RoundTripTests.difference(file, last))")
  }

  /// The lines around the first one in which two files differ.
  private static func difference(_ one: [UInt8], _ other: [UInt8]) -> String {
    let texts = [one, other].map {
      String(decoding: $0, as: UTF8.self).split(separator: "\r\n" as Character)
    }
    let place = zip(texts[0], texts[1]).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
    return texts.map { $0.dropFirst(max(place - 12, 0)).prefix(20).joined(separator: "\n") }
      .joined(separator: "\n-----\n")
  }
}
