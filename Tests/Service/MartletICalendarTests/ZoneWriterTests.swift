import MartletTime
import Testing

@testable import MartletICalendar

@Suite("Definitions of the system's zones") struct ZoneWriterTests {
  private static func definition(_ lines: [String]) throws -> ZoneDefinition {
    try #require(ZoneDefinition(try lines.map { try ContentLine($0) }))
  }

  @Test(
    "A definition that is read again shows the same times",
    arguments: [
      "Europe/Vienna", "Europe/Dublin", "America/New_York", "America/St_Johns", "Asia/Kolkata",
      "Australia/Lord_Howe", "Pacific/Apia", "Asia/Tokyo", "America/Sao_Paulo", "Africa/Cairo",
    ])
  func reads(_ name: String) throws {
    let zone = try ZoneDatabase.system.zone(named: name)
    for first in [Instant.epoch, Instant(seconds: 1_800_000_000)] {
      let definition = try Self.definition(ZoneWriter.lines(of: zone, from: first))
      var day = CivilDate(utc: max(first, Instant(seconds: 631_152_000)))
      var different: [CivilDate] = []
      while day.year < (first == .epoch ? 2030 : 2050) {
        let time = try #require(CivilTime(date: day, hour: 12, minute: 0, second: 0))
        if definition.instant(of: time) != zone.instant(of: time) { different.append(day) }
        day = day.adding(days: 5)
      }
      #expect(different.isEmpty, "\(different.prefix(5))")
    }
  }

  @Test("A yearly change is a rule without an end, and an earlier one ends")
  func rules() throws {
    let vienna = ZoneWriter.lines(
      of: try ZoneDatabase.system.zone(named: "Europe/Vienna"),
      from: Instant(seconds: 1_800_000_000))
    #expect(
      vienna == [
        "BEGIN:VTIMEZONE", "TZID:Europe/Vienna", "BEGIN:STANDARD", "DTSTART:20260101T000000",
        "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100", "END:STANDARD", "BEGIN:DAYLIGHT",
        "DTSTART:20260329T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
        "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "END:DAYLIGHT", "BEGIN:STANDARD",
        "DTSTART:20261025T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100",
        "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "END:STANDARD", "END:VTIMEZONE",
      ])
    let york = ZoneWriter.lines(of: try ZoneDatabase.system.zone(named: "America/New_York"))
    #expect(york.contains("RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU"))
    #expect(york.contains { $0.hasPrefix("RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=2006") })
    let tokyo = ZoneWriter.lines(of: try ZoneDatabase.system.zone(named: "Asia/Tokyo"))
    #expect(tokyo.count == 8)
  }
}
