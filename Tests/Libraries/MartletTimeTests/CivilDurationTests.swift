import Foundation
import Testing

@testable import MartletTime

struct CivilDurationTests {
  @Test(arguments: [
    ("PT0S", 0, 0, "PT0S"), ("P0D", 0, 0, "PT0S"), ("-P1D", -1, 0, "-P1D"),
    ("+PT10M", 0, 600_000, "PT10M"), ("-P1DT2H", -1, -7_200_000, "-P1DT2H"),
    ("P2W", 14, 0, "P14D"), ("PT36H", 0, 129_600_000, "PT36H"),
    ("PT90S", 0, 90_000, "PT1M30S"), ("PT1H0.25S", 0, 3_600_250, "PT1H0.25S"),
    ("-PT0.005S", 0, -5, "-PT0.005S"), ("P366DT1M", 366, 60_000, "P366DT1M"),
  ])
  func isRead(_ text: String, _ days: Int, _ milliseconds: Int64, _ printed: String) throws {
    let duration = try #require(CivilDuration(text))
    #expect(duration.days == days && duration.milliseconds == milliseconds)
    #expect(duration.description == printed)
    #expect(CivilDuration(printed) == duration)
  }

  @Test(arguments: [
    "", "P", "PT", "-", "1D", "P1", "PD", "P1Y", "P1M", "P1DT", "PT1D", "P1H", "PT1M1H", "PT1M2M",
    "P1D1D", "P1D2W", "P1W1D", "P1.5D", "PT1.5M", "PT1.S", "PT.5S", "PT1.0005S", "--P1D", "P-1D",
    "p1d", "P1D ", " P1D", "P1DT1HT1M", "P1,5D", "P9999999999D", "P99999999D", "PT999999999H",
    "P١D",
  ])
  func isRefused(_ text: String) { #expect(CivilDuration(text) == nil) }

  @Test func randomOnesArePrintedAndRead() throws {
    for _ in 0..<2_000 {
      let sign = Bool.random() ? 1 : -1
      let duration = try #require(
        CivilDuration(
          days: sign * Int.random(in: 0...400),
          milliseconds: Int64(sign) * [0, 1_000, 60_000, 3_600_000, 1].randomElement()!
            * Int64.random(in: 0...90)))
      #expect(CivilDuration(duration.description) == duration, "\(duration)")
    }
    #expect(CivilDuration(days: 1, milliseconds: -1) == nil)
  }

  /// Days keep the time of day across a change of the clocks, hours do not.
  @Test(arguments: [
    // Clocks went forward in Vienna on 29 March 2026 at 02:00.
    ("2026-03-29T07:00:00Z", "-P1D", "2026-03-28T08:00:00Z"),
    ("2026-03-29T07:00:00Z", "-PT24H", "2026-03-28T07:00:00Z"),
    // A time that does not exist is by the offset before.
    ("2026-03-28T01:30:00Z", "P1D", "2026-03-29T01:30:00Z"),
    // One that comes twice is the first.
    ("2026-10-24T00:30:00Z", "P1D", "2026-10-25T00:30:00Z"),
    ("2026-10-24T00:30:00Z", "P1DT1H", "2026-10-25T01:30:00Z"),
    ("2026-11-24T08:00:00Z", "PT0S", "2026-11-24T08:00:00Z"),
  ])
  func movesOnTheCalendar(_ start: String, _ text: String, _ end: String) throws {
    let zone = try ZoneDatabase(directory: Cases.directory.appending(path: "zoneinfo").path)
      .zone(named: "Europe/Vienna")
    let moved = try #require(CivilDuration(text)).instant(after: RFC3339.parse(start), in: zone)
    #expect(try moved == RFC3339.parse(end))
  }

  @Test(arguments: [
    ("2026-03-29", "PT9H", "2026-03-29T07:00:00Z"), ("2026-10-25", "PT9H", "2026-10-25T08:00:00Z"),
    ("2026-03-30", "-PT15H", "2026-03-29T07:00:00Z"),
    ("2026-03-28", "P1DT2H30M", "2026-03-29T01:30:00Z"),
    ("2026-11-25", "PT0S", "2026-11-24T23:00:00Z"),
  ])
  func isShownByTheClocks(_ day: String, _ text: String, _ shown: String) throws {
    let zone = try ZoneDatabase(directory: Cases.directory.appending(path: "zoneinfo").path)
      .zone(named: "Europe/Vienna")
    let duration = try #require(CivilDuration(text))
    let date = try #require(CivilDate(day))
    #expect(try duration.instant(afterMidnightOf: date, in: zone) == RFC3339.parse(shown))
  }
}

@Suite struct DurationUnitsTests {
  @Test(
    arguments: [
      (.zero, 0, 0), (.milliseconds(1), 1, 1_000_000), (.nanoseconds(1_999_999), 1, 1_999_999),
      (.seconds(86_400 * 365), 31_536_000_000, 31_536_000_000_000_000),
      (.milliseconds(-5), -5, 0),
      // The attoseconds no longer fit in 64 bits.
      (Duration(attoseconds: Int128(UInt64.max)), 18_446, 18_446_744_073),
      (Duration(attoseconds: Int128(UInt64.max) + 1), 18_446, 18_446_744_073),
      (Duration(attoseconds: -1), 0, 0), (Duration(attoseconds: 999_999_999), 0, 0),
      (Duration(secondsComponent: .max, attosecondsComponent: 0), .max, .max),
      (Duration(secondsComponent: .min, attosecondsComponent: 0), .min, 0),
    ] as [(Duration, Int, UInt64)])
  func units(_ duration: Duration, _ milliseconds: Int, _ nanoseconds: UInt64) {
    #expect(duration.wholeMilliseconds == milliseconds)
    #expect(duration.wholeNanoseconds == nanoseconds)
  }
}
