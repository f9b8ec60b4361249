import MartletTime
import Testing

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
