import Foundation
import MartletTime
import Testing

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
    let before = LocalDay(containing: skipped.start.adding(milliseconds: -1), in: zone)
    #expect(before.end == skipped.start)
  }
}
