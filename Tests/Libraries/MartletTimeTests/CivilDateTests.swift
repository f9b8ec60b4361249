import MartletTime
import Testing

struct CivilDateTests {
  @Test func agreesWithTheCalendar() throws {
    for line in try Cases.lines(of: "calendar.txt") {
      let date = try #require(CivilDate(String(line[0])))
      #expect(date.daysSinceEpoch == Int(line[1])!, "\(line[0])")
      #expect(date.weekday == Int(line[2])!, "\(line[0])")
      #expect(CivilDate(daysSinceEpoch: Int(line[1])!) == date)
      #expect(date.description == line[0])
    }
  }

  @Test func everyDayFollowsTheLast() {
    var last = CivilDate(year: 1, month: 1, day: 1)!
    let first = last.daysSinceEpoch
    for days in first + 1...first + 400_000 {
      let date = CivilDate(daysSinceEpoch: days)
      guard last < date, date.daysSinceEpoch == days, date.weekday == (last.weekday + 1) % 7,
        date.day == 1 || (date.month == last.month && date.day == last.day + 1),
        date.day != 1 || last.day == CivilDate.days(inMonth: last.month, of: last.year)
      else {
        Issue.record("\(date) after \(last)")
        return
      }
      last = date
    }
  }

  @Test func yearsOutsideOfTheTextFormStillCount() {
    for days in [-10_000_000, -719_529, 2_932_897, 100_000_000] {
      #expect(CivilDate(daysSinceEpoch: days).daysSinceEpoch == days)
    }
    #expect(CivilDate(daysSinceEpoch: -719_529).year == -1)
  }

  @Test(arguments: [
    "2026-02-29", "2026-02-30", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-01",
    "2026-01-00", "2026-01-32", "26-01-01", "02026-01-01", "2026-1-1", "2026-01-01 ", " 2026-01-01",
    "2026/01/01", "2026-01-01T", "", "2026-01", "٢٠٢٦-٠١-٠١", "+026-01-01",
  ])
  func refuses(_ text: String) {
    #expect(CivilDate(text) == nil)
  }

  @Test func leapDays() {
    #expect(CivilDate("2000-02-29") != nil)
    #expect(CivilDate("2024-02-29")?.adding(days: 366).description == "2025-03-01")
    #expect(CivilDate("0004-02-29") != nil && CivilDate("0001-01-01") != nil)
    #expect(CivilDate("0000-12-31") == nil && CivilDate(year: 0, month: 12, day: 31) == nil)
    #expect(CivilDate(year: 10_000, month: 1, day: 1) == nil)
    #expect(CivilDate(year: -1, month: 1, day: 1) == nil)
  }
}
