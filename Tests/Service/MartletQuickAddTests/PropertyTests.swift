import MartletTime
import TestSupport
import Testing

@testable import MartletQuickAdd

/// What holds for every text. Failures print the seed; `MARTLET_SEED` repeats it.
struct PropertyTests {
  private static let pieces: [QuickAddLanguage: [String]] = {
    var pieces: [QuickAddLanguage: [String]] = [:]
    for each in QuickAddCase.all {
      pieces[each.language, default: []] += each.text.split(separator: " ").map(String.init)
    }
    return pieces
  }()

  private static let characters: [String] = [
    " ", " ", "  ", "\t", "\n", "\0", "\"", "'", "\\", "#", "@", "!", "*", "/", "//", ",", ".",
    ":", ";", "-", "„", "“", "”", "«", "»", "’", "\u{301}", "\u{202E}", "\u{200D}", "\u{FE0F}",
    "\u{FEFF}", "é", "ß", "ü", "u\u{308}", "İ", "👩‍👩‍👧", "👍🏽", "𝟗", "９", "٩", "0", "9", "31",
    "99999999999",
    "(", ")", "[", "{", "&", "\u{A0}", "\u{2028}", "\u{85}", "\u{10FFFF}",
  ]

  private static let moments: [(Instant, ZoneInfo)] = {
    var moments = QuickAddCase.all.map { ($0.now, $0.zone) }
    moments += [(.earliest, .utc), (.latest, .utc), (Instant(milliseconds: .max), .utc)]
    moments.append((Instant(milliseconds: .min), .utc))
    return moments
  }()

  private func randomText(_ random: inout SeededRandom, _ language: QuickAddLanguage) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let source = random.once(in: 4) ? Self.characters : Self.pieces[language, default: []]
      guard !source.isEmpty else { continue }
      text += random.pick(source)
      if !random.once(in: 4) { text += " " }
    }
    return text
  }

  @Test func randomTexts() {
    var random = SeededRandom()
    let seed = random.seed
    for _ in 0..<Effort.rounds(400) {
      let language = random.pick(QuickAddLanguage.all)
      let (now, zone) = random.pick(Self.moments)
      let languages = random.once(in: 2) ? [language] : QuickAddLanguage.all
      let reader = QuickAddReader(
        languages: languages, now: now, zone: zone, lists: QuickAddCase.lists)
      let text = randomText(&random, language)
      if let violation = QuickAddCheck(reader).violation(by: text) {
        Issue.record(
          "seed \(seed): \(violation): \(text.debugDescription) at \(now) in \(zone)")
      }
    }
  }

  @Test(arguments: QuickAddCase.all)
  func casesKeepWhatHolds(_ each: QuickAddCase) {
    #expect(QuickAddCheck(each.reader).violation(by: each.text) == nil)
  }

  /// What a result says can be said, and reads as the same.
  @Test(arguments: QuickAddCase.all)
  func casesCanBePrinted(_ each: QuickAddCase) {
    checkRoundTrip(each.reader.read(each.text), now: each.now, zone: each.zone, each.text)
  }

  @Test func randomResultsCanBePrinted() {
    var random = SeededRandom()
    let seed = random.seed
    var printed = 0
    let rounds = Effort.rounds(200)
    for _ in 0..<rounds {
      let language = random.pick(QuickAddLanguage.all)
      let (now, zone) = random.pick(QuickAddCase.all.map { ($0.now, $0.zone) })
      let reader = QuickAddReader(
        languages: [language], now: now, zone: zone, lists: QuickAddCase.lists)
      let result = reader.read(randomText(&random, language))
      if checkRoundTrip(result, now: now, zone: zone, "seed \(seed)") { printed += 1 }
    }
    #expect(printed > rounds * 7 / 10, "seed \(seed)")
  }

  @discardableResult
  private func checkRoundTrip(
    _ result: QuickAdd, now: Instant, zone: ZoneInfo, _ comment: String
  ) -> Bool {
    guard let printed = PrintedPhrases(result, in: zone) else { return false }
    var again = QuickAddReader(now: now, zone: zone, lists: QuickAddCase.lists).read(printed.text)
    // Of a list with the title of another one, the title gives the first.
    again.spans = result.spans
    again.language = result.language
    #expect(
      again == result,
      """
      \(comment): \(printed.text)
        \(QuickAddCase.describe(result, in: zone))
        \(QuickAddCase.describe(again, in: zone))
      """)
    return true
  }

  /// Words that no table has.
  @Test func textsWithoutPhrases() {
    var random = SeededRandom()
    let words = [
      "Zebra", "kl\u{E4}ren", "u\u{308}ben", "👩‍👩‍👧", "B12", "x-y", "«ok»", "C#", "a@b", "1,5", "½",
    ]
    for _ in 0..<500 {
      let chosen = (0..<Int.random(in: 1...8, using: &random)).map { _ in random.pick(words) }
      let blanks = ["  ", " ", "\t", "\u{A0}", "\n"]
      let text = chosen.reduce("") { $0 + random.pick(blanks) + $1 }
      for language in QuickAddLanguage.all {
        let result = QuickAddReader(languages: [language], now: .epoch, zone: .utc).read(text)
        #expect(result.title == chosen.joined(separator: " "), "seed \(random.seed)")
        #expect(result.spans.isEmpty, "seed \(random.seed)")
      }
    }
  }

  /// Of dates that words such as "and" and "except" join, all are read or none is.
  @Test func joinedDatesAreReadTogether() {
    var random = SeededRandom()
    let parts: [QuickAddLanguage: [String]] = [
      .english: [
        "every 2nd", "4th thursday", "friday", "8am", "at 9", "tomorrow", "every day", "24 dec",
        "last friday", "mondays", "in 2 weeks", "on the 3rd", "every monday", "weekdays", "noon",
        "next week", "the second tuesday", "tonight", "on fri", "weekends", "every morning",
      ],
      .german: [
        "jeden 2.", "4. Donnerstag", "Freitag", "8 Uhr", "um 9", "morgen", "jeden Tag", "24.12.",
        "letzten Freitag", "montags", "in 2 Wochen", "am 3.", "jeden Montag", "werktags", "am Fr",
        "nächste Woche", "den zweiten Dienstag", "Mitternacht", "heute Abend", "jeden Morgen",
      ],
      .french: [
        "chaque 2e", "4e jeudi", "vendredi", "à 8h", "vers 9h30", "demain", "tous les jours",
        "24 décembre", "dernier vendredi", "les lundis", "dans 2 semaines", "le 3",
        "chaque lundi", "en semaine", "minuit", "la semaine prochaine", "le deuxième mardi",
        "ce soir", "chaque matin", "le 24 décembre",
      ],
    ]
    let joints: [QuickAddLanguage: [String]] = [
      .english: ["and", "or", "&", "+", "plus", "except", "but not", "excluding", "and also"],
      .german: ["und", "oder", "&", "+", "sowie", "außer", "aber nicht", "ohne", "und auch"],
      .french: ["et", "ou", "&", "+", "ainsi que", "sauf", "mais pas", "sans", "et aussi"],
    ]
    for _ in 0..<Effort.rounds(1_000) {
      let language = random.pick(QuickAddLanguage.all)
      // At the end of the calendar some of them are no dates.
      let days = Int64.random(in: 0..<2_000, using: &random)
      let now = Instant(seconds: 1_795_600_800).adding(seconds: days * 86_400)
      let phrase = (0..<Int.random(in: 1...2, using: &random)).reduce(
        random.pick(parts[language, default: []])
      ) { text, _ in
        "\(text) \(random.pick(joints[language, default: []])) "
          + random.pick(parts[language, default: []])
      }
      let reader = QuickAddReader(languages: [language], now: now, zone: .utc)
      let result = reader.read("x \(phrase)")
      #expect(
        ["x", "x \(phrase)"].contains(result.title),
        "seed \(random.seed): \(QuickAddCase.describe(result, in: .utc))")
    }
  }

  // MARK: Cost

  /// Twice the text is at most about twice the steps, whatever is repeated.
  @Test(
    arguments: [
      "a", "9", " ", "\"", " \"", "' ", " “", " „", "\\", " \\", "#", " #", " #a", " @", "@\"", "!",
      " !",
      "* ", "// ", "every ", "every mon and ", "every 1st, ", "mon, ", "every mon, tue, wed, thu, ",
      "in 9 ", "tomorrow ", "tomorrow, ", "tomorrow at 9 in the evening ", "today,", "remind me 9 ",
      "24 dec ", "every day at ", "every 1st and 2nd and 3rd from ", "jeden 1., 2. und ", "9 uhr ",
      "\u{301}", "👩‍👩‍👧", "at at 9 ", "until ", "every! ", "next ", "9:30 ", ". ", ",", "(\"",
      "in the ", "at 9 houses ", "at 9 every mon ", "every mon to fri ", "friday in 2 ", "9am to ",
      "every 2nd and ", "except ", "mon 9 ",
      "every few ", "friday or ",
    ])
  func linearTime(_ part: String) {
    for language in QuickAddLanguage.all {
      let reader = QuickAddReader(
        languages: [language], now: .epoch, zone: .utc, lists: QuickAddCase.lists)
      let once = reader.counted(String(repeating: part, count: 200)).steps
      let twice = reader.counted(String(repeating: part, count: 400)).steps
      let length = part.unicodeScalars.count * 400
      #expect(twice <= 2 * once + 5_000, "\(once) steps, and \(twice) for twice the text")
      #expect(twice <= 2 * QuickAddCheck.mostSteps * length)
    }
  }

  @Test func hugeTexts() {
    let reader = QuickAddReader(now: .epoch, zone: .utc)
    let digits = String(repeating: "9", count: 1_000_000)
    #expect(reader.read("in \(digits) days").title == "in \(digits) days")
    let letters = String(repeating: "tomorrow", count: 100_000)
    #expect(reader.read(letters).title == letters)
  }

  @Test func fuzzedCorpus() {
    for each in QuickAddCase.all.prefix(150) {
      let text = each.text
      let violation = Array(text.utf8).withUnsafeBufferPointer { fuzzQuickAdd($0) }
      #expect(violation == nil, "\(text)")
    }
    var random = SeededRandom()
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      #expect(bytes.withUnsafeBufferPointer { fuzzQuickAdd($0) } == nil, "seed \(random.seed)")
    }
  }
}
