import MartletTime
import TestSupport
import Testing

struct Greeter {
  var clock: Clock

  var greeting: String {
    CivilTime(clock.now()).hour < 12 ? "Good morning" : "Good evening"
  }
}

/// The examples of MartletTime's article for newcomers.
@Suite struct GettingStartedTests {
  @Test("The article's texts are read and written as described") func texts() throws {
    let instant = try RFC3339.parse("2026-11-20T16:36:00+01:00")
    let text = RFC3339.string(instant)
    let later = SQLiteTime.string(instant.adding(seconds: 90))
    #expect(text == "2026-11-20T15:36:00.000Z" && later == "2026-11-20 15:37:30.000")
    let problem = #expect(throws: RFC3339.Problem.self) {
      try RFC3339.parse("2026-02-30T00:00:00Z")
    }
    #expect(problem?.description == "expected a day that exists in the month at byte 8")
  }

  @Test(
    "The article's day has 23 hours",
    .enabled(if: ZoneDatabase.system.isAvailable, "no tzdata on this machine"))
  func zones() throws {
    let zone = try ZoneDatabase.system.zone(named: "Europe/Vienna")
    let noon = try RFC3339.parse("2026-03-29T12:00:00Z")
    let day = LocalDay(containing: noon, in: zone)
    let hours = day.end.milliseconds(since: day.start) / 3_600_000
    #expect(hours == 23)
  }

  @Test(
    "The article's series is found as described",
    .enabled(if: ZoneDatabase.system.isAvailable, "no tzdata on this machine"))
  func recurrence() throws {
    let zone = try ZoneDatabase.system.zone(named: "Europe/Vienna")
    let rule = try RecurrenceRule("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1")
    let start = Occurrence.instant(try RFC3339.parse("2026-09-30T07:00:00Z"))
    let series = RecurrenceSeries(start: start, rule: rule, in: zone)
    let next = series.next(after: start)
    let ofYear = Array(series.occurrences.prefix(4))
    #expect(next == .instant(try RFC3339.parse("2026-10-30T08:00:00Z")))
    #expect(ofYear.last == .instant(try RFC3339.parse("2026-12-31T08:00:00Z")))
    let problem = #expect(throws: RecurrenceRule.Problem.self) {
      try RecurrenceRule("FREQ=YEARLY;BYWEEKNO=20")
    }
    #expect(problem?.description == "BYWEEKNO is not supported")
  }

  @Test("The article's clock and agenda work as described", .timeLimit(.minutes(10)))
  func clock() async throws {
    let time = TestClock(try RFC3339.parse("2026-01-01T08:00:00Z"))
    let greeter = Greeter(clock: time.clock)
    let morning = greeter.greeting
    time.advance(milliseconds: 10 * 3_600_000)
    let evening = greeter.greeting
    #expect(morning == "Good morning" && evening == "Good evening")

    let (instants, calls) = AsyncStream<Instant>.makeStream()
    let agenda = Agenda(time.clock)
    let entry = agenda.entry()
    entry.whenDue { now, _ in calls.yield(now) }
    entry.plan(at: time.now.adding(seconds: 60))
    time.advance(milliseconds: 60_000)
    let first = await instants.first { _ in true }
    #expect(first?.description == "2026-01-01T18:01:00.000Z")
    withExtendedLifetime(entry) {}
  }

  @Test("Every example of the article is in this file") func examples() throws {
    let blocks = try CodeBlocks.of(
      page: "Sources/Libraries/MartletTime/MartletTime.docc/GettingStarted.md")
    #expect(blocks.count == 7)
    for block in blocks { #expect(try CodeBlocks.contains(block, in: #filePath), "\(block)") }
  }
}
