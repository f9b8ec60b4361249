/// The table of a language, prepared for matching.
final class Grammar: Sendable {
  let lexicon: Lexicon
  /// By the raw value of the rule.
  let trees: [PhraseTree]
  /// The values of words, by their numbers.
  let weekdays: [Int: Int]
  let shortWeekdays: [Int: Int]
  let eachWeekday: [Int: Int]
  let months: [Int: Int]
  let numbers: [Int: Int]
  let hours: [Int: Int]
  let ordinals: [Int: Int]
  let units: [Int: TimeUnit]
  let shortUnits: [Int: TimeUnit]
  let dayParts: [Int: DayPart]
  let weekdayParts: [Int: (weekday: Int, part: DayPart)]
  let and: Set<Int>
  let behindTime: Set<Int>
  let behindAlarm: [[Int]]
  let leads: [[Int]]
  /// The number of words of the shortest lead, which a date has to follow.
  var halfLead: Int { leads.last?.count ?? 0 }
  let ambiguousWeekdays: Set<Int>
  let hasCapitalNouns: Bool

  init(_ words: Words, _ phrases: [Phrase]) {
    var lexicon = Lexicon(spellings: words.spellings)
    func values<Value>(_ entries: some Sequence<(key: Value, value: String)>) -> [Int: Value] {
      var values: [Int: Value] = [:]
      for (value, texts) in entries {
        for text in texts.split(separator: " ") { values[lexicon.add(String(text))] = value }
      }
      return values
    }
    func values(_ texts: [String], from first: Int) -> [Int: Int] {
      values(texts.enumerated().map { (key: $0.offset + first, value: $0.element) })
    }
    weekdays = values(words.weekdays, from: 0)
    shortWeekdays = values(words.shortWeekdays, from: 0)
    eachWeekday = values(words.eachWeekday, from: 0)
    months = values(words.months, from: 1)
    numbers = values(words.numbers)
    hours = values(words.hours)
    ordinals = values(words.ordinals)
    units = values(words.units)
    shortUnits = values(words.shortUnits)
    dayParts = values(words.dayParts)
    var joined: [Int: (weekday: Int, part: DayPart)] = [:]
    for part in words.weekdayParts.split(separator: " ") {
      guard let value = dayParts[lexicon.add(String(part))] else { continue }
      for (weekday, names) in words.weekdays.enumerated() {
        for name in names.split(separator: " ") {
          joined[lexicon.add(String(name + part))] = (weekday, value)
        }
      }
    }
    weekdayParts = joined
    func added(_ text: String) -> [Int] {
      text.split(separator: " ").map { lexicon.add(String($0)) }
    }
    and = Set(added(words.and))
    behindTime = Set(added(words.behindTime))
    behindAlarm = words.behindAlarm.map { added($0) }
    leads = words.leads.map { added($0) }
    ambiguousWeekdays = Set(added(words.ambiguousWeekdays))
    hasCapitalNouns = words.hasCapitalNouns
    var trees = Rule.allCases.map { _ in PhraseTree() }
    for (place, phrase) in (phrases + Rule.common).enumerated() {
      for pattern in phrase.patterns.flatMap({ Pattern.all(of: $0) }) {
        trees[phrase.rule.rawValue].add(pattern, place, phrase.meaning, &lexicon)
      }
    }
    self.trees = trees
    self.lexicon = lexicon
  }
}
