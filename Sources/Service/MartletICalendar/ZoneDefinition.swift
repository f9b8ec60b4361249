import MartletTime

/// A time zone as a calendar defines it: a VTIMEZONE (RFC 5545 section 3.6.5).
///
/// It is only evaluated for zones whose names the system does not know, such as those of Windows.
/// The rules that calendars have are read: a day of the week in a month, or on one of some days of
/// it, once a year, and single times. A definition with another rule is not read.
struct ZoneDefinition: Sendable {
  /// A part: from each of its onsets on, the offset holds.
  private struct Part {
    var onset: CivilTime?
    var offset = 0
    var offsetBefore = 0
    var yearly: Yearly?
    var until: Instant?
    var others: [CivilTime] = []

    /// The last year of the rule.
    var lastYear: Int? {
      if let until { return CivilTime(until).date.year }
      guard let onset, let count = yearly?.count else { return nil }
      return min(onset.date.year + min(count, 9_999) - 1, 9_999)
    }

    /// The onsets of a year, as local times before them.
    func onsets(in year: Int) -> [CivilTime] {
      guard let onset else { return [] }
      var times = ([onset] + others).filter { $0.date.year == year }
      guard let yearly, year > onset.date.year, let date = yearly.day(in: year, onset.date),
        let time = CivilTime(
          date: date, hour: onset.hour, minute: onset.minute, second: onset.second)
      else { return times }
      if let until, time.instant(offset: offsetBefore) > until { return times }
      times.append(time)
      return times
    }
  }

  /// A day once a year.
  private struct Yearly {
    /// The month; that of the first onset if it is missing.
    var month: Int?
    /// The day of the week, and which one of the month: the first is 1, the last -1.
    var weekday: Int?
    var number = 1
    /// The days of the month that it can be.
    var days: Set<Int> = []
    /// How many years it has.
    var count: Int?

    /// The day in a year after that of the first onset.
    func day(in year: Int, _ onset: CivilDate) -> CivilDate? {
      let month = self.month ?? onset.month
      guard year - onset.year < count ?? .max,
        let first = CivilDate(year: year, month: month, day: 1)
      else { return nil }
      let length = CivilDate.days(inMonth: month, of: year)
      let days = weekday == nil && self.days.isEmpty ? [onset.day] : self.days
      let found = (1...length).filter { day in
        days.isEmpty || days.contains(day) || days.contains(day - length - 1)
      }.map { first.adding(days: $0 - 1) }.filter { weekday == nil || $0.weekday == weekday }
      let place = number > 0 ? number - 1 : found.count + number
      return found.indices.contains(place) ? found[place] : nil
    }
  }

  private var parts: [Part] = []

  private static let mostParts = 100
  /// The largest number of single times of all parts. Each is compared with each time in the zone.
  private static let mostOthers = 500

  /// Reads the lines of a definition, from `BEGIN` to `END`. `nil` if it has no offset that can be
  /// read.
  init?(_ lines: [ContentLine]) {
    var part: Part?
    var room = ZoneDefinition.mostOthers
    for line in lines {
      switch line.name {
      case "BEGIN" where ["STANDARD", "DAYLIGHT"].contains(line.component): part = Part()
      case "END":
        if let ended = part, ended.onset != nil, parts.count < ZoneDefinition.mostParts {
          parts.append(ended)
        }
        part = nil
      case "DTSTART": part?.onset = ZoneDefinition.time(line.value)
      case "TZOFFSETTO": part?.offset = ZoneDefinition.offset(line.value) ?? 0
      case "TZOFFSETFROM": part?.offsetBefore = ZoneDefinition.offset(line.value) ?? 0
      case "RRULE" where part != nil:
        guard let rule = ZoneDefinition.rule(line.value) else { return nil }
        part?.yearly = rule.yearly
        part?.until = rule.until
      case "RDATE":
        let times = line.value.split(separator: ",").prefix(room)
        room -= times.count
        part?.others += times.compactMap { ZoneDefinition.time(String($0)) }
      default: break
      }
    }
    guard !parts.isEmpty else { return nil }
  }

  /// The instant at which clocks of the zone show a time.
  func instant(of time: CivilTime) -> Instant {
    time.instant(offset: offset(at: time))
  }

  /// The offset in seconds when clocks show a time.
  func offset(at time: CivilTime) -> Int {
    var last: (time: Instant, offset: Int)?
    let shown = time.instant()
    for part in parts {
      for year in [time.date.year - 1, time.date.year] {
        for onset in part.onsets(in: year) where onset.instant() <= shown {
          if last.map({ $0.time < onset.instant() }) ?? true {
            last = (onset.instant(), part.offset)
          }
        }
      }
    }
    if let last { return last.offset }
    // A zone without rules has only the onsets that it had, perhaps long ago.
    let past = parts.compactMap { part in
      let last = part.lastYear.map { part.onsets(in: $0 - 1) + part.onsets(in: $0) } ?? []
      return ([part.onset].compactMap { $0 } + part.others + last)
        .filter { $0.instant() <= shown }
        .max { $0.instant() < $1.instant() }.map { (time: $0.instant(), offset: part.offset) }
    }
    if let newest = past.max(by: { $0.time < $1.time }) { return newest.offset }
    let first = parts.min { ($0.onset?.instant() ?? .latest) < ($1.onset?.instant() ?? .latest) }
    return first?.offsetBefore ?? 0
  }

  /// Whether clocks of the system's zone show the same times for two years.
  func agrees(with zone: ZoneInfo, from year: Int) -> Bool {
    guard let first = CivilDate(year: year, month: 1, day: 1) else { return false }
    return (0..<105).allSatisfy { week in
      guard
        let time = CivilTime(date: first.adding(days: week * 7), hour: 12, minute: 0, second: 0)
      else { return false }
      return instant(of: time) == zone.instant(of: time)
    }
  }

  private static func time(_ text: String) -> CivilTime? {
    CalendarTime.instant(text.hasSuffix("Z") ? text : text + "Z", in: .utc)
      .map { CivilTime($0) }
  }

  /// `+0130` or `-013000`, in seconds.
  private static func offset(_ text: String) -> Int? {
    let digits = text.utf8.dropFirst()
    guard let sign = text.utf8.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      digits.count == 4 || digits.count == 6, digits.allSatisfy({ 0x30...0x39 ~= $0 })
    else { return nil }
    var numbers = [0, 0, 0]
    for (place, digit) in digits.enumerated() {
      numbers[place / 2] = numbers[place / 2] * 10 + Int(digit - 0x30)
    }
    let seconds = numbers[0] * 3_600 + numbers[1] * 60 + numbers[2]
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }

  /// A rule with one day a year; `nil` for any other.
  private static func rule(_ text: String) -> (yearly: Yearly, until: Instant?)? {
    var rule = Yearly()
    var until: Instant?
    var number: Int?
    var isYearly = false
    for pair in text.uppercased().split(separator: ";") {
      let sides = pair.split(separator: "=", maxSplits: 1)
      guard sides.count == 2 else { return nil }
      let value = String(sides[1])
      switch sides[0] {
      case "FREQ": isYearly = value == "YEARLY"
      case "INTERVAL" where value == "1", "WKST": break
      case "UNTIL":
        let day = CalendarTime.date(value).flatMap {
          CivilTime(date: $0, hour: 23, minute: 59, second: 59)
        }
        guard let time = day?.instant() ?? CalendarTime.instant(value, in: .utc) else { return nil }
        until = time
      case "COUNT":
        guard let count = Int(value), count > 0 else { return nil }
        rule.count = count
      case "BYMONTH":
        guard let month = Int(value), 1...12 ~= month else { return nil }
        rule.month = month
      case "BYDAY":
        let prefix = value.dropLast(2)
        guard let weekday = weekdays[String(value.suffix(2))] else { return nil }
        rule.weekday = weekday
        if !prefix.isEmpty {
          guard let place = Int(prefix), place != 0, (-5...5).contains(place) else { return nil }
          number = place
        }
      case "BYMONTHDAY":
        let days = value.split(separator: ",").map { Int($0) ?? 0 }
        guard days.allSatisfy({ $0 != 0 && (-31...31).contains($0) }) else { return nil }
        rule.days = Set(days)
      default: return nil
      }
    }
    // Otherwise it has several days, or the number is that in the year.
    let isInMonth = rule.month != nil || (rule.weekday == nil && rule.days.isEmpty)
    guard isYearly, isInMonth, number == nil || rule.days.isEmpty else { return nil }
    rule.number = number ?? 1
    return (rule, until)
  }

  private static let weekdays = ["SU": 0, "MO": 1, "TU": 2, "WE": 3, "TH": 4, "FR": 5, "SA": 6]
}
