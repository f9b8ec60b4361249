import MartletQuickAdd
import MartletTime

/// Prints a result as a text in English that reads as the same result.
struct PrintedPhrases {
  let zone: ZoneInfo
  private(set) var text = ""

  /// Prints a result; `nil` if no phrase says it: seconds, and years before 1970.
  init?(_ result: QuickAdd, in zone: ZoneInfo) {
    self.zone = zone
    var phrases = result.title.unicodeScalars.split(separator: " ").map { "\\" + String($0) }
    if let due = result.due {
      guard let phrase = phrase(of: due) else { return nil }
      phrases.append(phrase)
    }
    if let recurrence = result.recurrence { phrases += PrintedPhrases.phrases(of: recurrence) }
    for alarm in result.alarms ?? [] {
      guard let phrase = phrase(of: alarm, result.due) else { return nil }
      phrases.append(phrase)
    }
    if result.alarms == [] { phrases.append("!!") }
    if let id = result.listID, let list = QuickAddCase.lists.first(where: { $0.id == id }) {
      phrases.append("#\"\(list.title)\"")
    }
    phrases += result.tags.map { "@\"\(PrintedPhrases.escaped($0))\"" }
    if let priority = result.priority { phrases.append("!\(priority.rawValue)") }
    if result.isFlagged { phrases.append("*") }
    if let notes = result.notes { phrases.append("// \(notes)") }
    text = phrases.joined(separator: " ")
  }

  private static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { escaped.append("\\") }
      escaped.append(scalar)
    }
    return String(escaped)
  }

  private func phrase(of occurrence: Occurrence) -> String? {
    switch occurrence {
    case .day(let date): return date.year < 1970 ? nil : date.description
    case .instant(let instant):
      let time = zone.time(at: instant)
      // Of a time that clocks show twice, a text means the first one.
      guard time.second == 0, time.millisecond == 0, time.date.year >= 1970,
        zone.instant(of: time) == instant
      else {
        return nil
      }
      return "\(time.date) at \(clock(time.hour * 60 + time.minute))"
    }
  }

  private func clock(_ minutes: Int) -> String {
    "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
  }

  private func phrase(of alarm: QuickAdd.Alarm, _ due: Occurrence?) -> String? {
    switch alarm {
    case .at(let instant): return phrase(of: .instant(instant)).map { "remind me \($0)" }
    case .offset(let offset):
      let minutes = Int(offset.milliseconds / 60_000)
      if offset.days == 0, minutes < 0 { return "remind \(-minutes) minutes before" }
      if offset.milliseconds == 0, offset.days < 0 { return "remind \(-offset.days) days before" }
      switch due {
      // On a clock it is the beginning of the day.
      case .day where offset.days == 0 && minutes == 24 * 60: return "remind at midnight"
      case .day where offset.days == 0: return "remind at \(clock(minutes))"
      case .instant(let instant):
        let time = zone.time(at: offset.instant(after: instant, in: zone))
        let shown = "at \(clock(time.hour * 60 + time.minute))"
        return offset.days == 0 ? "remind \(shown)" : "remind \(-offset.days) days before \(shown)"
      default: return nil
      }
    }
  }

  private static let weekdays = [
    "SU": "sunday", "MO": "monday", "TU": "tuesday", "WE": "wednesday", "TH": "thursday",
    "FR": "friday", "SA": "saturday",
  ]

  static func phrases(of recurrence: QuickAdd.Recurrence) -> [String] {
    var parts: [Substring: Substring] = [:]
    for part in recurrence.rule.description.split(separator: ";") {
      let pair = part.split(separator: "=")
      parts[pair[0]] = pair[1]
    }
    let interval = parts["INTERVAL"].map(String.init) ?? "1"
    let frequency = parts["FREQ"] ?? ""
    var text = recurrence.basis == .completion ? "every! " : "every "
    let days = (parts["BYMONTHDAY"] ?? "").split(separator: ",").map(String.init)
    let weekdays = (parts["BYDAY"] ?? "").split(separator: ",").map(String.init)
    let name = weekdays.compactMap { PrintedPhrases.weekdays[String($0.suffix(2))] }
      .joined(separator: " and ")
    switch frequency {
    case "DAILY": text += "\(interval) days"
    case "WEEKLY" where weekdays.isEmpty: text += "\(interval) weeks"
    case "WEEKLY": text += "\(interval) weeks on \(name)"
    case "MONTHLY" where days == ["-1"]: text += "last day of the month"
    case "MONTHLY" where !days.isEmpty:
      text += days.map { "\($0)th" }.joined(separator: ", ")
    case "MONTHLY" where !weekdays.isEmpty:
      // Of several, each is the same weekday.
      let ordinals = weekdays.map { $0.dropLast(2) }.map { $0 == "-1" ? "last" : "\($0)th" }
      let weekday = PrintedPhrases.weekdays[String(weekdays[0].suffix(2))] ?? ""
      let last = ordinals.filter { $0 == "last" }
      let others = ordinals.filter { $0 != "last" }.joined(separator: ", ")
      text += ([others].filter { !$0.isEmpty } + last).joined(separator: " and ") + " " + weekday
      if last.isEmpty { text += " of the month" }
    case "MONTHLY": text += "\(interval) months"
    case "YEARLY" where !days.isEmpty:
      let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
      ]
      text += "\(days[0]) " + months[(Int(parts["BYMONTH"] ?? "") ?? 1) - 1]
    default: text += "\(interval) years"
    }
    if let count = parts["COUNT"] { return [text, "for \(count) times"] }
    guard let until = parts["UNTIL"] else { return [text] }
    return [text, "until \(until.prefix(4))-\(until.dropFirst(4).prefix(2))-\(until.suffix(2))"]
  }
}
