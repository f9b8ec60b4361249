import TestSupport
import Testing

@testable import MartletTime

@Suite("RecurrenceRule, moved to other days") struct RuleMovingTests {
  private func moved(_ rule: String, _ start: String, by days: Int) throws -> String? {
    let start = try RFC3339.date(start)
    return try RecurrenceRule(rule).filledIn(from: start).moved(by: days, from: start)?
      .description
  }

  @Test(
    "Rules that can be moved",
    arguments: [
      ("FREQ=DAILY;INTERVAL=3", "2026-11-30", 40, "FREQ=DAILY;INTERVAL=3"),
      ("FREQ=WEEKLY", "2026-11-30", 2, "FREQ=WEEKLY;BYDAY=WE"),
      ("FREQ=WEEKLY;BYDAY=MO,SU", "2026-11-30", -1, "FREQ=WEEKLY;BYDAY=SA,SU"),
      (
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU", "2026-11-30", 1,
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU;WKST=TU"
      ),
      ("FREQ=MONTHLY", "2026-11-10", 3, "FREQ=MONTHLY;BYMONTHDAY=13"),
      ("FREQ=MONTHLY;BYMONTHDAY=-3", "2026-11-28", 2, "FREQ=MONTHLY;BYMONTHDAY=-1"),
      (
        "FREQ=MONTHLY;BYDAY=1MO", "2026-12-07", 2,
        "FREQ=MONTHLY;BYMONTHDAY=3,4,5,6,7,8,9;BYDAY=WE"
      ),
      (
        "FREQ=MONTHLY;BYMONTHDAY=3,4,5,6,7,8,9;BYDAY=WE", "2026-12-09", -2, "FREQ=MONTHLY;BYDAY=1MO"
      ),
      ("FREQ=MONTHLY;BYDAY=MO", "2026-12-07", 30, "FREQ=MONTHLY;BYDAY=WE"),
      ("FREQ=YEARLY", "2026-12-30", 3, "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=2"),
    ])
  func possible(_ rule: String, _ start: String, _ days: Int, _ expected: String) throws {
    #expect(try moved(rule, start, by: days) == expected)
  }

  @Test(
    "Rules that cannot be moved",
    arguments: [
      ("FREQ=MONTHLY", "2026-11-30", 2), ("FREQ=MONTHLY", "2026-11-28", 1),
      ("FREQ=YEARLY", "2026-02-28", 1), ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "2028-02-29", 1),
      ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-11-30", 1),
      ("FREQ=DAILY;BYMONTH=11", "2026-11-29", 1),
      ("FREQ=MONTHLY;INTERVAL=2;BYDAY=MO", "2026-11-30", 1),
      ("FREQ=YEARLY;BYDAY=20MO", "2026-05-18", 1),
    ])
  func impossible(_ rule: String, _ start: String, _ days: Int) throws {
    #expect(try moved(rule, start, by: days) == nil)
  }

  @Test("A random rule that is moved gives the same dates, moved; and back again")
  func random() throws {
    var random = SeededRandom()
    let seed = random.seed
    var possible = 0
    let texts = [
      "DAILY", "DAILY;INTERVAL=5", "DAILY;BYDAY=MO,FR", "WEEKLY", "WEEKLY;INTERVAL=3;BYDAY=TU,SA",
      "WEEKLY;BYDAY=MO,WE,SU;BYSETPOS=1", "WEEKLY;INTERVAL=2;BYDAY=SU;WKST=SU", "MONTHLY",
      "MONTHLY;INTERVAL=7", "MONTHLY;BYMONTHDAY=1,15,-5", "MONTHLY;BYDAY=2TU,2TH",
      "MONTHLY;BYDAY=-2FR", "MONTHLY;BYDAY=MO", "MONTHLY;BYMONTHDAY=13;BYDAY=FR", "YEARLY",
      "YEARLY;INTERVAL=2", "YEARLY;BYMONTH=3,5;BYMONTHDAY=30", "YEARLY;BYMONTH=11;BYDAY=4TH",
      "MONTHLY;BYMONTHDAY=1,2,3,4,5,6,7;BYDAY=MO,TU;BYSETPOS=2",
    ]
    let rounds = Effort.rounds(600)
    for _ in 0..<rounds {
      let text = "FREQ=\(texts.randomElement(using: &random)!)"
      let day = CivilDate(daysSinceEpoch: Int.random(in: 20_000..<24_000, using: &random))
      let days = Int.random(in: -40...40, using: &random)
      let parsed = try RecurrenceRule(text)
      let series = RecurrenceSeries(start: .day(day), rule: parsed, in: .utc)
      // A start that the rule gives.
      guard case .day(let start)? = series.next(after: .day(day)) else { continue }
      let comment = Comment("seed \(seed): \(text) from \(start) by \(days)")
      let rule = try parsed.filledIn(from: start)
      #expect(rule.fits(start), comment)
      guard let moved = rule.moved(by: days, from: start) else { continue }
      possible += 1
      let later = start.adding(days: days)
      #expect(
        dates(rule, start).map { $0.adding(days: days) } == dates(moved, later), comment)
      let back = try #require(moved.moved(by: -days, from: later), comment)
      #expect(dates(back, start) == dates(rule, start), comment)
    }
    #expect(possible > rounds / 4)
  }

  private func dates(_ rule: RecurrenceRule, _ start: CivilDate) -> [CivilDate] {
    RecurrenceSeries(start: .day(start), rule: rule, in: .utc).occurrences.prefix(400).compactMap {
      if case .day(let date) = $0 { date } else { nil }
    }
  }
}
