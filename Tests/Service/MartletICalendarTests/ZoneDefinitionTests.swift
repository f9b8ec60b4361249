import MartletTime
import Testing

@testable import MartletICalendar

@Suite("Rules of defined zones") struct ZoneDefinitionTests {
  private static func definition(_ daylight: String, _ standard: String) throws -> ZoneDefinition? {
    let lines = [
      "BEGIN:VTIMEZONE", "TZID:Custom", "BEGIN:DAYLIGHT", "DTSTART:20070311T020000",
      "TZOFFSETFROM:-0600", "TZOFFSETTO:-0500", "RRULE:FREQ=YEARLY;\(daylight)", "END:DAYLIGHT",
      "BEGIN:STANDARD", "DTSTART:20071104T020000", "TZOFFSETFROM:-0500", "TZOFFSETTO:-0600",
      "RRULE:FREQ=YEARLY;\(standard)", "END:STANDARD", "END:VTIMEZONE",
    ]
    return ZoneDefinition(try lines.map { try ContentLine($0) })
  }

  @Test("libical: the Sunday among seven days is the second one")
  func monthDays() throws {
    let chicago = try ZoneDatabase.system.zone(named: "America/Chicago")
    for (daylight, standard) in [
      (
        "BYMONTH=3;BYDAY=SU;BYMONTHDAY=8,9,10,11,12,13,14",
        "BYMONTH=11;BYDAY=SU;BYMONTHDAY=1,2,3,4,5,6,7"
      ),
      ("INTERVAL=1;BYDAY=2SU;BYMONTH=3;WKST=SU", "BYMONTH=11;BYDAY=1SU"),
    ] {
      let zone = try #require(try Self.definition(daylight, standard))
      #expect(zone.agrees(with: chicago, from: 2026))
    }
  }

  @Test("A rule ends after COUNT years, and with UNTIL")
  func ends() throws {
    for end in ["COUNT=3", "UNTIL=20100101T000000Z", "UNTIL=20091231"] {
      let zone = try #require(
        try Self.definition("BYMONTH=3;BYDAY=2SU;\(end)", "BYMONTH=11;BYDAY=1SU;\(end)"))
      for (year, offset) in [(2009, -5), (2010, -6), (2030, -6)] {
        let day = try #require(CivilDate(year: year, month: 7, day: 1))
        let noon = try #require(CivilTime(date: day, hour: 12, minute: 0, second: 0))
        #expect(zone.offset(at: noon) == offset * 3_600, "\(end) \(year)")
      }
    }
  }

  @Test(
    "Other rules are not read as if they were these",
    arguments: [
      "INTERVAL=2;BYMONTH=3;BYDAY=2SU", "BYMONTH=3,4;BYDAY=2SU", "BYDAY=10SU",
      "BYMONTH=3;BYDAY=SU,MO", "BYYEARDAY=70", "BYMONTHDAY=8;BYDAY=SU", "BYMONTH=3;BYSETPOS=1",
      "BYMONTH=3;BYDAY=2SU;BYMONTHDAY=8", "FREQ=MONTHLY;BYMONTH=3;BYDAY=2SU",
    ])
  func unknown(_ rule: String) throws {
    #expect(try Self.definition(rule, "BYMONTH=11;BYDAY=1SU") == nil)
  }
}
