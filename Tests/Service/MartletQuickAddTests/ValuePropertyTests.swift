import MartletTime
import TestSupport
import Testing

@testable import MartletQuickAdd

/// What is read of a recurrence is what it says: all of its days, or nothing. The days are found
/// again by going through a calendar. Failures print the seed; `MARTLET_SEED` repeats it.
struct ValuePropertyTests {
  private static let ordinals: [QuickAddLanguage: [Int: [String]]] = [
    .english: [
      1: ["1st", "first"], 2: ["2nd", "second"], 3: ["3rd", "third"], 4: ["4th", "fourth"],
      -1: ["last"],
    ],
    .german: [
      1: ["1.", "ersten"], 2: ["2.", "zweiten"], 3: ["3.", "dritten"], 4: ["4.", "vierten"],
      -1: ["letzten"],
    ],
    .french: [
      1: ["1er", "premier"], 2: ["2e", "deuxième"], 3: ["3e", "troisième"],
      4: ["4e", "quatrième"], -1: ["dernier"],
    ],
  ]
  private static let weekdays: [QuickAddLanguage: [String]] = [
    .english: ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"],
    .german: ["Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"],
    .french: ["dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"],
  ]
  private static let names = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

  /// A recurrence as it is typed, the days of its rule, and whether a date is one of them.
  private struct Sample {
    var words: String
    var days: Set<String>
    var has: (CivilDate) -> Bool
  }

  @Test func recurrencesAreReadAsTheyAreSaid() throws {
    var random = SeededRandom()
    var read = 0
    for _ in 0..<Effort.rounds(1_000) {
      let language = random.pick(QuickAddLanguage.all)
      let sample = sample(language, &random)
      let time = random.once(in: 2) ? language.said(" at 9", " um 9", " à 9h") : ""
      let exception = random.once(in: 4)
      let except = language.said(" except sunday", " außer Sonntag", " sauf dimanche")
      let text = "\(random.pick(["x ", ""]))\(sample.words)\(time)\(exception ? except : "")"
      let days = Int.random(in: 0..<2_000, using: &random)
      let today = CivilDate(daysSinceEpoch: 20_785 + days)
      // Whether today is one of them depends on the time of day.
      guard !sample.has(today) else { continue }
      let languages = random.once(in: 2) ? [language] : QuickAddLanguage.all
      let now = Instant(startOf: today).adding(seconds: 43_200)
      let result = QuickAddReader(languages: languages, now: now, zone: .utc).read(text)
      let said = "seed \(random.seed): \(text) => \(QuickAddCase.describe(result, in: .utc))"
      guard let due = result.due, !exception else {
        #expect(result.due == nil && result.title == text, "\(said)")
        continue
      }
      read += 1
      var expected = today.adding(days: 1)
      while !sample.has(expected) { expected = expected.adding(days: 1) }
      let date: CivilDate =
        switch due {
        case .day(let date): date
        case .instant(let instant): ZoneInfo.utc.time(at: instant).date
        }
      #expect(date == expected, "\(said)")
      let rule = try #require(result.recurrence).rule.description
      let list = rule.split(separator: ";").first { $0.hasPrefix("BY") }?.split(separator: "=").last
      #expect(Set((list ?? "").split(separator: ",").map(String.init)) == sample.days, "\(said)")
    }
    #expect(read > Effort.rounds(1_000) / 3)
  }

  private func sample(_ language: QuickAddLanguage, _ random: inout SeededRandom) -> Sample {
    let every = language.said("every ", "jeden ", "chaque ")
    func pick(_ all: [Int], _ least: Int = 1) -> [Int] {
      Array(all.shuffled(using: &random).prefix(Int.random(in: least...3, using: &random)))
    }
    func joined(_ words: [String]) -> String {
      let and = language.said(" and ", " und ", " et ")
      return words.dropLast().joined(separator: ", ") + (words.count > 1 ? and : "") + words.last!
    }
    let table = Self.weekdays[language, default: []]
    switch Int.random(in: 0...2, using: &random) {
    case 0:
      // One alone is a date, or every other week.
      let ordinals = pick([1, 2, 3, 4, -1], 2)
      let weekday = Int.random(in: 0...6, using: &random)
      let form = Int.random(in: 0...1, using: &random)
      let words = ordinals.map { number in
        let forms = Self.ordinals[language]?[number] ?? []
        return forms[min(form, forms.count - 1)]
      }
      return Sample(
        words: "\(every)\(joined(words)) \(table[weekday])"
          + language.said("", "", " du mois"),
        days: Set(ordinals.map { "\($0)\(Self.names[weekday])" })
      ) { date in
        let week = (date.day - 1) / 7 + 1
        let isLast = date.adding(days: 7).month != date.month
        return Self.weekday(date) == weekday
          && (ordinals.contains(week) || isLast && ordinals.contains(-1))
      }
    case 1:
      let some = pick(Array(0...6))
      return Sample(
        words: every + joined(some.map { table[$0] }), days: Set(some.map { Self.names[$0] })
      ) { some.contains(Self.weekday($0)) }
    default:
      let some = pick(Array(1...28))
      let words = some.map { number in
        guard language == .english else { return "\(number)" + language.said("", ".", "") }
        let ends = [1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"]
        return "\(number)\(ends[number] ?? "th")"
      }
      let said = language == .french ? "les \(joined(words)) de chaque mois" : every + joined(words)
      return Sample(words: said, days: Set(some.map(String.init))) {
        some.contains($0.day)
      }
    }
  }

  /// From 0 for Sunday. The first day of 1970 was a Thursday.
  private static func weekday(_ date: CivilDate) -> Int { (date.daysSinceEpoch + 4) % 7 }
}
