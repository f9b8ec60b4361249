import MartletTime

/// Writes a zone of the system as a calendar defines it (RFC 5545 section 3.6.5).
package enum ZoneWriter {
  /// The lines of a VTIMEZONE that holds from a year before the first instant to two years after
  /// the last one.
  package static func lines(of zone: ZoneInfo, from first: Instant, to last: Instant) -> [String] {
    var place = first.adding(seconds: -400 * 86_400)
    let end = last.adding(seconds: 800 * 86_400)
    var lines = ["BEGIN:VTIMEZONE", "TZID:\(zone.identifier)"]
    lines += part(at: place, from: zone.offset(at: place), to: zone.offset(at: place))
    var count = 0
    while count < most, let next = zone.nextTransition(after: place), next <= end {
      let before = zone.offset(at: next.adding(seconds: -1))
      let after = zone.offset(at: next)
      place = next
      guard before != after else { continue }
      count += 1
      lines += part(at: next, from: before, to: after)
    }
    return lines + ["END:VTIMEZONE"]
  }

  /// Reminders far apart do not need all changes between them.
  private static let most = 20

  private static func part(at onset: Instant, from before: Int, to after: Int) -> [String] {
    let kind = after > before ? "DAYLIGHT" : "STANDARD"
    return [
      "BEGIN:\(kind)", "DTSTART:\(CalendarTime.text(CivilTime(onset, offset: before)))",
      "TZOFFSETFROM:\(offset(before))", "TZOFFSETTO:\(offset(after))", "END:\(kind)",
    ]
  }

  private static func offset(_ seconds: Int) -> String {
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let all = abs(seconds)
    return (seconds < 0 ? "-" : "+") + digits(all / 3_600) + digits(all / 60 % 60)
      + (all % 60 == 0 ? "" : digits(all % 60))
  }
}
