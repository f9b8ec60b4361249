import MartletTime
import Testing

@testable import MartletQuickAdd

/// Each pattern of the tables is understood as a whole, so that no row is dead or misspelt.
struct TableTests {
  private struct Sample: CustomTestStringConvertible {
    let language: QuickAddLanguage
    let rule: Rule
    let meaning: Meaning
    let text: String

    var testDescription: String { "\(language.code) \(rule): \(text)" }
  }

  private static let samples = allSamples.filter { $0.rule != .item && $0.rule != .doubt }

  private static let allSamples: [Sample] =
    samples(.english, QuickAddLanguage.englishWords, QuickAddLanguage.englishPhrases)
    + samples(.german, QuickAddLanguage.germanWords, QuickAddLanguage.germanPhrases)
    + samples(.french, QuickAddLanguage.frenchWords, QuickAddLanguage.frenchPhrases)

  private static func samples(
    _ language: QuickAddLanguage, _ words: Words, _ phrases: [Phrase]
  ) -> [Sample] {
    phrases.flatMap { phrase in
      phrase.patterns.flatMap { Pattern.all(of: $0) }.map { pattern in
        var text = ""
        var weekdays = 0
        for (gap, element) in pattern.elements {
          if gap != .nothing, !text.isEmpty { text += " " }
          switch element {
          case .word(let word): text += word
          case .number(let number): text += "\(number)"
          case .symbol(let symbol): text.unicodeScalars.append(symbol)
          case .slot(let slot):
            if [.weekday, .anyWeekday, .plainWeekday, .eachWeekday].contains(slot) {
              weekdays += 1
            }
            text += sample(of: slot, in: language, words, phrase.meaning, isSecond: weekdays > 1)
          }
        }
        return Sample(language: language, rule: phrase.rule, meaning: phrase.meaning, text: text)
      }
    }
  }

  /// A text that a slot takes. 24 December 2026 is a Thursday.
  private static func sample(
    of slot: Slot, in language: QuickAddLanguage, _ words: Words, _ meaning: Meaning,
    isSecond: Bool
  ) -> String {
    func first(_ words: String?) -> String {
      words?.split(separator: " ").first.map(String.init) ?? "?"
    }
    switch slot {
    case .number: return "2"
    case .hour: return "9"
    case .hourWord: return first(words.hours[9])
    case .minute: return "30"
    case .dayNumber: return "24"
    case .monthNumber, .two: return "12"
    case .year, .fullYear: return "2027"
    case .shortYear: return "27"
    case .weekday: return first(words.weekdays[4])
    case .anyWeekday, .plainWeekday, .weekdays: return first(words.shortWeekdays[isSecond ? 6 : 4])
    case .shortWeekday: return first(words.shortWeekdays[4])
    case .weekdayPart: return first(words.weekdays[4]) + first(words.weekdayParts)
    case .eachWeekday, .eachWeekdays: return first(words.eachWeekday[isSecond ? 6 : 4])
    case .month: return first(words.months[11])
    case .unit, .shortUnit:
      let unit: TimeUnit
      switch meaning {
      case .dueIn, .alarmIn,
        .alarmBefore where slot == .shortUnit:
        unit = .hour
      default: unit = .week
      }
      return first(slot == .unit ? words.units[unit] : words.shortUnits[unit])
    case .dayPart: return first(words.dayParts[.afternoon])
    case .ordinalWord: return first(words.ordinals[3])
    case .completion: return "!"
    case .rule(.ordinal), .rule(.monthDay), .ordinals, .monthDays:
      switch language {
      case .english: return "3rd"
      case .german: return "3."
      default: return [.rule(.monthDay), .monthDays].contains(slot) ? "3" : "3e"
      }
    case .rule(.clock): return "9:30"
    case .rule(.moment), .rule(.time): return language.said("at 9:30", "um 9:30", "à 9:30")
    case .rule(.date), .rule(.day), .rule(.item): return "2026-12-24"
    case .rule(.every): return language.said("every day", "jeden tag", "chaque jour")
    case .rule: return "?"
    }
  }

  /// A word with two values would have either of them.
  @Test(arguments: [
    QuickAddLanguage.englishWords, QuickAddLanguage.germanWords, QuickAddLanguage.frenchWords,
  ])
  func wordsHaveOneValue(_ words: Words) {
    let slots: [[String]] = [
      words.weekdays + words.shortWeekdays, words.eachWeekday, words.months,
      Array(words.numbers.values), Array(words.hours.values), Array(words.ordinals.values),
      Array(words.units.values), Array(words.shortUnits.values), Array(words.dayParts.values),
    ]
    for texts in slots {
      let all = texts.flatMap { $0.split(separator: " ") }
      #expect(Set(all).count == all.count)
    }
  }

  /// They are no phrases of their own, and too many to be cases.
  @Test func doubtsAreMatched() {
    let calendar = PhraseCalendar(now: Instant(seconds: 1_795_600_800), zone: .utc)
    for sample in Self.allSamples where sample.rule == .item || sample.rule == .doubt {
      let grammar = sample.language.grammar
      let tokens = ScannedText(sample.text, grammar.lexicon).tokens
      var matcher = PhraseMatcher(tokens, grammar, calendar)
      let ends = matcher.matches(sample.rule, at: 0).map(\.end)
      #expect(ends.contains(tokens.count), "\(sample.testDescription)")
    }
  }

  @Test(arguments: samples)
  private func isUnderstood(_ sample: Sample) throws {
    let reader = QuickAddReader(
      languages: [sample.language], now: Instant(seconds: 1_795_600_800), zone: .utc)
    let every = sample.language.said("every day", "jeden tag", "chaque jour")
    var text = sample.text
    var kind = QuickAdd.Span.Kind.due
    var title = "x"
    switch sample.rule {
    case .ordinal, .monthDay:
      let french =
        sample.rule == .monthDay ? "le \(text) de chaque mois" : "chaque \(text) jour"
      text = sample.language.said("every \(text) of june", "jeden \(text) tag", french)
      kind = .recurrence
    case .time: text = "2026-12-24 \(text)"
    case .alarm:
      text = sample.language.said("today ", "heute ", "aujourd'hui ") + text
      kind = .alarm
    case .end:
      text = "\(every) \(text)"
      kind = .recurrence
    case .every, .recurrence: kind = .recurrence
    case .mark: if case .noAlarms = sample.meaning { kind = .alarm } else { kind = .priority }
    case .text: title = "x \(text)"
    case .clock, .moment, .date, .day, .item, .doubt, .due: break
    }
    let result = reader.read("x \(text)")
    #expect(result.title == title, "\(result)")
    if sample.rule != .text { #expect(result.spans.last?.kind == kind, "\(result)") }
  }
}

/// Each line of the files in `Cases`, and each example of `docs/quick-add.md`, is read as it says.
struct CaseTests {
  @Test func numbers() {
    #expect(QuickAddCase.all.filter { $0.language == .english }.count >= 500)
    #expect(QuickAddCase.all.filter { $0.language == .german }.count >= 200)
    #expect(QuickAddCase.all.filter { $0.language == .french }.count >= 200)
    #expect(QuickAddCase.everyday.count == 200 && QuickAddCase.bilingual.count >= 20)
    #expect(QuickAddCase.documented.count >= 60)
  }

  @Test(arguments: QuickAddCase.all + QuickAddCase.documented)
  func reads(_ each: QuickAddCase) {
    let result = each.result()
    #expect(
      result == each.expected,
      """
      \(each.file):\(each.line): \(each.text)
        expected: \(each.expected)
        read:     \(result)
      """)
  }
}
