extension RecurrenceRule {
  /// The maximum length of a rule, in bytes.
  public static let longest = 500

  /// Parses the value of an RRULE property, without `RRULE:`, in either case and with its parts in
  /// any order.
  ///
  /// Rejects parts that are not supported, combinations that RFC 5545 forbids, and rules that never
  /// happen, such as the 30th of February.
  public init(_ text: some StringProtocol) throws(Problem) {
    guard text.utf8.count <= RecurrenceRule.longest else {
      throw Problem("a rule has at most \(RecurrenceRule.longest) bytes")
    }
    // Other letters may become ASCII letters in upper case, or be equal to them.
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw .noParts }
    let upper = text.uppercased()
    guard !upper.hasPrefix("RRULE:") else { throw Problem("a rule is written without RRULE:") }
    var values: [Substring: Substring] = [:]
    for part in upper.split(separator: ";", omittingEmptySubsequences: false) {
      guard let equals = part.firstIndex(of: "="), RuleText.isName(part[..<equals]) else {
        throw .noParts
      }
      let name = part[..<equals]
      guard values.updateValue(part[part.index(after: equals)...], forKey: name) == nil else {
        throw Problem(String(name), "appears twice")
      }
      guard RecurrenceRule.parts.contains(name) else {
        let isKnown = RecurrenceRule.unsupported.contains(name)
        throw Problem(String(name), isKnown ? "is not supported" : "is not a part of a rule")
      }
    }
    self.init(frequency: try RecurrenceRule.frequency(values["FREQ"]))
    try read(values)
    try check()
  }

  private static let parts: Set<Substring> = [
    "FREQ", "INTERVAL", "COUNT", "UNTIL", "BYMONTH", "BYMONTHDAY", "BYDAY", "BYSETPOS", "WKST",
  ]
  private static let unsupported: Set<Substring> = [
    "BYSECOND", "BYMINUTE", "BYHOUR", "BYYEARDAY", "BYWEEKNO", "RSCALE", "SKIP",
  ]
  /// In the order of `CivilDate.weekday`.
  static let weekdayNames = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

  private static func frequency(_ text: Substring?) throws(Problem) -> Frequency {
    guard let text else { throw Problem("FREQ", "is missing") }
    if let frequency = Frequency(rawValue: String(text)) { return frequency }
    if ["SECONDLY", "MINUTELY", "HOURLY"].contains(text) {
      throw Problem("FREQ", "\(text) is not supported")
    }
    throw Problem("FREQ", "must be DAILY, WEEKLY, MONTHLY or YEARLY")
  }

  private mutating func read(_ values: [Substring: Substring]) throws(Problem) {
    if let text = values["INTERVAL"] {
      guard let number = RuleText.number(text, in: 1...999) else {
        throw Problem("INTERVAL", "must be 1...999")
      }
      interval = number
    }
    if let text = values["COUNT"] {
      guard values["UNTIL"] == nil else { throw Problem("COUNT", "excludes UNTIL") }
      guard let number = RuleText.number(text, in: 1...9999) else {
        throw Problem("COUNT", "must be 1...9999")
      }
      end = .count(number)
    }
    if let text = values["UNTIL"] {
      guard let until = RuleText.until(text) else {
        throw Problem("UNTIL", "must be a date or a time, such as 20261224 or 20261224T120000Z")
      }
      end = until
    }
    if let text = values["BYMONTH"] {
      guard let numbers = RuleText.list(text, { RuleText.number($0, in: 1...12) }) else {
        throw Problem("BYMONTH", "must be months from 1 to 12, separated by commas")
      }
      months = Set(numbers).sorted()
    }
    monthDays = try signed(values, "BYMONTHDAY", upTo: 31)
    positions = try signed(values, "BYSETPOS", upTo: 366)
    if let text = values["BYDAY"] {
      guard let days = RuleText.list(text, RuleText.weekday) else {
        throw Problem("BYDAY", "must be weekdays such as MO, 1MO or -1MO, separated by commas")
      }
      weekdays = Set(days).sorted { $0.order < $1.order }
    }
    if let text = values["WKST"] {
      guard let day = RecurrenceRule.weekdayNames.firstIndex(of: String(text)) else {
        throw Problem("WKST", "must be a weekday such as MO")
      }
      weekStart = day
    }
  }

  private func signed(
    _ values: [Substring: Substring], _ name: String, upTo limit: Int
  ) throws(Problem) -> [Int] {
    guard let text = values[Substring(name)] else { return [] }
    guard let numbers = RuleText.list(text, { RuleText.signed($0, upTo: limit) }) else {
      throw Problem(name, "must be numbers from 1 to \(limit) or -\(limit) to -1")
    }
    return Set(numbers).sorted { RuleText.order($0) < RuleText.order($1) }
  }

  /// Throws for rules that RFC 5545 section 3.3.10 forbids, and for rules that never occur.
  private func check() throws(Problem) {
    if frequency == .weekly, !monthDays.isEmpty {
      throw Problem("BYMONTHDAY", "is not allowed with FREQ=WEEKLY")
    }
    if frequency == .daily || frequency == .weekly, weekdays.contains(where: { $0.ordinal != 0 }) {
      throw Problem(
        "BYDAY", "must have no numbers with FREQ=\(frequency.rawValue): MO instead of 1MO")
    }
    if !positions.isEmpty, months.isEmpty, monthDays.isEmpty, weekdays.isEmpty {
      throw Problem("BYSETPOS", "needs BYMONTH, BYMONTHDAY or BYDAY")
    }
    guard canHappen else { throw .never }
  }
}

extension RecurrenceRule.Weekday {
  /// Monday first; of one weekday the plain one first, and then like the other numbers.
  fileprivate var order: (Int, Int) { ((weekday + 6) % 7, RuleText.order(ordinal)) }
}

/// Reads the values of a rule's parts, which are in upper case.
private enum RuleText {
  /// Whether a text can be the name of a part. Only such texts are repeated in messages.
  static func isName(_ text: Substring) -> Bool {
    1...32 ~= text.utf8.count
      && text.utf8.allSatisfy {
        $0 &- UInt8(ascii: "A") < 26 || $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-")
      }
  }

  /// Digits only: `Int(_:)` would accept a sign.
  static func number(_ text: Substring, in range: ClosedRange<Int>) -> Int? {
    guard text.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let number = Int(text) else { return nil }
    return range.contains(number) ? number : nil
  }

  /// A number other than 0 with an optional sign.
  static func signed(_ text: Substring, upTo limit: Int) -> Int? {
    let isNegative = text.first == "-"
    let digits = isNegative || text.first == "+" ? text.dropFirst() : text
    return number(digits, in: 1...limit).map { isNegative ? -$0 : $0 }
  }

  /// From the first to the last: 1, 2, …, -2, -1.
  static func order(_ number: Int) -> Int { number < 0 ? 1000 + number : number }

  static func weekday(_ text: Substring) -> RecurrenceRule.Weekday? {
    guard let day = RecurrenceRule.weekdayNames.firstIndex(of: String(text.suffix(2))) else {
      return nil
    }
    let ordinal = text.dropLast(2)
    if ordinal.isEmpty { return RecurrenceRule.Weekday(weekday: day) }
    return signed(ordinal, upTo: 53).map { RecurrenceRule.Weekday(ordinal: $0, weekday: day) }
  }

  static func list<Value>(_ text: Substring, _ read: (Substring) -> Value?) -> [Value]? {
    var values: [Value] = []
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let value = read(item) else { return nil }
      values.append(value)
    }
    return values
  }

  /// `yyyyMMdd`, `yyyyMMddTHHmmss` or `yyyyMMddTHHmmssZ`.
  static func until(_ text: Substring) -> RecurrenceRule.End? {
    let bytes = Array(text.utf8)
    func field(_ place: Int, _ length: Int) -> Int? {
      number(Substring(decoding: bytes[place..<place + length], as: UTF8.self), in: 0...9999)
    }
    guard [8, 15, 16].contains(bytes.count), let year = field(0, 4), let month = field(4, 2),
      let day = field(6, 2), let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    if bytes.count == 8 { return .day(date) }
    guard bytes[8] == UInt8(ascii: "T"), let hour = field(9, 2), let minute = field(11, 2),
      let second = field(13, 2),
      let time = CivilTime(date: date, hour: hour, minute: minute, second: second)
    else { return nil }
    if bytes.count == 15 { return .time(time) }
    return bytes[15] == UInt8(ascii: "Z") ? .instant(time.instant()) : nil
  }
}

extension RecurrenceRule {
  /// Why a text is not a rule that can be evaluated.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the wrong part, such as `BYDAY`; `nil` if it is the rule as a whole.
    public let part: String?
    /// A sentence without its period, such as `INTERVAL must be 1...999`.
    public let description: String

    /// Makes an error. `fault` follows the name of the part.
    init(_ part: String, _ fault: String) {
      self.part = part
      description = "\(part) \(fault)"
    }

    init(_ description: String) {
      part = nil
      self.description = description
    }

    static let noParts = Problem("a rule is parts such as FREQ=DAILY, separated by semicolons")
    static let never = Problem("the rule never happens")
  }
}
