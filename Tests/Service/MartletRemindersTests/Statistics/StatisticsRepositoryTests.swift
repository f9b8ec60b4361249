import MartletJSON
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletReminders

@Suite struct StatisticsRepositoryTests {
  let file: RemindersFile
  let db: Connection

  init() throws {
    file = try RemindersFile()
    db = try file.connect(as: .service)
  }

  private func statistics(_ now: Instant, in zone: ZoneInfo) throws -> [String: Int] {
    let buffer = ByteBuffer()
    #expect(
      try db.writeJSONObject(StatisticsRepository.statistics(now: now, in: zone), into: buffer))
    let members = try JSONValue.parse(String(decoding: buffer.bytes, as: UTF8.self)).object?.members
    return Dictionary(
      uniqueKeysWithValues: (members ?? []).map { ($0.name, Int($0.value.int64 ?? -1)) })
  }

  @Test func nothingIsZeroOfEach() throws {
    let statistics = try statistics(.epoch, in: .utc)
    #expect(
      statistics == [
        "all": 0, "open": 0, "today": 0, "overdue": 0, "scheduled": 0, "flagged": 0, "completed": 0,
      ])
  }

  /// Each number equals the number of rows that the filter of the same name finds.
  @Test func theyCountWhatTheFiltersFind() throws {
    let zones = try ["UTC", "Europe/Vienna", "America/Sao_Paulo", "Asia/Kolkata"].map {
      try ZoneDatabase.system.zone(named: $0)
    }
    let now = try RFC3339.parse("2018-11-04T03:00:00Z")
    var source = RandomReminders(random: SeededRandom(), now: now, zones: zones)
    try source.fill(db, 200)
    let oracle = try Oracle(db)
    for zone in zones {
      func count(_ set: (inout ReminderFilter) -> Void) -> Int {
        var filter = ReminderFilter()
        filter.zone = zone
        set(&filter)
        return oracle.ids(filter, ReminderSort(.title), now: now).count
      }
      let wanted = [
        "all": 200, "open": count { $0.isCompleted = false }, "today": count { $0.due = .today },
        "overdue": count { $0.due = .overdue }, "scheduled": count { $0.due = .scheduled },
        "flagged": count {
          $0.isFlagged = true
          $0.isCompleted = false
        },
        "completed": count { $0.isCompleted = true },
      ]
      #expect(
        try statistics(now, in: zone) == wanted, "\(zone), seed \(source.random.seed)")
    }
  }
}
