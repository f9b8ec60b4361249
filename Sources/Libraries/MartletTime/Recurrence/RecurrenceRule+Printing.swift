extension RecurrenceRule: CustomStringConvertible {
  /// The canonical text: capitals, parts in the order of the type's description, lists sorted and
  /// without repetition, and no part whose value is the default (`INTERVAL=1`, `WKST=MO`).
  public var description: String {
    var text = "FREQ=\(frequency.rawValue)"
    func add(_ name: String, _ values: some Collection<String>) {
      if !values.isEmpty { text += ";\(name)=\(values.joined(separator: ","))" }
    }
    if interval != 1 { text += ";INTERVAL=\(interval)" }
    switch end {
    case .never: break
    case .count(let count): text += ";COUNT=\(count)"
    case .day(let date): text += ";UNTIL=\(RecurrenceRule.basic(date))"
    case .time(let time): text += ";UNTIL=\(RecurrenceRule.basic(time))"
    case .instant(let instant): text += ";UNTIL=\(RecurrenceRule.basic(CivilTime(instant)))Z"
    }
    add("BYMONTH", months.map(String.init))
    add("BYMONTHDAY", monthDays.map(String.init))
    add(
      "BYDAY",
      weekdays.map {
        ($0.ordinal == 0 ? "" : "\($0.ordinal)") + RecurrenceRule.weekdayNames[$0.weekday]
      })
    add("BYSETPOS", positions.map(String.init))
    if weekStart != 1 { text += ";WKST=\(RecurrenceRule.weekdayNames[weekStart])" }
    return text
  }

  /// The basic format of ISO 8601, `yyyyMMdd`.
  private static func basic(_ date: CivilDate) -> String {
    String(date.description.filter { $0 != "-" })
  }

  /// `yyyyMMddTHHmmss`.
  private static func basic(_ time: CivilTime) -> String {
    basic(time.date) + "T"
      + String(unsafeUninitializedCapacity: 6) {
        Digits.write(two: time.hour, to: $0.baseAddress!)
        Digits.write(two: time.minute, to: $0.baseAddress! + 2)
        Digits.write(two: time.second, to: $0.baseAddress! + 4)
        return 6
      }
  }
}
