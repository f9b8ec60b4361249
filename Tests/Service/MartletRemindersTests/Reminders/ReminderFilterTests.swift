import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletReminders

@Suite struct ReminderFilterTests {
  let file: RemindersFile
  let db: Connection

  init() throws {
    file = try RemindersFile()
    db = try file.connect(as: .service)
  }

  private func ids(_ now: Instant = .epoch, _ set: (inout ReminderFilter) -> Void) throws -> [Int] {
    var filter = ReminderFilter()
    set(&filter)
    var request = PageRequest()
    request.limit = 500
    return try ReadPage(
      ReminderRepository.page(filter, sort: ReminderSort(.dueDate), request, now: now), in: db
    ).ids.sorted()
  }

  private func insert(_ dueDates: String?...) throws {
    for due in dueDates {
      try db.run(
        "INSERT INTO reminders (remindersListID, dueDate) VALUES (1, ?)",
        due.map { .text($0) } ?? .null)
    }
  }

  private func zone(_ name: String) throws -> ZoneInfo {
    try ZoneDatabase.system.zone(named: name)
  }

  /// In Vienna the day begins an hour before the day in UTC.
  @Test func todayIsTheZonesDay() throws {
    try insert(
      "2026-11-19", "2026-11-20", "2026-11-21", "2026-11-19 22:59:59.999",
      "2026-11-19 23:00:00.000", "2026-11-20 22:59:59.999", "2026-11-20 23:00:00.000", nil)
    let noon = try RFC3339.parse("2026-11-20T12:00:00Z")
    #expect(try ids(noon) { $0.due = .today } == [2, 6, 7])
    let vienna = try zone("Europe/Vienna")
    #expect(
      try ids(noon) {
        $0.due = .today
        $0.zone = vienna
      } == [2, 5, 6])
    let late = try RFC3339.parse("2026-11-20T23:30:00Z")
    #expect(
      try ids(late) {
        $0.due = .today
        $0.zone = vienna
      } == [3, 7])
  }

  /// On 4 November 2018, the clocks in São Paulo were set from 23:59:59 to 01:00:00.
  @Test func aDayThatBeginsAtOne() throws {
    try insert("2018-11-04", "2018-11-04 02:59:59.999", "2018-11-04 03:00:00.000")
    let saoPaulo = try zone("America/Sao_Paulo")
    func due(_ now: String) throws -> [Int] {
      try ids(RFC3339.parse(now)) {
        $0.due = .today
        $0.zone = saoPaulo
      }
    }
    #expect(try due("2018-11-04T02:59:59Z") == [2])
    #expect(try due("2018-11-04T03:00:00Z") == [1, 3])
    #expect(
      try ids {
        $0.dueBefore = .day(CivilDate("2018-11-04")!)
        $0.zone = saoPaulo
      } == [2])
    #expect(
      try ids {
        $0.dueAfter = .day(CivilDate("2018-11-03")!)
        $0.zone = saoPaulo
      } == [1, 3])
  }

  @Test func overdueIsBeforeNowAndBeforeToday() throws {
    try insert(
      "2026-11-19", "2026-11-20", "2026-11-20 11:59:59.999", "2026-11-20 12:00:00.000", nil)
    let noon = try RFC3339.parse("2026-11-20T12:00:00Z")
    #expect(try ids(noon) { $0.due = .overdue } == [1, 3])
    let kolkata = try zone("Asia/Kolkata")
    let lateInKolkata = try RFC3339.parse("2026-11-20T18:30:00Z")
    #expect(
      try ids(lateInKolkata) {
        $0.due = .overdue
        $0.zone = kolkata
      } == [1, 2, 3, 4])
  }

  @Test func dueConditionsAreAboutOpenReminders() throws {
    try insert("2026-11-20", "2026-11-20", "2026-11-20", nil, nil, "2026-11-01", "2026-11-01")
    try db.execute(
      """
      UPDATE reminders SET status = 1 WHERE id IN (2, 5, 7);
      UPDATE reminders SET status = 2 WHERE id = 3;
      """)
    let noon = try RFC3339.parse("2026-11-20T12:00:00Z")
    #expect(try ids(noon) { $0.due = .today } == [1, 3])
    #expect(try ids(noon) { $0.due = .overdue } == [6])
    #expect(try ids(noon) { $0.due = .scheduled } == [1, 3, 6])
    #expect(try ids(noon) { $0.due = ReminderFilter.Due.none } == [4])
    #expect(try ids { $0.isCompleted = false } == [1, 3, 4, 6])
    #expect(try ids { $0.isCompleted = true } == [2, 5, 7])
    #expect(try ids { $0.status = .completing } == [3])
  }

  @Test func beforeAndAfterAreStrict() throws {
    try insert("2026-11-20", "2026-11-20 12:00:00.000", "2026-11-20 12:00:00.001")
    let noon = try RFC3339.parse("2026-11-20T12:00:00Z")
    #expect(try ids { $0.dueBefore = .instant(noon) } == [])
    #expect(try ids { $0.dueBefore = .instant(noon.adding(milliseconds: 1)) } == [2])
    #expect(try ids { $0.dueAfter = .instant(noon) } == [3])
    #expect(try ids { $0.dueAfter = .instant(noon.adding(milliseconds: -1)) } == [2, 3])
    #expect(try ids { $0.dueBefore = .day(CivilDate("2026-11-21")!) } == [1, 2, 3])
    #expect(try ids { $0.dueAfter = .day(CivilDate("2026-11-20")!) } == [])
    #expect(try ids { $0.dueAfter = .day(CivilDate("2026-11-19")!) } == [1, 2, 3])
  }

  @Test func tagsAreAllOnTheReminderWithoutRegardToCase() throws {
    try insert(nil, nil, nil)
    try db.execute(
      """
      INSERT INTO tags VALUES ('Car'), ('home'), ('carport');
      INSERT INTO remindersTags (reminderID, tagID)
      VALUES (1, 'Car'), (2, 'Car'), (2, 'home'), (3, 'carport');
      """)
    #expect(try ids { $0.tags = ["CAR"] } == [1, 2])
    #expect(try ids { $0.tags = ["car", "HOME"] } == [2])
    #expect(try ids { $0.tags = ["car", "car"] } == [1, 2])
    #expect(try ids { $0.tags = ["nothing"] } == [])
  }

  @Test func textLooksEverywhere() throws {
    try db.execute(
      """
      INSERT INTO reminders (remindersListID, title, notes)
      VALUES (1, 'Buy milk', ''), (1, 'Cake', 'with milk and honey'), (1, 'Milkmaid', '');
      INSERT INTO tags VALUES ('milk');
      INSERT INTO remindersTags (reminderID, tagID) VALUES (3, 'milk');
      """)
    #expect(try ids { $0.text = SearchText("milk") } == [1, 2, 3])
    #expect(try ids { $0.text = SearchText("milk ") } == [1, 2, 3])
    #expect(try ids { $0.text = SearchText("milk tag:MILK") } == [3])
    #expect(try ids { $0.text = SearchText("milk honey") } == [2])
    #expect(try ids { $0.text = SearchText("") } == [])
  }

  @Test(arguments: ["UTC", "Europe/Vienna", "America/Sao_Paulo", "Asia/Kolkata"])
  func filtersDoWhatTheOracleDoes(_ name: String) throws {
    let zone = try zone(name)
    // Around the change of the clocks in São Paulo, and on an ordinary day.
    for now in [
      try RFC3339.parse("2018-11-04T03:00:00Z"), try RFC3339.parse("2026-06-01T22:10:00Z"),
    ] {
      try db.execute("DELETE FROM remindersLists; DELETE FROM tags")
      var source = RandomReminders(random: SeededRandom(), now: now, zones: [zone, .utc])
      try source.fill(db, 120)
      let oracle = try Oracle(db)
      for _ in 0..<150 {
        var filter = ReminderFilter()
        filter.zone = zone
        filter.due = source.random.pick([nil] + ReminderFilter.Due.allCases)
        if Bool.random(using: &source.random) { filter.dueBefore = source.bound() }
        if Bool.random(using: &source.random) { filter.dueAfter = source.bound() }
        let wanted = oracle.ids(filter, ReminderSort(.title), now: now).sorted()
        #expect(
          try ids(now) { $0 = filter } == wanted, "\(filter) at \(now), seed \(source.random.seed)")
      }
    }
  }
}
