import MartletTime
import TestSupport
import Testing

struct RuleTextTests {
  @Test(arguments: [
    ("FREQ=DAILY", "FREQ=DAILY"),
    ("freq=weekly;byday=th,mo", "FREQ=WEEKLY;BYDAY=MO,TH"),
    ("BYDAY=SU,MO;FREQ=WEEKLY;WKST=SU", "FREQ=WEEKLY;BYDAY=MO,SU;WKST=SU"),
    ("FREQ=DAILY;INTERVAL=1;WKST=MO", "FREQ=DAILY"),
    ("FREQ=DAILY;INTERVAL=002", "FREQ=DAILY;INTERVAL=2"),
    ("COUNT=9999;INTERVAL=999;FREQ=DAILY", "FREQ=DAILY;INTERVAL=999;COUNT=9999"),
    ("FREQ=DAILY;UNTIL=20261224", "FREQ=DAILY;UNTIL=20261224"),
    ("FREQ=DAILY;UNTIL=20261224t090000", "FREQ=DAILY;UNTIL=20261224T090000"),
    ("FREQ=DAILY;UNTIL=20261224T235959z", "FREQ=DAILY;UNTIL=20261224T235959Z"),
    ("FREQ=YEARLY;BYMONTH=12,03,3", "FREQ=YEARLY;BYMONTH=3,12"),
    (
      "FREQ=MONTHLY;BYMONTHDAY=-1,-2,+15,01,31,1",
      "FREQ=MONTHLY;BYMONTHDAY=1,15,31,-2,-1"
    ),
    (
      "FREQ=MONTHLY;BYDAY=-1FR,+2MO,FR,1FR,MO,02MO",
      "FREQ=MONTHLY;BYDAY=MO,2MO,FR,1FR,-1FR"
    ),
    (
      "FREQ=MONTHLY;BYSETPOS=-1,1;BYDAY=MO,TU,WE,TH,FR",
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1"
    ),
    ("FREQ=YEARLY;BYDAY=53MO,-53SU", "FREQ=YEARLY;BYDAY=53MO,-53SU"),
    (
      "FREQ=YEARLY;BYMONTHDAY=1;BYMONTH=1;BYSETPOS=1",
      "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1;BYSETPOS=1"
    ),
    (
      "WKST=SU;BYSETPOS=1;BYDAY=MO;BYMONTHDAY=1,2,3;BYMONTH=1;UNTIL=20300101;INTERVAL=2;FREQ=YEARLY",
      "FREQ=YEARLY;INTERVAL=2;UNTIL=20300101;BYMONTH=1;BYMONTHDAY=1,2,3;BYDAY=MO;BYSETPOS=1;WKST=SU"
    ),
  ])
  func isPrintedInOneForm(_ text: String, _ canonical: String) throws {
    let rule = try RecurrenceRule(text)
    #expect(rule.description == canonical)
    #expect(try RecurrenceRule(canonical) == rule)
  }

  @Test(arguments: [
    ("", nil, "a rule is parts such as FREQ=DAILY, separated by semicolons"),
    ("daily", nil, "a rule is parts such as FREQ=DAILY, separated by semicolons"),
    ("FREQ=DAILY;", nil, "a rule is parts such as FREQ=DAILY, separated by semicolons"),
    ("FREQ=DAILY; COUNT=2", nil, "a rule is parts such as FREQ=DAILY, separated by semicolons"),
    (
      "FREQ=DAILY;BY\u{17F}ETPOS=1", nil,
      "a rule is parts such as FREQ=DAILY, separated by semicolons"
    ),
    (
      "FREQ=DAILY;W\u{212A}ST=MO", nil,
      "a rule is parts such as FREQ=DAILY, separated by semicolons"
    ),
    ("rrule:FREQ=DAILY", nil, "a rule is written without RRULE:"),
    (String(repeating: "A", count: 501), nil, "a rule has at most 500 bytes"),
    ("INTERVAL=2", "FREQ", "FREQ is missing"),
    ("FREQ=DAILY;FREQ=DAILY", "FREQ", "FREQ appears twice"),
    ("FREQ=DAILY;X-COLOR=RED", "X-COLOR", "X-COLOR is not a part of a rule"),
    ("FREQ=YEARLY;BYWEEKNO=20", "BYWEEKNO", "BYWEEKNO is not supported"),
    ("FREQ=YEARLY;BYYEARDAY=1", "BYYEARDAY", "BYYEARDAY is not supported"),
    ("FREQ=DAILY;BYHOUR=9", "BYHOUR", "BYHOUR is not supported"),
    ("FREQ=DAILY;BYMINUTE=0", "BYMINUTE", "BYMINUTE is not supported"),
    ("FREQ=DAILY;BYSECOND=0", "BYSECOND", "BYSECOND is not supported"),
    ("RSCALE=CHINESE;FREQ=YEARLY", "RSCALE", "RSCALE is not supported"),
    ("FREQ=HOURLY", "FREQ", "FREQ HOURLY is not supported"),
    ("FREQ=FORTNIGHTLY", "FREQ", "FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY"),
    ("FREQ=DAILY;INTERVAL=0", "INTERVAL", "INTERVAL must be 1...999"),
    ("FREQ=DAILY;INTERVAL=1000", "INTERVAL", "INTERVAL must be 1...999"),
    ("FREQ=DAILY;INTERVAL=+1", "INTERVAL", "INTERVAL must be 1...999"),
    ("FREQ=DAILY;INTERVAL=", "INTERVAL", "INTERVAL must be 1...999"),
    ("FREQ=DAILY;INTERVAL=99999999999999999999", "INTERVAL", "INTERVAL must be 1...999"),
    ("FREQ=DAILY;COUNT=0", "COUNT", "COUNT must be 1...9999"),
    ("FREQ=DAILY;COUNT=10000", "COUNT", "COUNT must be 1...9999"),
    ("FREQ=DAILY;COUNT=2;UNTIL=20261224", "COUNT", "COUNT excludes UNTIL"),
    (
      "FREQ=MONTHLY;BYDAY=0MO", "BYDAY",
      "BYDAY must be weekdays such as MO, 1MO or -1MO, separated by commas"
    ),
    (
      "FREQ=MONTHLY;BYDAY=54MO", "BYDAY",
      "BYDAY must be weekdays such as MO, 1MO or -1MO, separated by commas"
    ),
    (
      "FREQ=WEEKLY;BYDAY=MO,", "BYDAY",
      "BYDAY must be weekdays such as MO, 1MO or -1MO, separated by commas"
    ),
    (
      "FREQ=WEEKLY;BYDAY=1MO", "BYDAY",
      "BYDAY must have no numbers with FREQ=WEEKLY: MO instead of 1MO"
    ),
    (
      "FREQ=DAILY;BYDAY=-1SU", "BYDAY",
      "BYDAY must have no numbers with FREQ=DAILY: MO instead of 1MO"
    ),
    ("FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY", "BYMONTHDAY is not allowed with FREQ=WEEKLY"),
    (
      "FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY",
      "BYMONTHDAY must be numbers from 1 to 31 or -31 to -1"
    ),
    (
      "FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY",
      "BYMONTHDAY must be numbers from 1 to 31 or -31 to -1"
    ),
    (
      "FREQ=YEARLY;BYMONTH=13", "BYMONTH",
      "BYMONTH must be months from 1 to 12, separated by commas"
    ),
    (
      "FREQ=YEARLY;BYMONTH=-1", "BYMONTH",
      "BYMONTH must be months from 1 to 12, separated by commas"
    ),
    (
      "FREQ=YEARLY;BYDAY=MO;BYSETPOS=367", "BYSETPOS",
      "BYSETPOS must be numbers from 1 to 366 or -366 to -1"
    ),
    ("FREQ=MONTHLY;BYSETPOS=1", "BYSETPOS", "BYSETPOS needs BYMONTH, BYMONTHDAY or BYDAY"),
    ("FREQ=WEEKLY;WKST=1MO", "WKST", "WKST must be a weekday such as MO"),
  ])
  func isRefused(_ text: String, _ part: String?, _ message: String) throws {
    let problem = #expect(throws: RecurrenceRule.Problem.self) { try RecurrenceRule(text) }
    #expect(problem?.part == part)
    #expect(problem?.description == message)
  }

  @Test(arguments: [
    "2026122", "20261324", "20260229", "20261224T", "20261224T0900", "20261224T240000",
    "20261224T235960", "20261224T090000+", "2026-12-24", "20261224 090000",
    "+2026122", "20261224T+90000",
  ])
  func untilIsADateOrATime(_ until: String) {
    let problem = #expect(throws: RecurrenceRule.Problem.self) {
      try RecurrenceRule("FREQ=DAILY;UNTIL=\(until)")
    }
    #expect(problem?.part == "UNTIL")
  }

  @Test(arguments: [
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=YEARLY;BYMONTH=2,4,6,9,11;BYMONTHDAY=31",
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=-30",
    "FREQ=MONTHLY;BYDAY=6MO",
    "FREQ=YEARLY;BYMONTH=3;BYDAY=20MO",
    "FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=8",
    "FREQ=DAILY;BYDAY=MO;BYSETPOS=2",
    "FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=3,-3",
    "FREQ=WEEKLY;BYMONTH=2;BYSETPOS=2",
    "FREQ=MONTHLY;BYMONTH=2;BYSETPOS=2",
    "FREQ=MONTHLY;BYMONTHDAY=1,2,3;BYSETPOS=4",
    "FREQ=YEARLY;BYDAY=MO;BYSETPOS=54",
    "FREQ=YEARLY;BYDAY=1MO;BYMONTHDAY=31",
  ])
  func neverHappens(_ text: String) {
    let problem = #expect(throws: RecurrenceRule.Problem.self) { try RecurrenceRule(text) }
    #expect(problem?.part == nil)
    #expect(problem?.description == "the rule never happens")
  }

  @Test(arguments: [
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO",
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU",
    "FREQ=YEARLY;BYMONTHDAY=31;BYDAY=53TH",
    "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=366",
    "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=-366",
    "FREQ=DAILY;BYDAY=MO;BYSETPOS=-1",
    "FREQ=MONTHLY;BYMONTHDAY=-31",
    "FREQ=MONTHLY;INTERVAL=999;BYMONTH=2;BYMONTHDAY=29",
    "FREQ=WEEKLY;INTERVAL=999;BYMONTH=2;BYDAY=MO",
  ])
  func happensNowAndThen(_ text: String) throws {
    #expect(try RecurrenceRule(text).description == text)
  }

  @Test(arguments: [
    ("FREQ=DAILY", "2026-01-30", "FREQ=DAILY"),
    ("FREQ=WEEKLY", "2026-01-30", "FREQ=WEEKLY;BYDAY=FR"),
    ("FREQ=WEEKLY;BYDAY=MO", "2026-01-30", "FREQ=WEEKLY;BYDAY=MO"),
    ("FREQ=MONTHLY", "2026-01-30", "FREQ=MONTHLY;BYMONTHDAY=30"),
    ("FREQ=MONTHLY;BYMONTH=1,3", "2026-01-30", "FREQ=MONTHLY;BYMONTH=1,3;BYMONTHDAY=30"),
    ("FREQ=MONTHLY;BYDAY=1FR", "2026-01-30", "FREQ=MONTHLY;BYDAY=1FR"),
    ("FREQ=YEARLY", "2026-01-30", "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=30"),
    ("FREQ=YEARLY;BYMONTH=3", "2026-01-30", "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=30"),
    ("FREQ=YEARLY;BYMONTHDAY=1", "2026-01-30", "FREQ=YEARLY;BYMONTHDAY=1"),
    ("FREQ=YEARLY;BYDAY=MO", "2026-01-30", "FREQ=YEARLY;BYDAY=MO"),
    ("FREQ=YEARLY", "2024-02-29", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"),
  ])
  func isFilledInFromItsStart(_ text: String, _ start: String, _ filled: String) throws {
    let rule = try RecurrenceRule(text)
    let date = try #require(CivilDate(start))
    #expect(try rule.filledIn(from: date).description == filled)
    let (zone, day) = (ZoneInfo.utc, Occurrence.day(date))
    let of = RecurrenceSeries(start: day, rule: rule, in: zone).occurrences.prefix(50)
    let same = RecurrenceSeries(start: day, rule: try rule.filledIn(from: date), in: zone)
    #expect(Array(of) == Array(same.occurrences.prefix(50)))
  }

  @Test(arguments: [
    ("FREQ=YEARLY;BYMONTH=2", "2026-01-30"),
    ("FREQ=DAILY;INTERVAL=21;BYDAY=MO", "2026-11-24"),
    ("FREQ=MONTHLY;INTERVAL=12;BYMONTH=2", "2026-03-01"),
    ("FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29", "2025-01-01"),
    ("FREQ=DAILY", "9999-12-31"),
  ])
  func neverHappensAfterItsStart(_ text: String, _ start: String) throws {
    let rule = try RecurrenceRule(text)
    let date = try #require(CivilDate(start))
    #expect(throws: RecurrenceRule.Problem.self) { try rule.filledIn(from: date) }
    let series = RecurrenceSeries(start: .day(date), rule: rule, in: .utc)
    #expect(Array(series.occurrences) == [.day(date)])
  }
}
