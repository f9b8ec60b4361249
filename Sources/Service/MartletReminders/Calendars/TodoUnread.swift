import MartletICalendar

/// Parts of a to-do that cannot be read. An import takes the to-do in without them, because one
/// to-do does not keep the others out. A `PUT` with such a `DUE` is refused.
package enum TodoUnread {
  /// Removes the alarms and the due date that cannot be read. Returns a sentence for each part.
  package static func remove(from lines: inout KeptLines) -> [String] {
    var left = lines.removeUnread().map {
      "An alarm is left out: “\($0.excerpt)” was not understood."
    }
    if let line = lines.first("DTSTART"), !isDate(line) {
      left.append("It has no start date: “\(line.value.excerpt)” was not understood.")
    }
    guard let line = lines.first("DUE"), !isDate(line) else { return left }
    let recurs = lines.first("RRULE") != nil
    // Another date would take the place of this one, and a rule would be counted from that.
    lines.remove(["DUE", "DURATION", "RRULE", "RDATE", "EXDATE"])
    let text = "“\(line.value.excerpt)” was not understood."
    left.append(
      recurs ? "It has no due date and does not recur: \(text)" : "It has no due date: \(text)")
    return left
  }

  private static func isDate(_ line: ContentLine) -> Bool {
    line.value.isEmpty || CalendarTime.date(line.value) != nil
      || CalendarTime.time(line.value) != nil
  }
}
