import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization
import TestSupport
import Testing

@testable import MartletReminders

/// The scheduler on an injected clock. The tests wait for commits, never for time.
@Suite("The scheduler of alarms", .timeLimit(.minutes(10)))
struct AlarmSchedulerTests {
  private let file: RemindersFile
  private let shell: Connection

  init() throws {
    file = try RemindersFile()
    shell = try file.connect(as: .shell)
  }

  /// A server with a scheduler, as it runs between two restarts.
  private final class Service: Sendable {
    let database: EmbeddedDatabase
    let time: TestClock
    private let agenda: Agenda
    private let scheduler: AlarmScheduler
    private let zone: ZoneInfo
    private let commits: AsyncStream<UInt64>
    let delays = Mutex<[Duration]>([])
    let errors = Mutex<[String]>([])

    init(
      _ file: RemindersFile, at time: TestClock, zone: String = "UTC", zoneFiles: String = "a"
    ) throws {
      self.time = time
      self.zoneFiles = zoneFiles
      self.zone = try ZoneDatabase.system.zone(named: zone)
      var settings = Configuration()
      settings.otherWritersInterval = .milliseconds(5)
      settings.changeTable = RemindersDatabase.changeTable
      database = try EmbeddedDatabase(path: file.path, configuration: settings)
      let (commits, heard) = AsyncStream.makeStream(of: UInt64.self)
      self.commits = commits
      database.onCommit { heard.yield($0.number) }
      agenda = Agenda(time.clock)
      var alarms = AlarmScheduler.Settings()
      alarms.zone = self.zone
      alarms.zoneFiles = zoneFiles
      let (told, failed) = (Told(), Told())
      scheduler = AlarmScheduler(
        database, alarms, agenda: agenda,
        rang: { delays in told.add(delays.map { "\($0)" }) }, failed: { failed.add(["\($0)"]) })
      self.told = told
      self.failed = failed
    }
    private let told: Told
    let failed: Told

    deinit { database.close() }

    private let zoneFiles: String

    /// Waits until nothing is stale and nothing is due.
    func quiet() async throws {
      func isQuiet() throws -> Bool {
        let now = time.now
        return try database.read { db in
          let (first, isStale) = try AlarmRepository.next(db)
          let isFollowed =
            try db.value(
              "SELECT 1 FROM alarmClock WHERE zone = ? AND zoneFiles = ?",
              .text(zone.identifier), .text(zoneFiles)) != nil
          return isFollowed && !isStale && first.map { $0 > now } ?? true
        }
      }
      if try isQuiet() { return }
      for await _ in commits where try isQuiet() { return }
    }

    func advance(_ seconds: Int64) async throws {
      time.advance(milliseconds: seconds * 1_000)
      try await quiet()
    }

    func create(
      _ moment: AlarmTrigger.Moment, of reminder: Int = 1,
      repetition: AlarmTrigger.Repetition? = nil
    ) throws -> Int {
      try database.write { [time, zone] db in
        try AlarmRepository.create(
          AlarmTrigger(moment, repetition: repetition), of: reminder, among: .all, at: time.now,
          in: zone, db)
      }
    }
  }

  private final class Told: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ more: [String]) { lines.withLock { $0 += more } }
    var all: [String] { lines.withLock { $0 } }
  }

  private func instant(_ text: String) throws -> Instant { try RFC3339.parse(text) }
  private func reminder(_ due: String, zone: String? = nil) throws {
    try shell.execute(
      """
      INSERT INTO reminders (remindersListID, title, dueDate, timeZone)
      VALUES (1, 'r', '\(due)', \(zone.map { "'\($0)'" } ?? "NULL"))
      """)
  }
  /// The alarms that have rung, with the times at which they were to ring and did.
  private func firings() throws -> [String?] {
    try shell.texts(
      "SELECT alarmID || ' ' || substr(dueAt, 6, 11) || ' at ' || substr(firedAt, 6, 11) FROM firings ORDER BY id"
    )
  }

  @Test("An hour forward, an hour back, and eight days forward")
  func clock() async throws {
    let time = TestClock(try instant("2026-11-24T12:00:00Z"))
    let service = try Service(file, at: time)
    try reminder("2026-11-24 12:30:00.000")
    let minute: Int64 = 60
    _ = try service.create(.at(time.now.adding(seconds: 10 * minute)))
    _ = try service.create(
      .offset(#require(CivilDuration("PT0S")), from: .due),
      repetition: .init(every: "PT10M", times: 2))
    try await service.quiet()
    #expect(try firings().isEmpty)
    try await service.advance(10 * minute)
    #expect(try firings() == ["1 11-24 12:10 at 11-24 12:10"])
    // An hour forward by an administrator: what it passes rings, repetitions once.
    time.now = try instant("2026-11-24T13:10:00Z")
    try await service.quiet()
    #expect(try firings().suffix(1) == ["2 11-24 12:30 at 11-24 13:10"])
    // An hour back: nothing rings again.
    time.now = try instant("2026-11-24T12:10:00Z")
    try await service.quiet()
    try await service.advance(120 * minute)
    #expect(try firings().count == 2)
    // Eight days forward: what is later than a day passes, and the newest still rings.
    let late = try service.create(.at(time.now.adding(seconds: 86_400)))
    let fresh = try service.create(.at(time.now.adding(seconds: 8 * 86_400 - 60)))
    time.now = time.now.adding(seconds: 8 * 86_400)
    try await service.quiet()
    #expect(try firings().count == 3)
    #expect(
      try shell.integers("SELECT state FROM alarms WHERE id IN (\(late), \(fresh)) ORDER BY id")
        == [4, 1])
    #expect(service.failed.all.isEmpty)
  }

  @Test("What came due while no server ran rings once, in order, after the start")
  func restart() async throws {
    let time = TestClock(try instant("2026-11-24T12:00:00Z"))
    try reminder("2026-11-24 18:00:00.000")
    var service: Service? = try Service(file, at: time)
    for minutes in [50, 20, 40, 10, 30] as [Int64] {
      _ = try service?.create(.at(time.now.adding(seconds: minutes * 60)))
    }
    try await service?.advance(10 * 60)
    #expect(try firings() == ["4 11-24 12:10 at 11-24 12:10"])
    service = nil
    time.advance(milliseconds: 35 * 60_000)
    // A shell in between.
    try shell.execute("INSERT INTO alarms (reminderID, anchor, offset) VALUES (1, 0, '-PT5H15M')")
    try shell.execute("DELETE FROM alarms WHERE id = 3")
    let next = try Service(file, at: time)
    try await next.quiet()
    #expect(
      try firings().dropFirst() == [
        "2 11-24 12:20 at 11-24 12:45", "5 11-24 12:30 at 11-24 12:45",
        "6 11-24 12:45 at 11-24 12:45",
      ])
    try await next.advance(5 * 60)
    #expect(try firings().count == 5)
    #expect(next.failed.all.isEmpty)
  }

  @Test("Another program's alarm, date and acknowledgement are followed")
  func shellWrites() async throws {
    let time = TestClock(try instant("2026-11-24T12:00:00Z"))
    let service = try Service(file, at: time)
    try reminder("2026-11-24 12:30:00.000")
    try shell.execute("INSERT INTO alarms (reminderID, anchor, offset) VALUES (1, 0, '-PT10M')")
    try await service.quiet()
    #expect(try shell.text("SELECT fireAt FROM alarms") == "2026-11-24 12:20:00.000")
    try shell.execute("UPDATE reminders SET dueDate = '2026-11-24 12:15:00.000'")
    try await service.quiet()
    try await service.advance(5 * 60)
    #expect(try firings() == ["1 11-24 12:05 at 11-24 12:05"])
    try shell.execute("UPDATE alarms SET snoozedUntil = '2026-11-24 12:20:00.000'")
    try await service.quiet()
    try await service.advance(15 * 60)
    #expect(try firings().last == "1 11-24 12:20 at 11-24 12:20")
    try shell.execute("UPDATE alarms SET acknowledgedAt = '2026-11-24 12:21:00.000'")
    try await service.advance(86_400)
    #expect(try firings().count == 2)
  }

  @Test(
    "On nights when the clocks change, an alarm of a day keeps its time of day",
    arguments: [
      ("Europe/Vienna", "2026-10-26", "2026-10-26T08:00:00Z"),
      ("Europe/Vienna", "2026-03-29", "2026-03-29T07:00:00Z"),
      ("America/New_York", "2026-03-08", "2026-03-08T13:00:00Z"),
      ("Pacific/Auckland", "2026-09-27", "2026-09-26T20:00:00Z"),
    ])
  func nights(_ zone: String, _ day: String, _ expected: String) async throws {
    let time = TestClock(try instant("2026-01-01T00:00:00Z"))
    let service = try Service(file, at: time)
    try reminder(day, zone: zone)
    // A day before, at nine; and nine hours after its midnight, which is not always nine.
    _ = try service.create(.offset(#require(CivilDuration("P1DT9H")), from: .due))
    try shell.execute("UPDATE reminders SET dueDate = date(dueDate, '-1 day')")
    try await service.quiet()
    #expect(
      try shell.text("SELECT fireAt FROM alarms") == SQLiteTime.string(instant(expected)))
  }

  @Test("A new --time-zone and new zone files arm again what depends on them")
  func zones() async throws {
    let time = TestClock(try instant("2026-11-24T00:00:00Z"))
    try reminder("2026-11-25")
    try reminder("2026-11-25", zone: "America/New_York")
    let nine = try AlarmTrigger.Moment.offset(#require(CivilDuration("PT9H")), from: .due)
    var service: Service? = try Service(file, at: time)
    for id in [1, 2] { _ = try service?.create(nine, of: id) }
    let fixed = try service?.create(.at(time.now.adding(seconds: 60)))
    try await service?.quiet()
    func times() throws -> [String?] {
      try shell.texts("SELECT substr(fireAt, 9, 8) FROM alarms ORDER BY id")
    }
    #expect(try times() == ["25 09:00", "25 14:00", "24 00:01"])
    service = nil
    service = try Service(file, at: time, zone: "Europe/Vienna")
    try await service?.quiet()
    #expect(try times() == ["25 08:00", "25 14:00", "24 00:01"])
    // As if the files had been others.
    service = nil
    try shell.execute(
      "UPDATE alarms SET (fireAt, armedFor) = ('2026-11-25 07:00:00.000', '2026-11-25 07:00:00.000') WHERE id = 1"
    )
    service = try Service(file, at: time, zone: "Europe/Vienna")
    try await service?.quiet()
    #expect(try times()[0] == "25 07:00")
    service = nil
    service = try Service(file, at: time, zone: "Europe/Vienna", zoneFiles: "b")
    try await service?.quiet()
    #expect(try times() == ["25 08:00", "25 14:00", "24 00:01"])
    #expect(fixed == 3)
  }

  @Test("After a restore, nothing of the past rings")
  func restored() async throws {
    let time = TestClock(try instant("2026-11-24T12:00:00Z"))
    var service: Service? = try Service(file, at: time)
    try reminder("2026-11-24 12:30:00.000")
    for minutes in [10, 20, 90] as [Int64] {
      _ = try service?.create(.at(time.now.adding(seconds: minutes * 60)))
    }
    try await service?.advance(10 * 60)
    service = nil
    time.advance(milliseconds: 3_600_000)
    #expect(try RemindersDatabase.passAlarms(at: time.now, shell) == 1)
    service = try Service(file, at: time)
    try await service?.quiet()
    #expect(try firings().count == 1)
    try await service?.advance(30 * 60)
    #expect(try firings().count == 2)
  }

  @Test("What is due rings before the times of others are worked out")
  func dueFirst() async throws {
    let time = TestClock(try instant("2026-11-24T12:00:00Z"))
    try reminder("2026-11-24 18:00:00.000")
    var service: Service? = try Service(file, at: time)
    _ = try service?.create(.at(time.now.adding(seconds: 60)))
    try await service?.quiet()
    service = nil
    time.advance(milliseconds: 60_000)
    try shell.execute(
      """
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 600)
      INSERT INTO reminders (remindersListID, title, dueDate)
      SELECT 1, 'r', '2026-12-01 09:00:00.000' FROM n;
      INSERT INTO alarms (reminderID, anchor, offset) SELECT id, 0, 'PT0S' FROM reminders;
      CREATE TABLE seen (stale INTEGER);
      CREATE TRIGGER seen AFTER INSERT ON firings
      BEGIN INSERT INTO seen SELECT count(*) FROM alarms WHERE isStale = 1; END
      """)
    service = try Service(file, at: time)
    try await service?.quiet()
    #expect(try shell.integers("SELECT stale FROM seen") == [601])
    #expect(try shell.integers("SELECT count(*) FROM alarms WHERE isStale = 1") == [0])
  }

  @Test("Ringing is no change of the reminder")
  func versions() async throws {
    let time = TestClock(try instant("2026-11-24T12:00:00Z"))
    let service = try Service(file, at: time)
    try reminder("2026-11-24 12:30:00.000")
    _ = try service.create(
      .at(time.now.adding(seconds: 60)),
      repetition: .init(every: "PT5M", times: 3))
    try await service.quiet()
    let before = try shell.text("SELECT version || updatedAt FROM reminders")
    try await service.advance(3_600)
    #expect(try firings().count == 1)
    #expect(try shell.text("SELECT version || updatedAt FROM reminders") == before)
  }
}
