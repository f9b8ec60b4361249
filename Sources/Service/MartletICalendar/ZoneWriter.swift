import MartletTime
import Synchronization

/// Writes a zone of the system as a calendar defines it (RFC 5545 section 3.6.5).
package enum ZoneWriter {
  /// The lines of a VTIMEZONE that holds from an instant on. Changes that are on the same day of
  /// each year, such as the last Sunday of March, are one rule.
  package static func lines(of zone: ZoneInfo, from first: Instant = .epoch) -> [String] {
    let first = max(zone.time(at: first).date.year - 1, 1970)
    let key = Key(zone: zone, year: first)
    if let known = made.withLock({ $0[key] }) { return known }
    let lines = lines(of: zone, fromYear: first)
    made.withLock {
      if $0.count >= mostMade { $0 = [:] }
      $0[key] = lines
    }
    return lines
  }

  /// The definitions made so far: each to-do of a zone needs one, and most need the same.
  private static let made = Mutex<[Key: [String]]>([:])
  private static let mostMade = 64

  private struct Key: Hashable {
    let zone: ZoneInfo
    let year: Int
  }

  private static func lines(of zone: ZoneInfo, fromYear first: Int) -> [String] {
    let begin = CivilDate(year: first, month: 1, day: 1).map { Instant(startOf: $0) } ?? .epoch
    let offset = zone.offset(at: begin)
    var place = begin.adding(seconds: -Int64(offset))
    let lastYear = min(max(first, year) + yearsAhead, 9_999)
    let start = Run(CivilTime(place, offset: offset), from: offset, to: offset)
    var runs: [Run] = []
    while runs.count < mostRuns, let next = zone.nextTransition(after: place) {
      place = next
      let before = zone.offset(at: next.adding(seconds: -1))
      let run = Run(CivilTime(next, offset: before), from: before, to: zone.offset(at: next))
      guard run.year <= lastYear else { break }
      if run.from == run.to { continue }
      if let known = runs.lastIndex(where: { $0.goesOn(with: run) }) {
        runs[known].add(run)
      } else {
        runs.append(run)
      }
    }
    return ["BEGIN:VTIMEZONE", "TZID:\(zone.identifier)"] + start.lines(to: nil)
      + runs.flatMap { $0.lines(to: lastYear) } + ["END:VTIMEZONE"]
  }

  /// A year of which the rules are known, and how many years a rule must hold from then on to be
  /// one without an end.
  private static let year = 2026
  private static let yearsAhead = 28
  /// Some zones have changes without a rule, for decades.
  private static let mostRuns = 300

  /// A change of the offset, and the same one in the years after it.
  private struct Run {
    let onset: CivilTime
    let from: Int
    let to: Int
    private(set) var year: Int
    private var last: CivilTime
    /// Which of these days of the week it is in its month: the first is 1, the last -1.
    private var places: Set<Int>

    init(_ onset: CivilTime, from: Int, to: Int) {
      (self.onset, self.from, self.to) = (onset, from, to)
      (year, last) = (onset.date.year, onset)
      let date = onset.date
      let rest = CivilDate.days(inMonth: date.month, of: date.year) - date.day
      places = [(date.day - 1) / 7 + 1, -(rest / 7 + 1)]
      places.subtract([5, -5])
    }

    func goesOn(with next: Run) -> Bool {
      next.year == year + 1 && next.from == from && next.to == to
        && next.onset.date.month == onset.date.month
        && next.onset.date.weekday == onset.date.weekday
        && next.onset.on(onset.date) == onset && !places.isDisjoint(with: next.places)
    }

    mutating func add(_ next: Run) {
      (year, last) = (next.year, next.onset)
      places.formIntersection(next.places)
    }

    /// The component. A rule has no end if it holds up to the year `end`.
    func lines(to end: Int?) -> [String] {
      let kind = to > from ? "DAYLIGHT" : "STANDARD"
      var lines = [
        "BEGIN:\(kind)", "DTSTART:\(CalendarTime.text(onset))",
        "TZOFFSETFROM:\(ZoneWriter.offset(from))", "TZOFFSETTO:\(ZoneWriter.offset(to))",
      ]
      // Of a day that is both, such as the fourth and last Sunday, the last one is the custom.
      if year > onset.date.year, let place = places.min() {
        let day = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"][onset.date.weekday]
        let until = year == end ? "" : ";UNTIL=\(CalendarTime.text(last.instant(offset: from)))"
        lines.append(
          "RRULE:FREQ=YEARLY;BYMONTH=\(onset.date.month);BYDAY=\(place)\(day)\(until)")
      }
      return lines + ["END:\(kind)"]
    }
  }

  private static func offset(_ seconds: Int) -> String {
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let all = abs(seconds)
    return (seconds < 0 ? "-" : "+") + digits(all / 3_600) + digits(all / 60 % 60)
      + (all % 60 == 0 ? "" : digits(all % 60))
  }
}
