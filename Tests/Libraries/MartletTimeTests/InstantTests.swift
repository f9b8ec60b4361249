import MartletTime
import Testing

struct InstantTests {
  @Test func secondsRoundTowardsThePast() {
    #expect(Instant(milliseconds: 1999).seconds == 1)
    #expect(Instant(milliseconds: -1).seconds == -1)
    #expect(Instant(milliseconds: -1000).seconds == -1)
    #expect(Instant(milliseconds: -1001).seconds == -2)
  }

  @Test func arithmeticSaturates() {
    let last = Instant(milliseconds: .max)
    let first = Instant(milliseconds: .min)
    #expect(last.adding(milliseconds: 1) == last)
    #expect(first.adding(milliseconds: -1) == first)
    #expect(Instant.epoch.adding(seconds: .max) == last)
    #expect(Instant.epoch.adding(seconds: .min) == first)
    #expect(Instant(seconds: .min) == first)
    #expect(last.milliseconds(since: first) == .max)
    #expect(first.milliseconds(since: last) == .min)
    #expect(Instant(milliseconds: 5).milliseconds(since: Instant(milliseconds: 7)) == -2)
  }

  @Test func endsOfTheTextForm() {
    #expect(Instant.earliest.description == "0001-01-01T00:00:00.000Z")
    #expect(Instant.latest.description == "9999-12-31T23:59:59.999Z")
    #expect(Instant(milliseconds: .max).description == Instant.latest.description)
    #expect(Instant(milliseconds: .min).description == Instant.earliest.description)
  }
}

struct ClockTests {
  @Test func systemClockRuns() {
    let clock: Clock = .system
    #expect(clock.now() > Instant(milliseconds: 1_735_689_600_000))
    let before = clock.monotonic()
    #expect(clock.monotonic() >= before)
  }

  @Test func testClockStandsStillUntilMoved() {
    let time = TestClock(.epoch)
    let clock = time.clock
    let before = clock.monotonic()
    #expect(clock.now() == .epoch)
    time.advance(milliseconds: 400)
    #expect(clock.now().milliseconds == 400)
    #expect(clock.monotonic() - before == 400_000_000)
    time.now = Instant(milliseconds: 7)
    #expect(clock.now().milliseconds == 7)
    #expect(clock.monotonic() - before == 400_000_000)
    time.advance(milliseconds: -5)
    #expect(clock.now().milliseconds == 7)
  }
}
