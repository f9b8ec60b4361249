import MartletTime
import TestSupport
import Testing

@testable import MartletQuickAdd

/// No date is taken from half of a phrase. Failures print the seed; `MARTLET_SEED` repeats it.
struct HalfPhraseTests {
  /// Phrases that are whole on their own.
  private static let wholes: [QuickAddLanguage: [String]] = [
    .english: [
      "friday", "tomorrow", "9am", "at 9:30", "24 dec", "every day", "every monday", "in 2 weeks",
      "next week", "tonight", "on the 3rd", "half past three", "weekly",
    ],
    .german: [
      "Freitag", "morgen", "um 9", "9:30 Uhr", "24.12.", "jeden Tag", "jeden Montag", "in 2 Wochen",
      "nächste Woche", "heute Abend", "am 3.", "halb vier", "täglich",
    ],
    .french: [
      "vendredi", "demain", "à 9h", "vers 9h30", "24 décembre", "tous les jours", "chaque lundi",
      "dans 2 semaines", "la semaine prochaine", "ce soir", "le 3", "à quatre heures et demie",
      "les lundis",
    ],
  ]

  /// Words that change what the phrase behind them says, or join it with something else.
  private static let before: [QuickAddLanguage: [String]] = [
    .english: [
      "every", "each", "every other", "every 3rd", "every few", "except", "but not", "after",
      "since", "8am and", "monday or", "mon and", "the 3rd and", "without", "excluding",
    ],
    .german: [
      "jeden", "jede zweite", "alle paar", "außer", "aber nicht", "nach", "seit", "8 Uhr und",
      "Montag oder", "Mo und", "am 3. und", "ohne", "ausgenommen",
    ],
    .french: [
      "chaque", "un jour sur deux", "tous les", "sauf", "mais pas", "après", "depuis", "8h et",
      "lundi ou", "lun et", "le 3 et", "sans", "hormis",
    ],
  ]
  /// Words that change what a weekday behind them says.
  private static let beforeWeekdays: [QuickAddLanguage: [String]] = [
    .english: ["the second", "last", "2nd", "alternate", "previous", "next"],
    .german: ["den zweiten", "letzten", "2.", "vorigen", "nächsten", "vergangenen"],
    .french: ["le deuxième", "dernier", "2e", "un", "le", "sauf le"],
  ]
  private static let behind: [QuickAddLanguage: [String]] = [
    .english: [
      "and 8pm", "or saturday", "except sunday", "but not on mondays", "and the 4th",
      "and every tuesday", "excluding holidays", "to sunday", "through sunday", "and 15 june",
    ],
    .german: [
      "und 20 Uhr", "oder Samstag", "außer Sonntag", "aber nicht montags", "und am 4.",
      "und jeden Dienstag", "ausgenommen feiertags", "bis Sonntag", "und 15. Juni",
    ],
    .french: [
      "et 20h", "ou samedi", "sauf dimanche", "mais pas le lundi", "et le 4",
      "et chaque mardi", "sauf les jours fériés", "jusqu'à dimanche", "et 15 juin",
    ],
  ]
  private static let noise = ["Zebra", "B12", "x-y", "Knoten", "(alt)", "C#", "Lampe"]

  /// What is beside a date in the title is noise: everything that belongs to the date was read with
  /// it, or no date was read.
  @Test func nothingBesideADateBelongsToIt() {
    var random = SeededRandom()
    var dated = 0
    for _ in 0..<Effort.rounds(1_000) {
      let language = random.pick(QuickAddLanguage.all)
      func pick(_ table: [QuickAddLanguage: [String]]) -> [String] {
        random.once(in: 2) ? [random.pick(table[language, default: []])] : []
      }
      let weekday = language.said("friday", "Freitag", "vendredi")
      let phrase =
        random.once(in: 4)
        ? pick(Self.beforeWeekdays) + [weekday]
        : pick(Self.before) + [random.pick(Self.wholes[language, default: []])]
      let words =
        [random.pick(Self.noise)] + phrase + pick(Self.behind) + [random.pick(Self.noise)]
      let text = words.joined(separator: " ")
      let days = Int64.random(in: 0..<2_000, using: &random)
      let now = Instant(seconds: 1_795_600_800).adding(seconds: days * 86_400)
      let languages = random.once(in: 2) ? [language] : QuickAddLanguage.all
      let result = QuickAddReader(languages: languages, now: now, zone: .utc).read(text)
      guard result.due != nil else {
        #expect(result.title == text, "seed \(random.seed): \(text)")
        continue
      }
      dated += 1
      // An end before the due date is a title as a whole.
      let end = language.said("through sunday ", "bis Sonntag ", "jusqu'à dimanche ")
      let title =
        result.recurrence == nil ? result.title : result.title.replacing(end, with: "")
      let rest = title.split(separator: " ").map(String.init)
      #expect(
        rest.allSatisfy(Self.noise.contains),
        "seed \(random.seed): \(text) => \(QuickAddCase.describe(result, in: .utc))")
    }
    #expect(dated > 100)
  }
}
