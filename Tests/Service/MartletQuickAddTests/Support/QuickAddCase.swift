import MartletQuickAdd
import MartletTime
import TestSupport
import Testing

/// A line of a file in `Cases`: a text, and what is read from it.
struct QuickAddCase: CustomTestStringConvertible {
  let file: String
  let line: Int
  let language: QuickAddLanguage
  let now: Instant
  let zone: ZoneInfo
  let text: String
  let expected: String

  var testDescription: String { "\(file):\(line) \(text)" }

  /// The lists that texts can name.
  static let lists = [
    QuickAddList(id: 1, title: "Home"), QuickAddList(id: 2, title: "Shopping"),
    QuickAddList(id: 3, title: "Two words"), QuickAddList(id: 4, title: "Work"),
    QuickAddList(id: 5, title: "Workshop"), QuickAddList(id: 6, title: "Büro"),
    QuickAddList(id: 7, title: "Work"),
  ]

  /// The result in one line.
  func result() -> String {
    QuickAddCase.describe(reader.read(text), in: zone)
  }

  var reader: QuickAddReader { reader([language]) }

  func reader(_ languages: [QuickAddLanguage]) -> QuickAddReader {
    QuickAddReader(languages: languages, now: now, zone: zone, lists: QuickAddCase.lists)
  }

  static func describe(_ result: QuickAdd, in zone: ZoneInfo) -> String {
    var parts = [result.title]
    if let due = result.due { parts.append("due " + show(due, in: zone)) }
    if let recurrence = result.recurrence {
      parts.append("rule " + recurrence.rule.description)
      if recurrence.basis != .due { parts.append("basis " + recurrence.basis.rawValue) }
    }
    for alarm in result.alarms ?? [] {
      switch alarm {
      case .at(let instant): parts.append("alarm " + show(.instant(instant), in: zone))
      case .offset(let offset): parts.append("alarm " + offset.description)
      }
    }
    if result.alarms == [] { parts.append("no alarms") }
    if let list = result.listID { parts.append("list \(list)") }
    parts += result.tags.map { "tag " + $0 }
    if let priority = result.priority { parts.append("priority " + priority.rawValue) }
    if result.isFlagged { parts.append("flag") }
    if let notes = result.notes { parts.append("notes " + notes) }
    return parts.joined(separator: " | ")
  }

  private static func show(_ occurrence: Occurrence, in zone: ZoneInfo) -> String {
    switch occurrence {
    case .day(let date): return date.description
    case .instant(let instant):
      let time = zone.time(at: instant)
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      let seconds = time.second == 0 ? "" : ":" + two(time.second)
      return "\(time.date) \(two(time.hour)):\(two(time.minute))\(seconds)"
    }
  }
}

extension QuickAddCase {
  /// Zones that do not depend on the machine.
  static let zones = ZoneDatabase(
    directory: Repository.root + "/Tests/Libraries/MartletTimeTests/Cases/zoneinfo")

  /// The cases of all files. A file that cannot be read gives none, and the number is tested.
  static let all: [QuickAddCase] =
    cases(in: "en.txt", .english) + cases(in: "de.txt", .german) + cases(in: "fr.txt", .french)
    + everyday

  /// What people type: 100 texts in each language, with results that were worked out by hand before
  /// they were read for the first time.
  static let everyday: [QuickAddCase] =
    cases(in: "en-everyday.txt", .english) + cases(in: "de-everyday.txt", .german)

  /// Texts that are read in both languages. Their own language means nothing.
  static let bilingual =
    cases(in: "both.txt", .english) + cases("quick-add.md", documentedLines("both"), .english)

  private static func cases(in file: String, _ language: QuickAddLanguage) -> [QuickAddCase] {
    cases(file, lines(of: "Tests/Service/MartletQuickAddTests/Cases/\(file)"), language)
  }

  /// The examples of `docs/quick-add.md`: the blocks of code whose language is `quick-add`.
  static let documented = QuickAddLanguage.all.flatMap {
    cases("quick-add.md", documentedLines($0.code), $0)
  }

  /// The lines of the blocks for a language. All others are empty, so that the numbers of lines are
  /// those of the page.
  private static func documentedLines(_ language: String) -> [Substring] {
    var isInside = false
    return lines(of: "docs/quick-add.md").map { line in
      if line.hasPrefix("```") { isInside = line == "```quick-add \(language)" }
      return isInside && !line.hasPrefix("```") ? line : ""
    }
  }

  private static func lines(of file: String) -> [Substring] {
    guard let content = try? Repository.text(file) else { return [] }
    return content.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func cases(
    _ file: String, _ lines: [Substring], _ language: QuickAddLanguage
  ) -> [QuickAddCase] {
    var context = moment("2026-11-25 10:00 Europe/Vienna")
    var cases: [QuickAddCase] = []
    for (number, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      var line = line
      var own: (now: Instant, zone: ZoneInfo)?
      if line.first == "[", let end = line.firstIndex(of: "]") {
        own = moment(line[line.index(after: line.startIndex)..<end])
        line = line[line.index(after: end)...].drop { $0 == " " }
        if line.isEmpty { context = own }
      }
      guard let (now, zone) = own ?? context,
        let arrow = line.range(of: " => ") ?? line.range(of: " =>", options: .anchored)
      else { continue }
      cases.append(
        QuickAddCase(
          file: file, line: number + 1, language: language, now: now, zone: zone,
          text: unescaped(line[..<arrow.lowerBound]),
          expected: unescaped(line[arrow.upperBound...])))
    }
    return cases
  }

  /// `2026-11-25 10:00 Europe/Vienna`.
  private static func moment(_ text: Substring) -> (now: Instant, zone: ZoneInfo)? {
    let words = text.split(separator: " ")
    guard words.count == 3, let date = CivilDate(String(words[0])),
      let zone = try? zones.zone(named: String(words[2]))
    else { return nil }
    let fields = words[1].split(separator: ":").compactMap { Int($0) }
    guard fields.count >= 2,
      let time = CivilTime(
        date: date, hour: fields[0], minute: fields[1], second: fields.count > 2 ? fields[2] : 0)
    else { return nil }
    return (zone.instant(of: time), zone)
  }

  /// Replaces `<U+0308>` by the character.
  private static func unescaped(_ text: Substring) -> String {
    var parts = text.split(separator: "<U+", omittingEmptySubsequences: false).map(String.init)[...]
    var result = parts.popFirst() ?? ""
    for part in parts {
      let pieces = part.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false)
      if pieces.count == 2, let value = UInt32(pieces[0], radix: 16),
        let scalar = Unicode.Scalar(value)
      {
        result.unicodeScalars.append(scalar)
        result += pieces[1]
      } else {
        result += "<U+" + part
      }
    }
    return result
  }
}

extension QuickAddLanguage {
  /// The words of this language.
  func said(_ english: String, _ german: String, _ french: String) -> String {
    switch self {
    case .english: english
    case .german: german
    case .french: french
    default: preconditionFailure("no words in \(code)")
    }
  }
}
