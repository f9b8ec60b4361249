import MartletQuickAdd
import TestSupport
import Testing

/// A text is read in the language that understands more of it.
struct LanguageTests {
  /// What is read otherwise in both languages than in its own: the text of a case, and the result.
  /// The first ones are dates of the other language; the last one is a date that both leave half.
  private static let inBoth = [
    "Party 24.12.": "Party | due 2026-12-24", "Tomorrow": " | due 2026-11-26",
    "Vacation 24 Dec until 1 Jan": "Vacation 24 Dec until 1 Jan",
  ]

  /// What is left whole if the other language is the likelier one.
  private static let unlikely: Set = [
    "Run daily", "Run weekly", "Run monthly", "Run daily!", "Termin Do 17:00",
    "Blutabnahme Di 7:30 nüchtern", "Nachhilfe Mathe Mo 16:30",
  ]

  private static func languages(likeliest language: QuickAddLanguage) -> [QuickAddLanguage] {
    [language] + QuickAddLanguage.all.filter { $0 != language }
  }

  private func check(
    _ each: QuickAddCase, likeliest language: QuickAddLanguage, _ expected: String
  ) {
    let reader = each.reader(Self.languages(likeliest: language))
    let result = QuickAddCase.describe(reader.read(each.text), in: each.zone)
    #expect(result == expected, "\(each.file):\(each.line): \(each.text), \(language.code) first")
    #expect(QuickAddCheck(reader).violation(by: each.text) == nil)
  }

  @Test(arguments: QuickAddCase.all + QuickAddCase.documented)
  func isReadAsInItsOwn(_ each: QuickAddCase) {
    let expected = Self.inBoth[each.text] ?? each.expected
    for language in QuickAddLanguage.all {
      let isUnlikely =
        language != each.language && Self.unlikely.contains(each.text)
        && [language, each.language].contains(.german)
      check(each, likeliest: language, isUnlikely ? each.text : expected)
    }
  }

  @Test(arguments: QuickAddCase.bilingual)
  func isReadInBoth(_ each: QuickAddCase) {
    for language in QuickAddLanguage.all { check(each, likeliest: language, each.expected) }
  }

  @Test func theResultSaysWhichOneItWas() {
    let reader = QuickAddReader(
      languages: [.english, .german], now: .epoch, zone: .utc, lists: QuickAddCase.lists)
    #expect(reader.read("Mama anrufen morgen").language == "de")
    #expect(reader.read("Call mum tomorrow").language == "en")
    #expect(reader.read("Milk #home").language == "en")
    let other = QuickAddReader(languages: [.german, .english], now: .epoch, zone: .utc)
    #expect(other.read("Milk").language == "de")
    #expect(other.read("Milk tomorrow").language == "en")
    #expect(QuickAddReader(languages: [], now: .epoch, zone: .utc).languages == [.english])
  }
}
