import MartletTime
import TestSupport

/// Random rules with starts, zones and excluded occurrences.
struct RandomRules {
  var random: SeededRandom
  let zones: [ZoneInfo]

  struct Case {
    let rule: String
    let start: Occurrence
    let zone: ZoneInfo
    /// Occurrences are compared up to this day.
    let end: CivilDate
  }

  mutating func next() -> Case {
    let zone = random.pick(zones)
    let days = Int.random(in: -25_000...40_000, using: &random)
    let date = CivilDate(daysSinceEpoch: days)
    var start = Occurrence.day(date)
    if random.once(in: 2) { start = .instant(zone.instant(of: time(on: date))) }
    return Case(
      rule: rule(near: date), start: start, zone: zone, end: date.adding(days: 365 * 30))
  }

  /// Often a time at which clocks change somewhere.
  private mutating func time(on date: CivilDate) -> CivilTime {
    let hour = random.pick([0, 0, 1, 2, 2, 3, 9, 23, Int.random(in: 0...23, using: &random)])
    let minute = random.pick([0, 15, 30, 59, Int.random(in: 0...59, using: &random)])
    return CivilTime(date: date, hour: hour, minute: minute, second: random.pick([0, 0, 59]))!
  }

  private mutating func rule(near date: CivilDate) -> String {
    let frequency = random.pick(["DAILY", "WEEKLY", "WEEKLY", "MONTHLY", "MONTHLY", "YEARLY"])
    let isLong = frequency == "MONTHLY" || frequency == "YEARLY"
    var parts = ["FREQ=\(frequency)"]
    if random.once(in: 2) {
      let most = random.pick([2, 3, 5, 20, 999])
      parts.append("INTERVAL=\(Int.random(in: 1...most, using: &random))")
    }
    if random.once(in: 4) {
      parts.append("COUNT=\(Int.random(in: 1...40, using: &random))")
    } else if random.once(in: 3) {
      let end = date.adding(days: Int.random(in: -5...3000, using: &random))
      let digits = end.description.filter { $0 != "-" }
      let suffix = random.pick(["", "T000000", "T023000", "T000000Z", "T235959Z", "T003000Z"])
      parts.append("UNTIL=\(digits)\(suffix)")
    }
    var hasPart = false
    if random.once(in: 3) {
      parts.append("BYMONTH=\(numbers(1...12, atMost: 4))")
      hasPart = true
    }
    if frequency != "WEEKLY", random.once(in: 3) {
      parts.append("BYMONTHDAY=\(signed(31, atMost: 6))")
      hasPart = true
    }
    if random.once(in: 2) {
      parts.append("BYDAY=\(weekdays(ordinalsUpTo: !isLong ? 0 : hasPart ? 5 : 53))")
      hasPart = true
    }
    if hasPart, random.once(in: 3) {
      let most = random.pick(frequency == "YEARLY" ? [3, 30, 366] : [1, 3, 8])
      parts.append("BYSETPOS=\(signed(most, atMost: 3))")
    }
    if random.once(in: 3) { parts.append("WKST=\(random.pick(RandomRules.names))") }
    return parts.joined(separator: ";")
  }

  private static let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  private mutating func weekdays(ordinalsUpTo most: Int) -> String {
    var days: [String] = []
    let isNumbered = most > 0 && random.once(in: 2)
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let isPlain = !isNumbered || random.once(in: 5)
      days.append(
        (isPlain ? "" : signed(random.pick([2, most]), atMost: 1)) + random.pick(RandomRules.names))
    }
    return days.joined(separator: ",")
  }

  private mutating func numbers(_ range: ClosedRange<Int>, atMost count: Int) -> String {
    (0..<Int.random(in: 1...count, using: &random))
      .map { _ in "\(Int.random(in: range, using: &random))" }.joined(separator: ",")
  }

  private mutating func signed(_ most: Int, atMost count: Int) -> String {
    (0..<Int.random(in: 1...count, using: &random))
      .map { _ in (random.once(in: 3) ? "-" : "") + "\(Int.random(in: 1...most, using: &random))" }
      .joined(separator: ",")
  }
}
