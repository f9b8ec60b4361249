import Foundation
import Testing
import Time

struct LocalDayTests {
  let database = ZoneDatabase(directory: Cases.directory.appending(path: "zoneinfo").path)

  @Test func daysBeginWhereTheyShould() throws {
    for line in try Cases.lines(of: "days.txt") {
      let zone = try database.zone(named: String(line[0]))
      let day = LocalDay(try #require(CivilDate(String(line[1]))), in: zone)
      #expect(day.start == Instant(seconds: Int64(line[2])!), "\(line[0]) \(line[1])")
      #expect(LocalDay(containing: day.start, in: zone).date >= day.date)
      #expect(
        LocalDay(containing: day.start.adding(milliseconds: -1), in: zone).date < day.date)
      #expect(day.end >= day.start)
    }
  }

  @Test func dayWithoutMidnight() throws {
    let zone = try database.zone(named: "America/Sao_Paulo")
    let day = LocalDay(try #require(CivilDate("2018-11-04")), in: zone)
    #expect(day.start.description == "2018-11-04T03:00:00.000Z")
    #expect(zone.time(at: day.start).hour == 1)
    #expect(day.end.milliseconds(since: day.start) == 23 * 3_600_000)
  }

  @Test func dayThatNeverWas() throws {
    let zone = try database.zone(named: "Pacific/Apia")
    let skipped = LocalDay(try #require(CivilDate("2011-12-30")), in: zone)
    #expect(skipped.start == skipped.end)
    #expect(skipped.start.description == "2011-12-30T10:00:00.000Z")
    #expect(LocalDay(containing: skipped.start, in: zone).date.description == "2011-12-31")
    #expect(
      LocalDay.nextMidnight(after: skipped.start.adding(milliseconds: -1), in: zone)
        == skipped.start)
  }

  @Test func midnightIsStrictlyLater() throws {
    let zone = try database.zone(named: "Europe/Vienna")
    let midnight = try RFC3339.parse("2026-06-30T22:00:00Z")
    let next = try RFC3339.parse("2026-07-01T22:00:00Z")
    #expect(LocalDay.nextMidnight(after: midnight.adding(milliseconds: -1), in: zone) == midnight)
    #expect(LocalDay.nextMidnight(after: midnight, in: zone) == next)
    #expect(LocalDay.nextMidnight(after: .epoch, in: .utc) == Instant(seconds: 86_400))
  }

  @Test func aDateThatComesTwice() throws {
    // St John's set its clocks back at 00:01: one minute of the 29th, 59 of the 28th, then the
    // 29th.
    let zone = try database.zone(named: "America/St_Johns")
    var instant = try RFC3339.parse("2006-10-29T01:00:00Z")
    var shown: [String] = []
    for _ in 0..<3 {
      instant = LocalDay.nextMidnight(after: instant, in: zone)
      shown.append("\(instant) \(LocalDay(containing: instant, in: zone).date)")
    }
    #expect(
      shown == [
        "2006-10-29T02:30:00.000Z 2006-10-29", "2006-10-29T02:31:00.000Z 2006-10-28",
        "2006-10-29T03:30:00.000Z 2006-10-29",
      ])
  }

  @Test func midnightsLeaveNothingOut() throws {
    var random = SeededGenerator()
    for name in ["America/Sao_Paulo", "Asia/Gaza", "Africa/Cairo", "Pacific/Kwajalein"] {
      let zone = try database.zone(named: name)
      for _ in 0..<200 {
        let instant = Instant(seconds: .random(in: 0...4_000_000_000, using: &random))
        let today = LocalDay(containing: instant, in: zone).date
        let midnight = LocalDay.nextMidnight(after: instant, in: zone)
        let comment: Comment = "\(name) \(instant), seed \(random.seed)"
        #expect(LocalDay(containing: midnight, in: zone).date != today, comment)
        let length = midnight.milliseconds(since: instant)
        for _ in 0..<10 {
          let between = instant.adding(milliseconds: .random(in: 0..<length, using: &random))
          #expect(LocalDay(containing: between, in: zone).date == today, comment)
        }
      }
    }
  }
}
