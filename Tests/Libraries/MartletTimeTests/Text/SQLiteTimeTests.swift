import MartletTime
import TestSupport
import Testing

struct SQLiteTimeTests {
  @Test func readsWithAndWithoutFraction() {
    let instant = Instant(milliseconds: 1_795_188_960_123)
    #expect(SQLiteTime.string(instant) == "2026-11-20 15:36:00.123")
    #expect(SQLiteTime.parse("2026-11-20 15:36:00.123") == instant)
    #expect(SQLiteTime.parse("2026-11-20 15:36:00.1239") == instant)
    #expect(SQLiteTime.parse("2026-11-20 15:36:00") == instant.adding(milliseconds: -123))
  }

  @Test(arguments: [
    "", "2026-11-20", "2026-11-20T15:36:00.123", "2026-11-20 15:36:00.", "2026-11-20 15:36",
    "2026-11-20 15:36:00.123Z", "2026-02-30 15:36:00", "2026-11-20 24:00:00", "now",
  ])
  func refuses(_ text: String) {
    #expect(SQLiteTime.parse(text) == nil)
  }

  @Test func sortsAsInstantsDo() {
    var random = SeededRandom()
    let instants = (0..<500).map { _ in
      Instant(
        milliseconds: .random(
          in: Instant.earliest.milliseconds...Instant.latest.milliseconds, using: &random))
    }
    #expect(
      instants.sorted().map(SQLiteTime.string) == instants.map(SQLiteTime.string).sorted(),
      "seed \(random.seed)")
  }
}
