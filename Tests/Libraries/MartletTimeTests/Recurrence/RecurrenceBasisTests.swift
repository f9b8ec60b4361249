import MartletTime
import TestSupport
import Testing

struct RecurrenceBasisTests {
  let database = ZoneDatabase(directory: Cases.directory.appending(path: "zoneinfo").path)

  private func occurrence(_ text: String) throws -> Occurrence {
    if let date = CivilDate(text) { return .day(date) }
    return .instant(try RFC3339.parse(text))
  }

  private func series(
    _ rule: String, from start: String, in zone: String = "Europe/Berlin",
    without excluded: [String] = []
  ) throws -> RecurrenceSeries {
    RecurrenceSeries(
      start: try occurrence(start), rule: try RecurrenceRule(rule),
      excluded: Set(try excluded.map(occurrence)), in: try database.zone(named: zone))
  }

  private struct Case {
    let rule: String
    let start: String
    let due: String
    let now: String
    let next: String?
  }

  private func check(
    _ basis: RecurrenceBasis, _ cases: [Case], in zone: String = "Europe/Berlin"
  ) throws {
    for each in cases {
      let series = try series(each.rule, from: each.start, in: zone)
      let now = try RFC3339.parse(each.now)
      let following = try series.following(
        occurrence(each.due), completedAt: now, basis: basis)
      #expect(try following?.next == each.next.map(occurrence), "\(each)")
      if basis != .completion, let following { #expect(following.series == series, "\(each)") }
    }
  }

  @Test func dueSkipsWhatWasMissed() throws {
    let daily = "FREQ=DAILY"
    try check(
      .due,
      [
        // Early, on time, late by days. The 28th has begun in Berlin, not in UTC.
        Case(
          rule: daily, start: "2026-11-20", due: "2026-11-24", now: "2026-11-22T12:00:00Z",
          next: "2026-11-25"),
        Case(
          rule: daily, start: "2026-11-20", due: "2026-11-24", now: "2026-11-24T12:00:00Z",
          next: "2026-11-25"),
        Case(
          rule: daily, start: "2026-11-20", due: "2026-11-24", now: "2026-11-27T23:30:00Z",
          next: "2026-11-29"),
        Case(
          rule: daily, start: "2026-11-20T08:00:00Z", due: "2026-11-24T08:00:00Z",
          now: "2026-11-27T07:59:59.999Z", next: "2026-11-27T08:00:00Z"),
        Case(
          rule: daily, start: "2026-11-20T08:00:00Z", due: "2026-11-24T08:00:00Z",
          now: "2026-11-27T08:00:00Z", next: "2026-11-28T08:00:00Z"),
        // Postponed: the series stays where it was.
        Case(
          rule: "FREQ=WEEKLY", start: "2026-11-20", due: "2026-11-22", now: "2026-11-22T12:00:00Z",
          next: "2026-11-27"),
        // A day in a series of times, and the other way round.
        Case(
          rule: daily, start: "2026-11-20T08:00:00Z", due: "2026-11-24",
          now: "2026-11-21T08:00:00Z", next: "2026-11-25T08:00:00Z"),
        Case(
          rule: daily, start: "2026-11-20", due: "2026-11-24T23:30:00Z",
          now: "2026-11-21T08:00:00Z", next: "2026-11-26"),
        Case(
          rule: "FREQ=DAILY;COUNT=3", start: "2026-11-20", due: "2026-11-21",
          now: "2026-11-21T12:00:00Z", next: "2026-11-22"),
        Case(
          rule: "FREQ=DAILY;COUNT=3", start: "2026-11-20", due: "2026-11-20",
          now: "2026-11-22T12:00:00Z", next: nil),
      ])
  }

  @Test func eachHasToBeDone() throws {
    try check(
      .each,
      [
        Case(
          rule: "FREQ=DAILY", start: "2026-11-20", due: "2026-11-21", now: "2026-12-24T12:00:00Z",
          next: "2026-11-22"),
        Case(
          rule: "FREQ=DAILY", start: "2026-03-20T01:30:00Z", due: "2026-03-29T01:30:00Z",
          now: "2026-12-24T12:00:00Z", next: "2026-03-30T00:30:00Z"),
        Case(
          rule: "FREQ=DAILY;COUNT=2", start: "2026-11-20", due: "2026-11-21",
          now: "2026-12-24T12:00:00Z", next: nil),
      ])
  }

  @Test func completionStartsAnew() throws {
    try check(
      .completion,
      [
        Case(
          rule: "FREQ=DAILY;INTERVAL=3", start: "2026-11-20", due: "2026-11-20",
          now: "2026-11-24T23:30:00Z", next: "2026-11-28"),
        Case(
          rule: "FREQ=MONTHLY", start: "2026-11-20T08:00:00Z", due: "2026-11-20T08:00:00Z",
          now: "2026-11-24T19:00:00Z", next: "2026-12-24T08:00:00Z"),
        // Ahead of time, and across a change of the clocks.
        Case(
          rule: "FREQ=WEEKLY", start: "2026-10-25T08:00:00Z", due: "2026-10-25T08:00:00Z",
          now: "2026-10-22T19:00:00Z", next: "2026-10-29T08:00:00Z"),
        Case(
          rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", start: "2026-11-23", due: "2026-11-23",
          now: "2026-11-25T12:00:00Z", next: "2026-12-07"),
        Case(
          rule: "FREQ=DAILY;UNTIL=20261125", start: "2026-11-20", due: "2026-11-24",
          now: "2026-11-25T12:00:00Z", next: nil),
      ])
  }

  @Test(arguments: ["2026-11-20", "2026-11-20T08:00:00Z"])
  func completionCountsDown(_ start: String) throws {
    var series = try series("FREQ=DAILY;INTERVAL=2;COUNT=3", from: start)
    var (due, now) = (series.start, try RFC3339.parse("2026-11-21T12:00:00Z"))
    var counts: [Int?] = [series.rule.count]
    for _ in 0..<4 {
      guard let following = series.following(due, completedAt: now, basis: .completion) else {
        break
      }
      (due, series) = following
      counts.append(series.rule.count)
      // What is left includes the current one.
      #expect(Array(series.occurrences).count == series.rule.count)
      #expect(series.occurrences.first { _ in true } == due)
      now = now.adding(seconds: 5 * 86_400)
    }
    #expect(counts == [3, 2, 1])
    let last = try occurrence(start.replacing("11-20", with: "11-28"))
    #expect(due == last)
  }

  /// 02:30 does not exist on 29 March, and is 02:30 again after it.
  @Test func completionKeepsTheTimeThatClocksSkip() throws {
    var series = try series("FREQ=DAILY;COUNT=4", from: "2026-03-27T01:30:00Z")
    var (due, dates) = (series.start, [Occurrence]())
    for now in ["2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z", "2026-03-30T12:00:00Z"] {
      let following = try #require(
        try series.following(due, completedAt: RFC3339.parse(now), basis: .completion))
      (due, series) = following
      dates.append(due)
      #expect(series.rule.count == 4 - dates.count)
    }
    #expect(
      try dates
        == [
          "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z", "2026-03-31T00:30:00Z",
        ].map(occurrence))
    #expect(
      try series.following(
        due, completedAt: RFC3339.parse("2026-03-31T12:00:00Z"), basis: .completion) == nil)
  }

  @Test func excludedOnesAreLeftOut() throws {
    for basis in RecurrenceBasis.allCases {
      let series = try series("FREQ=DAILY", from: "2026-11-20", without: ["2026-11-25"])
      let following = try series.following(
        occurrence("2026-11-24"), completedAt: RFC3339.parse("2026-11-24T12:00:00Z"), basis: basis)
      #expect(try following?.next == occurrence("2026-11-26"), "\(basis)")
      #expect(following?.series.excluded == series.excluded)
    }
  }
}
