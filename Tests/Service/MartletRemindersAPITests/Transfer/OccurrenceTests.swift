import MartletJSON
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletReminders
@testable import MartletRemindersAPI

@Suite("Single occurrences: an import does what a calendar program's PUT does")
struct OccurrenceTests {
  private static let now = "2026-11-28T10:00:00Z"

  /// A database with one list, `Home`.
  private struct Database {
    let db: Connection
    let zone: ZoneInfo
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try RemindersDatabase.migrate(path: folder.file("a.db"))
      db = try Connection(location: .file(folder.file("a.db")))
      zone = try ZoneDatabase.system.zone(named: "Europe/Vienna")
      try db.execute("UPDATE remindersLists SET title = 'Home'")
    }

    static func text(_ todos: [[String]]) -> String {
      (["BEGIN:VCALENDAR", "VERSION:2.0", "X-WR-CALNAME:Home"]
        + todos.flatMap { ["BEGIN:VTODO"] + $0 + ["END:VTODO"] } + ["END:VCALENDAR", ""])
        .joined(separator: "\r\n")
    }

    @discardableResult
    func add(_ todos: [[String]], updates: Bool = false) throws -> TransferCounts {
      var source = MemoryLines(SharedBytes(Array(Database.text(todos).utf8)))
      let records = try TransferFormat.ics.records(&source, most: 10_000, house: zone)
      return try db.transaction {
        try Importer.add(
          records, zone: zone, at: RFC3339.parse(OccurrenceTests.now), updates: updates, in: db)
      }
    }

    func put(_ todos: [[String]]) throws {
      let raw = Database.text(todos.map { ["UID:a"] + $0 })
      let text = try Array(raw.utf8).withUnsafeBufferPointer { bytes throws(ObjectText.Fault) in
        try ObjectText(bytes, house: zone)
      }
      let place = CalendarRepository.Placement(
        list: 1, name: "a.ics", at: try RFC3339.parse(OccurrenceTests.now), in: zone)
      try db.transaction {
        let old = try CalendarRepository.entry("a.ics", in: 1, db)
        _ = try CalendarRepository.put(text, raw: raw, place, over: old, in: db)
      }
    }

    /// The reminders and their completions, without IDs.
    func rows() throws -> [String] {
      try db.rows(
        """
        SELECT uid || ' ' || title || ' ' || coalesce(startDate, '-') || ' ' || coalesce(dueDate, '-') \
        || ' ' || status || ' ' || coalesce(recurrenceRule, '-') || ' ' \
        || coalesce(recurrenceExcluded, '-') || ' ' || coalesce((SELECT group_concat(line) FROM \
        (SELECT kind || dueDate || '@' || completedAt AS line FROM completions \
        WHERE reminderID = reminders.id ORDER BY dueDate)), '') FROM reminders ORDER BY uid
        """
      ).compactMap { $0[0].text }
    }
  }

  private static let daily = [
    "UID:a", "SUMMARY:A", "DTSTART;VALUE=DATE:20261124", "DUE;VALUE=DATE:20261124",
    "RRULE:FREQ=DAILY",
  ]

  @Test("A completed occurrence is a completion of its series", arguments: [false, true])
  func completed(_ isFirst: Bool) throws {
    let database = try Database()
    let part = [
      "UID:a", "RECURRENCE-ID;VALUE=DATE:20261124", "STATUS:COMPLETED",
      "COMPLETED:20261124T100000Z",
    ]
    let counts = try database.add(isFirst ? [part, Self.daily] : [Self.daily, part])
    #expect(counts.reminders == 1 && counts.completions == 1)
    #expect(
      try database.rows() == [
        "a A - 2026-11-25 0 FREQ=DAILY - 02026-11-24@2026-11-24 10:00:00.000"
      ])
    // A copy of the file is a series of its own, with its own occurrences.
    try database.add([Self.daily, part])
    let rows = try database.rows()
    #expect(rows.count == 2)
    #expect(rows.allSatisfy { $0.hasSuffix("02026-11-24@2026-11-24 10:00:00.000") }, "\(rows)")
  }

  @Test("A moved occurrence is due on its own date only, a canceled one not at all")
  func moved() throws {
    let database = try Database()
    let moved = [
      "UID:a", "SUMMARY:Moved", "RECURRENCE-ID;VALUE=DATE:20261125", "DUE;VALUE=DATE:20261220",
    ]
    let cancelled = ["UID:a", "RECURRENCE-ID;VALUE=DATE:20261126", "STATUS:CANCELLED"]
    #expect(try database.add([moved, cancelled, Self.daily]).reminders == 2)
    let rows = try database.rows()
    #expect(rows.count == 2)
    #expect(
      rows.first?.contains("2026-11-25") == true && rows.first?.contains("2026-11-26") == true)
    #expect(rows.last?.contains("Moved - 2026-12-20") == true, "\(rows)")
  }

  @Test("An occurrence without its series is a reminder; with ?update=true the series may be there")
  func alone() throws {
    let database = try Database()
    let part = [
      "UID:a", "SUMMARY:Part", "RECURRENCE-ID;VALUE=DATE:20261124", "STATUS:COMPLETED",
      "DUE;VALUE=DATE:20261124", "COMPLETED:20261124T100000Z",
    ]
    #expect(try database.add([part]).reminders == 1)
    #expect(try database.rows().map { $0.prefix(12) } == ["a-2026-11-24"])
    let other = try Database()
    try other.add([Self.daily], updates: true)
    try other.add([part], updates: true)
    #expect(
      try other.rows() == [
        "a A - 2026-11-25 0 FREQ=DAILY - 02026-11-24@2026-11-24 10:00:00.000"
      ])
  }

  @Test("What is said of a series that cannot be evaluated stays with it")
  func unevaluated() throws {
    let database = try Database()
    let master = [
      "UID:a", "SUMMARY:A", "DTSTART:20261124T090000Z", "RRULE:FREQ=SECONDLY;BYSETPOS=2",
    ]
    let part = ["UID:a", "RECURRENCE-ID:20261124T090000Z", "STATUS:COMPLETED", "X-KEPT:1"]
    try database.add([part, master])
    #expect(try database.rows().count == 1)
    let text = try #require(try CalendarRepository.text(of: 1, house: .utc, in: database.db))
    #expect(text.contains("RECURRENCE-ID:20261124T090000Z") && text.contains("X-KEPT:1"))
  }

  @Test("The answer says what was cut, or stays in the text only")
  func notes() throws {
    let database = try Database()
    let notes = try database.add([
      ["UID:a", "SUMMARY:A", "CATEGORIES:1,2,3,4,5,6,7", "RELATED-TO:nowhere"],
      [
        "UID:b", "SUMMARY:B", "DTSTART:20261124T090000Z", "DUE:20261124T090000Z",
        "RRULE:FREQ=SECONDLY;BYSETPOS=2", "RDATE:nonsense", "BEGIN:VALARM", "ACTION:EMAIL",
        "TRIGGER:-PT5M", "END:VALARM",
      ],
      ["UID:c", "SUMMARY:C", "CATEGORIES:1"],
    ]).notes
    #expect(
      notes.map { "\($0.uid ?? "-") \($0.title): \($0.detail)" } == [
        "a A: 2 tags too many: a reminder has at most five.",
        "b B: It does not recur: the rule FREQ=SECONDLY;BYSETPOS=2 was not understood.",
        "b B: The dates nonsense of RDATE were not read.",
        "b B: 1 alarm of a kind that reminders do not have.",
        "a A: It is not below “nowhere”, which is not in the list, or would have over five levels.",
      ])
  }

  @Test("A tree that is too deep is told of")
  func notesOfDepth() throws {
    let todos = (0..<7).map { ["UID:\($0)", "SUMMARY:\($0)", "RELATED-TO:\($0 - 1)"] }
    let notes = try Database().add([["UID:0", "SUMMARY:0"]] + todos.dropFirst()).notes
    #expect(
      notes.map { "\($0.title): \($0.detail)" } == [
        "5: It is not below “4”, which is not in the list, or would have over five levels."
      ], "\(notes)")
  }

  @Test("An update says which parent is not there, and what was cut of a part")
  func notesOfUpdates() throws {
    let database = try Database()
    let todos = [
      ["UID:a", "SUMMARY:A", "RELATED-TO:nowhere"],
      ["UID:b", "SUMMARY:B", "DUE;VALUE=DATE:20261124", "RRULE:FREQ=DAILY"],
      [
        "UID:b", "SUMMARY:C", "RECURRENCE-ID;VALUE=DATE:20261126", "DUE;VALUE=DATE:20261126",
        "CATEGORIES:1,2,3,4,5,6",
      ],
    ]
    for _ in 1...2 {
      let notes = try database.add(todos, updates: true).notes
      #expect(
        Set(notes.map { "\($0.uid ?? "-"): \($0.detail)" }) == [
          "a: It is not below “nowhere”, which is not in the list, or would have over five levels.",
          "b: 1 tag too many: a reminder has at most five.",
        ], "\(notes)")
    }
  }

  @Test("Parts find their series by a UID of any length")
  func longUID() throws {
    let uid = "UID:" + String(repeating: "u", count: 300)
    let database = try Database()
    _ = try database.add([
      [uid, "SUMMARY:A", "DUE;VALUE=DATE:20261124", "RRULE:FREQ=DAILY"],
      [
        uid, "SUMMARY:A", "RECURRENCE-ID;VALUE=DATE:20261124", "STATUS:COMPLETED",
        "COMPLETED:20261124T100000Z",
      ],
    ])
    #expect(
      try database.db.value("SELECT group_concat(dueDate) FROM reminders")?.text == "2026-11-25")
  }

  @Test(
    "Random series with random occurrences end in equal rows by each way",
    arguments: (0..<Effort.rounds(20)).map { _ in UInt64.random(in: 0 ... .max) })
  func ways(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let isTimed = random.pick([true, false])
    func date(_ name: String, _ day: Int, _ hour: Int = 9) -> String {
      let text = "202612\(day < 10 ? "0" : "")\(day)"
      return isTimed
        ? "\(name);TZID=Europe/Vienna:\(text)T\(hour < 10 ? "0" : "")\(hour)0000"
        : "\(name);VALUE=DATE:\(text)"
    }
    let every = random.pick([1, 2, 3])
    var master = [
      "SUMMARY:Series", date("DTSTART", 1), date("DUE", 1, random.pick([9, 17])),
      "RRULE:FREQ=DAILY;INTERVAL=\(every)" + random.pick(["", ";COUNT=7"]),
    ]
    if random.pick([true, false]) { master.append(date("EXDATE", 1 + every * 2)) }
    for _ in 0..<random.pick([0, 0, 1, 3]) {
      master.append(date("RDATE", 2 + random.pick([0, 1, 2, 3, 25])))
    }
    var parts: [[String]] = []
    for place in 0..<7 where random.pick([true, false]) {
      let day = 1 + every * place
      let way = random.pick([0, 1, 2, 3])
      let hasRange = way > 1 && random.pick([true, false, false])
      let id = date("RECURRENCE-ID\(hasRange ? ";RANGE=THISANDFUTURE" : "")", day)
      var part = ["SUMMARY:Part \(place)", id]
      switch way {
      case 0: part += ["STATUS:COMPLETED", "COMPLETED:2026112\(place)T100000Z"]
      case 1: part += ["STATUS:CANCELLED"]
      case 2: part += [date("DTSTART", 28), date("DUE", 28)]
      default: part += [date("DTSTART", day), date("DUE", day, 18), "PRIORITY:1"]
      }
      parts.append(part)
    }
    let put = try Database()
    try put.put([master] + parts)
    let expected = try put.rows()
    func named(_ todos: [[String]]) -> [[String]] { todos.map { ["UID:a"] + $0 } }
    let imported = try Database()
    try imported.add(named(parts + [master]))
    #expect(try imported.rows() == expected, "seed \(seed)")
    let updated = try Database()
    try updated.add(named([master]), updates: true)
    try updated.add(named([master] + parts), updates: true)
    let rows = try updated.rows()
    #expect(rows == expected, "seed \(seed): \([master] + parts)")
    // And once more, which changes nothing, unless the series has become another one.
    guard !parts.contains(where: { $0[1].contains("RANGE") }) else { return }
    try updated.add(named([master] + parts), updates: true)
    #expect(try updated.rows() == expected, "seed \(seed)")
  }
}
