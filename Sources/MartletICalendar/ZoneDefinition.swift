import MartletTime

/// A time zone as a calendar defines it: a VTIMEZONE (RFC 5545 section 3.6.5).
///
/// It is only evaluated for zones whose names the system does not know, such as those of Windows.
/// The rules that calendars have are read: a day of the week in a month, once a year, and single
/// times.
struct ZoneDefinition: Sendable {
  /// A part: from each of its onsets on, the offset holds.
  private struct Part {
    var onset: CivilTime?
    var offset = 0
    var offsetBefore = 0
    /// The month and the day of the week: the first is 1, the last -1.
    var yearly: (month: Int, weekday: Int, number: Int)?
    var isYearly = false
    var until: Instant?
    var others: [CivilTime] = []

    /// The onsets of a year, as local times before them.
    func onsets(in year: Int) -> [CivilTime] {
      guard let onset else { return [] }
      var times = ([onset] + others).filter { $0.date.year == year }
      guard isYearly, year > onset.date.year,
        let date = day(in: year)
          ?? CivilDate(
            year: year, month: onset.date.month, day: onset.date.day),
        let time = CivilTime(
          date: date, hour: onset.hour, minute: onset.minute, second: onset.second)
      else { return times }
      if let until, time.instant(offset: offsetBefore) > until { return times }
      times.append(time)
      return times
    }

    private func day(in year: Int) -> CivilDate? {
      guard let (month, weekday, number) = yearly,
        let first = CivilDate(year: year, month: month, day: 1)
      else { return nil }
      let count = CivilDate.days(inMonth: month, of: year)
      let days = (0..<count).map { first.adding(days: $0) }.filter { $0.weekday == weekday }
      let place = number > 0 ? number - 1 : days.count + number
      return days.indices.contains(place) ? days[place] : nil
    }
  }

  private var parts: [Part] = []

  private static let mostParts = 100
  private static let mostOthers = 200

  /// Reads the lines of a definition, from `BEGIN` to `END`. `nil` if it has no offset that can be
  /// read.
  init?(_ lines: [ContentLine]) {
    var part: Part?
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
      case "RRULE": ZoneDefinition.read(line.value, &part)
      case "RDATE":
        let times = line.value.split(separator: ",").prefix(ZoneDefinition.mostOthers)
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
      let end = part.until.map { CivilTime($0).date.year }
      let last = end.map { part.onsets(in: $0 - 1) + part.onsets(in: $0) } ?? []
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

  private static func read(_ rule: String, _ part: inout Part?) {
    var values: [Substring: Substring] = [:]
    for pair in rule.uppercased().split(separator: ";") {
      let sides = pair.split(separator: "=", maxSplits: 1)
      if sides.count == 2 { values[sides[0]] = sides[1] }
    }
    guard values["FREQ"] == "YEARLY" else { return }
    part?.isYearly = true
    part?.until = values["UNTIL"].flatMap { CalendarTime.instant(String($0), in: .utc) }
    let days = ["SU": 0, "MO": 1, "TU": 2, "WE": 3, "TH": 4, "FR": 5, "SA": 6]
    guard let month = values["BYMONTH"].flatMap({ Int($0) }), 1...12 ~= month,
      let day = values["BYDAY"], let weekday = days[String(day.suffix(2))],
      case let number = Int(day.dropLast(2)) ?? 1, number != 0, (-5...5).contains(number)
    else { return }
    part?.yearly = (month, weekday, number)
  }
}
