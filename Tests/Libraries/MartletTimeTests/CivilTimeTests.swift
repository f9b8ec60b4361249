import MartletTime
import TestSupport
import Testing

struct CivilTimeTests {
  @Test func fieldsAndBack() {
    var random = SeededRandom()
    for _ in 0..<2000 {
      let instant = Instant(
        milliseconds: .random(
          in: Instant.earliest.milliseconds...Instant.latest.milliseconds, using: &random))
      let offset = Int.random(in: -93_599...93_599, using: &random)
      #expect(
        CivilTime(instant, offset: offset).instant(offset: offset) == instant,
        "seed \(random.seed)")
    }
  }

  @Test func rangesAreChecked() {
    let date = CivilDate(year: 2026, month: 1, day: 1)!
    #expect(CivilTime(date: date, hour: 24, minute: 0, second: 0) == nil)
    #expect(CivilTime(date: date, hour: 0, minute: 60, second: 0) == nil)
    #expect(CivilTime(date: date, hour: 0, minute: 0, second: 60) == nil)
    #expect(CivilTime(date: date, hour: 0, minute: 0, second: 0, millisecond: 1000) == nil)
    #expect(CivilTime(date: date, hour: -1, minute: 0, second: 0) == nil)
  }

  @Test func beforeTheEpoch() {
    let time = CivilTime(Instant(milliseconds: -1))
    #expect(time.date.description == "1969-12-31")
    #expect([time.hour, time.minute, time.second, time.millisecond] == [23, 59, 59, 999])
  }
}
