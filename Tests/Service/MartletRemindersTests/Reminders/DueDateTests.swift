import MartletTime
import Testing

@testable import MartletReminders

@Suite struct DueDateTests {
  @Test(
    arguments: [
      // The text that clients send, the stored text, and the text that clients receive.
      ("2026-11-20", "2026-11-20", "2026-11-20"),
      ("0001-01-01", "0001-01-01", "0001-01-01"),
      ("9999-12-31", "9999-12-31", "9999-12-31"),
      ("2026-11-20T15:36:00Z", "2026-11-20 15:36:00.000", "2026-11-20T15:36:00.000Z"),
      ("2026-11-20t15:36:00.1239+02:00", "2026-11-20 13:36:00.123", "2026-11-20T13:36:00.123Z"),
    ])
  func texts(_ written: String, _ stored: String, _ read: String) throws {
    let due = try DueDate(written)
    #expect(due.stored == stored && due.description == read)
    #expect(DueDate(stored: stored) == due)
    #expect(try DueDate(read) == due, "what is read can be written")
  }

  @Test(arguments: ["", "2026-02-30", "20261120", "2026-11-20 15:36:00", "tomorrow"])
  func refused(_ text: String) {
    #expect(throws: RFC3339.Problem.self) { try DueDate(text) }
  }

  @Test(arguments: ["", "2026-02-30", "2026-11-20T15:36:00Z", "2026-11-20 25:00:00.000"])
  func unreadable(_ text: String) {
    #expect(DueDate(stored: text) == nil)
  }

  /// The stored texts sort correctly: a bare day before each instant of that day in UTC.
  @Test func order() throws {
    let texts = [
      "2026-11-19T23:59:59.999Z", "2026-11-20", "2026-11-20T00:00:00Z", "2026-11-20T00:00:00.001Z",
      "2026-11-21",
    ]
    let stored = try texts.map { try DueDate($0).stored }
    #expect(stored == stored.sorted())
  }

  /// On 4 November 2018, clocks in São Paulo were set from 24:00 to 01:00.
  @Test func inAZone() throws {
    let zone = try ZoneDatabase.system.zone(named: "America/Sao_Paulo")
    let day = DueDate.day(CivilDate("2018-11-04")!)
    #expect(day.start(in: zone) == (try RFC3339.parse("2018-11-04T03:00:00Z")))
    #expect(day.end(in: zone) == (try RFC3339.parse("2018-11-05T02:00:00Z")))
    let late = DueDate.instant(try RFC3339.parse("2018-11-05T01:59:59.999Z"))
    #expect(late.day(in: zone) == CivilDate("2018-11-04"))
    #expect(late.end(in: zone) == day.end(in: zone))
  }
}
