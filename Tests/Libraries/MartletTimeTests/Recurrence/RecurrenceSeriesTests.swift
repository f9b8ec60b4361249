import MartletTime
import TestSupport
import Testing

struct RecurrenceSeriesTests {
  let database = ZoneDatabase(directory: Cases.directory.appending(path: "zoneinfo").path)

  private func days(
    _ rule: String, from start: String, without excluded: [String] = [], in zone: ZoneInfo = .utc
  ) throws -> RecurrenceSeries {
    RecurrenceSeries(
      start: .day(try #require(CivilDate(start))), rule: try RecurrenceRule(rule),
      excluded: Set(try excluded.map { .day(try #require(CivilDate($0))) }), in: zone)
  }

  private func text(_ occurrences: some Sequence<Occurrence>) -> [String] {
    occurrences.map {
      switch $0 {
      case .day(let date): date.description
      case .instant(let instant): instant.description
      }
    }
  }

  private func day(_ text: String) throws -> Occurrence { .day(try #require(CivilDate(text))) }

  private func instant(_ text: String) throws -> Occurrence {
    .instant(try RFC3339.parse(text))
  }

  /// Each example is a series of days, and one of nine o'clock in New York.
  @Test func examplesOfTheStandard() throws {
    let zone = try database.zone(named: "America/New_York")
    for line in try Cases.lines(of: "rfc5545.txt") {
      let rule = try RecurrenceRule(line[1])
      let start = try #require(CivilDate(String(line[0])))
      var (year, dates) = (Substring(), [CivilDate]())
      for word in line.dropFirst(2) where word != "…" {
        if word.count == 4 {
          year = word
        } else {
          dates.append(try #require(CivilDate("\(year)-\(word)")))
        }
      }
      // The end of the series is compared too, unless it has none.
      let count = dates.count + (line.last == "…" ? 0 : 1)
      let daily = RecurrenceSeries(start: .day(start), rule: rule, in: zone)
      #expect(Array(daily.occurrences.prefix(count)) == dates.map { .day($0) }, "\(line)")

      func nine(on date: CivilDate) throws -> Occurrence {
        let time = try #require(CivilTime(date: date, hour: 9, minute: 0, second: 0))
        return .instant(zone.instant(of: time))
      }
      let timed = RecurrenceSeries(start: try nine(on: start), rule: rule, in: zone)
      #expect(
        Array(timed.occurrences.prefix(count)) == (try dates.map { try nine(on: $0) }), "\(line)")
    }
  }

  @Test func clocksThatChange() throws {
    for line in try Cases.lines(of: "recurring.txt") {
      let zone = try database.zone(named: String(line[0]))
      let expected = try line.dropFirst(2).filter { $0 != "." }.map { try instant(String($0)) }
      let series = RecurrenceSeries(
        start: expected[0], rule: try RecurrenceRule(line[1]), in: zone)
      let count = expected.count + (line.last == "." ? 1 : 0)
      #expect(Array(series.occurrences.prefix(count)) == expected, "\(line)")
      // Each is found from the one before, which is all that a caller stores.
      for (one, after) in zip(expected, expected.dropFirst()) {
        #expect(series.next(after: one) == after, "\(line)")
      }
      if line.last == "." { #expect(series.next(after: expected.last!) == nil, "\(line)") }
    }
  }

  /// At the second half past two, the first one is past.
  @Test func nextIsLaterThanTheSecondOfTwoHours() throws {
    let series = RecurrenceSeries(
      start: try instant("2026-10-24T00:30:00Z"), rule: try RecurrenceRule("FREQ=DAILY"),
      in: try database.zone(named: "Europe/Berlin"))
    for (moment, next) in [
      ("2026-10-25T00:29:59.999Z", "2026-10-25T00:30:00Z"),
      ("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"),
      ("2026-10-25T01:10:00Z", "2026-10-26T01:30:00Z"),
      ("2026-10-25T01:30:00Z", "2026-10-26T01:30:00Z"),
    ] {
      #expect(try series.next(after: instant(moment)) == instant(next), "\(moment)")
    }
  }

  @Test func daysDoNotNeedToExistInTheZone() throws {
    let series = try days(
      "FREQ=DAILY;COUNT=3", from: "2011-12-29", in: database.zone(named: "Pacific/Apia"))
    #expect(text(series.occurrences) == ["2011-12-29", "2011-12-30", "2011-12-31"])
  }

  /// RFC 5545 section 3.8.5.3: the start is the first instance, and COUNT counts it.
  @Test func startThatTheRuleDoesNotGive() throws {
    let series = try days("FREQ=WEEKLY;COUNT=3;BYDAY=MO", from: "2026-11-24")
    #expect(text(series.occurrences) == ["2026-11-24", "2026-11-30", "2026-12-07"])
    #expect(try series.next(after: day("2026-11-20")) == series.start)
    let endless = try days("FREQ=WEEKLY;BYDAY=MO", from: "2026-11-24")
    #expect(try endless.next(after: day("2020-01-01")) == endless.start)
    #expect(try endless.next(after: endless.start) == day("2026-11-30"))
  }

  @Test func excludedOnesCount() throws {
    let series = try days(
      "FREQ=DAILY;COUNT=4", from: "2026-11-24", without: ["2026-11-24", "2026-11-26"])
    #expect(text(series.occurrences) == ["2026-11-25", "2026-11-27"])
    #expect(try series.next(after: day("2026-11-25")) == day("2026-11-27"))
    #expect(try series.next(after: day("2026-11-27")) == nil)

    let zone = try database.zone(named: "Europe/Berlin")
    let timed = RecurrenceSeries(
      start: try instant("2026-03-28T01:30:00Z"), rule: try RecurrenceRule("FREQ=DAILY;COUNT=4"),
      excluded: [try instant("2026-03-29T01:30:00Z"), try day("2026-03-30")], in: zone)
    #expect(
      text(timed.occurrences) == ["2026-03-28T01:30:00.000Z", "2026-03-31T00:30:00.000Z"])
  }

  @Test(arguments: [
    ("20261126", "2026-11-26"), ("20261126T235959", "2026-11-26"),
    ("20261126T000000", "2026-11-26"),
    // The 26th begins in Berlin at 23:00 UTC of the 25th.
    ("20261125T230000Z", "2026-11-26"), ("20261125T225959Z", "2026-11-25"),
    ("20261126T225959Z", "2026-11-26"), ("20261126T230000Z", "2026-11-27"),
    // The start is the first occurrence all the same.
    ("20200101", "2026-11-24"),
  ])
  func daysEndWithUntil(_ until: String, _ last: String) throws {
    let series = try days(
      "FREQ=DAILY;UNTIL=\(until)", from: "2026-11-24", in: database.zone(named: "Europe/Berlin"))
    #expect(text(series.occurrences).last == last)
  }

  @Test func daysAndTimesAreComparedByTheDay() throws {
    let zone = try database.zone(named: "America/New_York")
    let daily = try days("FREQ=DAILY", from: "2026-11-20", in: zone)
    #expect(try daily.next(after: instant("2026-11-24T04:59:59Z")) == day("2026-11-24"))
    #expect(try daily.next(after: instant("2026-11-24T05:00:00Z")) == day("2026-11-25"))
    let timed = RecurrenceSeries(
      start: try instant("2026-11-20T14:00:00Z"), rule: daily.rule, in: zone)
    #expect(try timed.next(after: day("2026-11-24")) == instant("2026-11-25T14:00:00Z"))
  }

  @Test func aFarMomentCostsNothing() throws {
    for rule in [
      "FREQ=DAILY;INTERVAL=7", "FREQ=WEEKLY;INTERVAL=3", "FREQ=MONTHLY;INTERVAL=5",
      "FREQ=YEARLY;INTERVAL=9",
    ] {
      let series = try days(rule, from: "0001-02-03")
      var last: Occurrence?
      for occurrence in series.occurrences { last = occurrence }
      let end = try day("9999-12-31")
      #expect(series.next(after: end) == nil)
      guard case .day(let date)? = last else {
        Issue.record("\(rule) has no occurrence")
        continue
      }
      #expect(series.next(after: .day(date.adding(days: -1))) == last, "\(rule)")
      #expect(series.next(after: .instant(Instant(milliseconds: .max))) == nil)
      #expect(series.next(after: .instant(Instant(milliseconds: .min))) == series.start)
    }
  }

  @Test func theLastYearHasAnEnd() throws {
    let zone = try database.zone(named: "America/New_York")
    let series = RecurrenceSeries(
      start: try instant("9999-12-30T04:00:00Z"), rule: try RecurrenceRule("FREQ=DAILY"), in: zone)
    // The last one at 23:00 in New York would be in year 10000 of UTC.
    #expect(
      text(series.occurrences) == ["9999-12-30T04:00:00.000Z", "9999-12-31T04:00:00.000Z"])
    #expect(text(try days("FREQ=WEEKLY", from: "9999-12-25").occurrences) == ["9999-12-25"])
    let count = try days("FREQ=DAILY;COUNT=9999", from: "2000-01-01")
    #expect(text(count.occurrences).count == 9999)
    #expect(try count.next(after: day("2027-05-16")) == day("2027-05-17"))
    #expect(try count.next(after: day("2027-05-17")) == nil)
  }

  @Test func leapDaysInAllCenturies() throws {
    let series = try days("FREQ=YEARLY", from: "1896-02-29")
    #expect(try series.next(after: day("1896-02-29")) == day("1904-02-29"))
    #expect(try series.next(after: day("2096-02-29")) == day("2104-02-29"))
    let sundays = try days("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU", from: "2004-02-29")
    #expect(text(sundays.occurrences.prefix(3)) == ["2004-02-29", "2032-02-29", "2060-02-29"])
  }
}
