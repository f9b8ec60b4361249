import MartletQuickAdd
import MartletTime

/// Checks the properties that hold for every text read by quick add. Used by tests and the fuzz
/// target.
package struct QuickAddCheck {
  private let reader: QuickAddReader

  /// The maximum number of steps for each character of a text and each language. The cases need up
  /// to 40 for all of them.
  package static let mostSteps = 50

  package init(_ reader: QuickAddReader) { self.reader = reader }

  /// The first property that a text violates, as a sentence; `nil` if all hold.
  package func violation(by text: String) -> String? {
    let (result, steps) = reader.counted(text)
    let length = text.unicodeScalars.count
    if steps > QuickAddCheck.mostSteps * max(reader.languages.count, 2) * (length + 1) {
      return "\(steps) steps for \(length) characters"
    }
    if reader.read(text) != result { return "another result at the second time" }
    return spans(of: result, text) ?? parts(of: result) ?? escaped(text)
  }

  /// Spans are in order, and with the title they are the text.
  private func spans(of result: QuickAdd, _ text: String) -> String? {
    let units = Array(text.utf16)
    var rest = String.UnicodeScalarView()
    var last = 0
    func add(_ units: ArraySlice<UInt16>) {
      rest.append(contentsOf: String(decoding: units, as: UTF16.self).unicodeScalars)
    }
    for span in result.spans {
      guard last <= span.start, span.start < span.end, span.end <= units.count else {
        return "span \(span) is out of order"
      }
      // A half of a surrogate pair would be decoded as another character.
      guard Array(span.text.utf16) == Array(units[span.start..<span.end]),
        String(decoding: units[span.start..<span.end], as: UTF16.self).unicodeScalars
          .elementsEqual(span.text.unicodeScalars)
      else { return "span \(span) has another text" }
      add(units[last..<span.start])
      last = span.end
    }
    add(units[last...])
    guard visible(rest) == visible(result.title.unicodeScalars) else {
      return "the title is not what the spans leave"
    }
    return result.title.unicodeScalars.elementsEqual(closedUp(result.title).unicodeScalars)
      ? nil : "the title has blanks"
  }

  /// Whether a scalar separates words.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar == "\0"
  }

  /// The characters without blanks, quotation marks and backslashes.
  private func visible(_ text: String.UnicodeScalarView) -> [Unicode.Scalar] {
    text.filter { !QuickAddCheck.isBlank($0) && $0 != "\"" && $0 != "\\" }
  }

  /// A text with each run of blanks as one space.
  private func closedUp(_ text: String) -> String {
    text.unicodeScalars.split(whereSeparator: QuickAddCheck.isBlank).map { String($0) }
      .joined(separator: " ")
  }

  private func parts(of result: QuickAdd) -> String? {
    switch result.due {
    case .instant(let instant) where !(.earliest ... .latest ~= instant): return "due out of range"
    case .day(let date) where !(0...9999 ~= date.year): return "due out of range"
    default: break
    }
    if let rule = result.recurrence?.rule {
      guard let due = result.due else { return "a recurrence without a due date" }
      guard (try? RecurrenceRule(rule.description)) == rule else { return "\(rule) is no rule" }
      let series = RecurrenceSeries(start: due, rule: rule, in: reader.zone)
      var occurrences = series.occurrences.makeIterator()
      if occurrences.next() != due { return "the due date is not the first occurrence" }
    }
    let alarms = result.alarms ?? []
    if alarms.count > 20 || Set(alarms).count < alarms.count {
      return "too many alarms"
    }
    for case .offset(let offset) in alarms {
      if result.due == nil { return "an alarm without a due date" }
      guard CivilDuration(offset.description) == offset,
        abs(offset.days) <= QuickAdd.Alarm.longestDays,
        abs(offset.milliseconds) <= Int64(QuickAdd.Alarm.longestDays) * 86_400_000
      else { return "alarm \(offset) is too far away" }
    }
    if result.tags.count > 5 { return "too many tags" }
    if result.notes?.unicodeScalars.contains("\0") == true { return "NUL in the notes" }
    return nil
  }

  /// Escaped or quoted, a text is its own title.
  private func escaped(_ text: String) -> String? {
    let title = closedUp(text)
    var plain = QuickAdd()
    plain.language = reader.languages[0].code
    plain.title = title
    let words = text.unicodeScalars.split(whereSeparator: QuickAddCheck.isBlank)
    let escaped = words.map { "\\" + String($0) }.joined(separator: " ")
    if !isSame(reader.read(escaped), plain) { return "escaped, it is not its own title" }
    var quoted = "\"".unicodeScalars
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return isSame(reader.read(String(quoted)), plain) ? nil : "quoted, it is not its own title"
  }

  /// Whether results are equal, with titles of the same characters.
  private func isSame(_ left: QuickAdd, _ right: QuickAdd) -> Bool {
    left == right && left.title.unicodeScalars.elementsEqual(right.title.unicodeScalars)
  }
}

/// Checks one input of the fuzzer, a line of UTF-8, in each language and in all. Returns the first
/// property that it violates, as a sentence; `nil` if all hold.
package func fuzzQuickAdd(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
  let text = String(decoding: bytes, as: UTF8.self)
  // A Wednesday, and the last day but one that has a text form.
  for now in [Instant(milliseconds: 1_795_600_800_123), Instant(seconds: 253_402_200_000)] {
    for languages in QuickAddLanguage.all.map({ [$0] }) + [QuickAddLanguage.all] {
      let reader = QuickAddReader(
        languages: languages, now: now, zone: .utc,
        lists: [QuickAddList(id: 1, title: "Home"), QuickAddList(id: 2, title: "Two words")])
      if let violation = QuickAddCheck(reader).violation(by: text) {
        return "\(languages.map(\.code)): \(violation)"
      }
    }
  }
  return nil
}
