import MartletQueryBuilder

/// A parsed search text.
///
/// It consists of words (all must match; the last one matches as a prefix), `"a phrase"`, `tag:car`
/// (`tag:"two words"`), and `near:10` (the maximum distance between the words). Every text is
/// valid: what has no special meaning, such as an unmatched quotation mark or `near:` without a
/// number, is a word.
public struct SearchText: Hashable, Sendable {
  /// The maximum length of a search text in characters.
  public static let longest = 1000
  /// The maximum number of words, phrases and tags. Later ones are ignored.
  public static let mostTerms = 32

  /// The original text.
  public let source: String
  /// The words to find in titles, notes and tags.
  public private(set) var words: [String] = []
  /// The phrases to find in titles, notes and tags.
  public private(set) var phrases: [String] = []
  /// The tags that a matching reminder carries.
  public private(set) var tags: [String] = []
  /// The maximum distance between the words, in words.
  public private(set) var distance: Int?
  private(set) var lastIsPrefix = false

  /// Parses a search text. Every text is valid.
  public init(_ source: String) {
    self.source = source
    var rest = Substring(source)
    while let term = Self.next(&rest) {
      switch term {
      case .tag(let tag): tags.append(tag)
      case .near(let distance): self.distance = distance
      case .phrase(let phrase): phrases.append(phrase)
      case .word(let word):
        // A repeated word is searched for once. Its last place counts, because it may be a prefix
        // there.
        words.removeAll { $0 == word }
        words.append(word)
      }
      if words.count + phrases.count + tags.count >= SearchText.mostTerms { break }
      // A word at the end may be incomplete. A phrase, a tag or a distance at the end is complete.
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

  /// The rest after `name`, if it is not empty.
  private static func value(of name: String, _ rest: inout Substring) -> Substring? {
    guard rest.prefix(name.count).lowercased() == name else { return nil }
    let value = rest.dropFirst(name.count)
    return value.first.map { !$0.isWhitespace } == true ? value : nil
  }

  private static func quoted(_ rest: inout Substring) -> String? {
    // Compared by bytes: a quotation mark followed by a combining accent is a different
    // `Character`.
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

  /// The words and phrases as an FTS5 query; `nil` if there are no such terms.
  private var textPattern: SearchPattern? {
    var patterns: [SearchPattern] = []
    if let distance, words.count > 1,
      let near = SearchPattern(nearAnyOf: Spelling.all(of: words), distance: distance)
    {
      patterns.append(near)
    } else {
      patterns += words.enumerated().compactMap { place, word in
        let isPrefix = lastIsPrefix && place == words.count - 1
        let spellings = Spelling.all(of: word, isPrefix: isPrefix)
        // In a script without blanks, each character is a token, and no token begins with another.
        let isWhole = word.unicodeScalars.last.map(UnspacedScripts.contain) ?? false
        return SearchPattern(anyOf: spellings, isPrefix: isPrefix && !isWhole)
      }
    }
    patterns += phrases.compactMap { SearchPattern(anyOf: Spelling.all(of: $0)) }
    return SearchPattern(allOf: patterns)
  }

  /// The complete text as an FTS5 query, so that tags contribute to the rank; `nil` if the
  /// tokenizer finds no token in it.
  var pattern: SearchPattern? {
    let tags = tags.filter(Self.hasToken).compactMap {
      SearchPattern(phrase: UnspacedScripts.separated($0))?.in(column: "tags")
    }
    return SearchPattern(allOf: [textPattern].compactMap { $0 } + tags)
  }

  /// Whether the text contains no search terms.
  var isEmpty: Bool { textPattern == nil && tags.isEmpty }

  /// The search as a filter of reminders.
  func conditions(_ reminder: Reminder.TableColumns) -> [SQLQueryExpression<Bool>] {
    if isEmpty { return [SQLQueryExpression("0")] }
    var conditions = tags.map { reminder.carries($0) }
    if let textPattern {
      conditions.append(
        reminder.id.in(ReminderText.where { $0.match(textPattern) }.select(\.rowid)))
    }
    return conditions
  }

  /// The conditions that the reminder carries exactly these tags: the index finds a tag by its
  /// words only.
  func tagConditions(_ reminder: Reminder.TableColumns) -> [SQLQueryExpression<Bool>] {
    if pattern == nil { return tags.map { reminder.carries($0) } }
    return tags.map { tag in
      ReminderTag.where { $0.reminderID == reminder.id && $0.tagID == tag }.exists()
    }
  }

  /// Whether the index's tokenizer finds a token in `text`. It treats an emoji as white space
  /// (https://sqlite.org/fts5.html#unicode61_tokenizer).
  private static func hasToken(_ text: String) -> Bool {
    text.unicodeScalars.contains(where: isPartOfToken)
  }

  /// Whether the tokenizer takes a character for a part of a token.
  static func isPartOfToken(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }
}
