import MartletQueryBuilder

/// What a person typed into a search field, understood.
///
/// Words (all must match, the last one as the beginning of a word), `"a phrase"`, `tag:car`
/// (`tag:"two words"`), and `near:10` (the words within that distance). Nothing a person can type
/// is an error; what has no meaning (a quotation mark without its twin, `near:` without a number)
/// is a word like others.
public struct SearchText: Hashable, Sendable {
  public static let longest = 1000
  /// What comes behind so many words, phrases and tags is not looked for.
  public static let mostTerms = 32

  /// As typed.
  public let source: String
  /// Looked for in titles, notes and tags.
  public private(set) var words: [String] = []
  public private(set) var phrases: [String] = []
  /// Carried by the reminder.
  public private(set) var tags: [String] = []
  /// How far apart the words may be, in words.
  public private(set) var distance: Int?
  private(set) var lastIsPrefix = false

  public init(_ source: String) {
    self.source = source
    var rest = Substring(source)
    while let term = Self.next(&rest) {
      switch term {
      case .tag(let tag): tags.append(tag)
      case .near(let distance): self.distance = distance
      case .phrase(let phrase): phrases.append(phrase)
      case .word(let word):
        // Said twice it is looked for once; the last place counts, because it may be a prefix.
        words.removeAll { $0 == word }
        words.append(word)
      }
      if words.count + phrases.count + tags.count >= SearchText.mostTerms { break }
      // A last word is still being typed; a last phrase, tag or distance is complete.
      if case .word = term { lastIsPrefix = true } else { lastIsPrefix = false }
    }
    lastIsPrefix = lastIsPrefix && rest.isEmpty && source.last?.isWhitespace == false
  }

  private enum Term {
    case word(String)
    case phrase(String)
    case tag(String)
    case near(Int)
  }

  private static func next(_ rest: inout Substring) -> Term? {
    rest = rest.drop(while: \.isWhitespace)
    guard !rest.isEmpty else { return nil }
    if let phrase = quoted(&rest) { return .phrase(phrase) }
    if let value = value(of: "tag:", &rest) {
      rest = value
      if let phrase = quoted(&rest) { return .tag(phrase) }
      return .tag(word(&rest))
    }
    if let value = value(of: "near:", &rest) {
      let digits = value.prefix { !$0.isWhitespace }
      if let distance = Int(digits), (0...1_000_000).contains(distance) {
        rest = value.dropFirst(digits.count)
        return .near(distance)
      }
    }
    return .word(word(&rest))
  }

  /// What follows `name`, where something does.
  private static func value(of name: String, _ rest: inout Substring) -> Substring? {
    guard rest.prefix(name.count).lowercased() == name else { return nil }
    let value = rest.dropFirst(name.count)
    return value.first.map { !$0.isWhitespace } == true ? value : nil
  }

  private static func quoted(_ rest: inout Substring) -> String? {
    // By bytes: to Swift's `Character` a quotation mark with an accent behind it is none.
    let mark = UInt8(ascii: "\"")
    guard rest.utf8.first == mark else { return nil }
    let inside = rest.utf8.dropFirst()
    guard let end = inside.firstIndex(of: mark), end > inside.startIndex else { return nil }
    rest = Substring(inside[inside.index(after: end)...])
    return String(Substring(inside[..<end]))
  }

  private static func word(_ rest: inout Substring) -> String {
    let word = rest.prefix { !$0.isWhitespace }
    rest = rest.dropFirst(word.count)
    return String(word)
  }

  /// Words and phrases as a query of FTS5's, `nil` where there are none.
  private var textPattern: SearchPattern? {
    var patterns: [SearchPattern] = []
    if let distance, words.count > 1,
      let near = SearchPattern(near: words, distance: distance)
    {
      patterns.append(near)
    } else if let all = SearchPattern(allOf: words, lastIsPrefix: lastIsPrefix) {
      patterns.append(all)
    }
    patterns += phrases.compactMap { SearchPattern(phrase: $0) }
    return SearchPattern(allOf: patterns)
  }

  /// All of it as a query of FTS5's, so that tags count for the rank too. `nil` where there is
  /// nothing that the index knows.
  var pattern: SearchPattern? {
    let tags = tags.filter(Self.hasToken).compactMap {
      SearchPattern(phrase: $0)?.in(column: "tags")
    }
    return SearchPattern(allOf: [textPattern].compactMap { $0 } + tags)
  }

  /// Whether anything is asked for.
  var isEmpty: Bool { textPattern == nil && tags.isEmpty }

  /// As a filter of reminders.
  func conditions(_ reminder: Reminder.TableColumns) -> [SQLQueryExpression<Bool>] {
    if isEmpty { return [SQLQueryExpression("0")] }
    var conditions = tags.map { reminder.carries($0) }
    if let textPattern {
      conditions.append(
        reminder.id.in(ReminderText.where { $0.match(textPattern) }.select(\.rowid)))
    }
    return conditions
  }

  /// The index finds a tag by its words; this says that it is the whole tag.
  func tagConditions(_ reminder: Reminder.TableColumns) -> [SQLQueryExpression<Bool>] {
    if pattern == nil { return tags.map { reminder.carries($0) } }
    return tags.map { tag in
      ReminderTag.where { $0.reminderID == reminder.id && $0.tagID == tag }.exists()
    }
  }

  /// Whether the index's tokenizer finds something in `text`: to it an emoji is white space
  /// (https://sqlite.org/fts5.html#unicode61_tokenizer).
  private static func hasToken(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber, .letterNumber, .otherNumber, .privateUse:
        true
      default: false
      }
    }
  }
}
