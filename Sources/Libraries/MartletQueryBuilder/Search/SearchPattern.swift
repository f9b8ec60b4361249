/// A query in FTS5's language that is always valid, whatever text it is made from.
///
/// ```swift
/// SearchPattern(allOf: ["milk", "honey"], lastIsPrefix: true)
/// // "milk" "honey"*
/// ```
/// Each word becomes an FTS5 string, in which only the quotation mark is special
/// (https://sqlite.org/fts5.html#fts5_strings).
public struct SearchPattern: Hashable, Sendable {
  /// A string, or several strings near each other, in any column or a given one. Of several texts
  /// one has to match.
  private struct Term: Hashable, Sendable {
    var texts: [String]
    var column: String?

    var alternatives: [String] {
      column.map { column in texts.map { "{\(quoted(identifier: column))} : \($0)" } } ?? texts
    }
  }

  private var terms: [Term]

  /// The query in FTS5's language.
  ///
  /// The terms are separated by spaces, not by `AND`: a term without a token, such as a punctuation
  /// mark, is then ignored, whereas with `AND` nothing would match. Spaces do not separate
  /// parentheses, so terms without alternatives are repeated in each alternative of the first term
  /// that has some.
  public var rawValue: String {
    let plain = terms.filter { $0.texts.count == 1 }.flatMap(\.alternatives)
    let others = terms.filter { $0.texts.count > 1 }.map(\.alternatives)
    guard let first = others.first else { return plain.joined(separator: " ") }
    let groups = [first.map { ([$0] + plain).joined(separator: " ") }] + others.dropFirst()
    let texts = groups.map { $0.joined(separator: " OR ") }
    return texts.count == 1 ? texts[0] : texts.map { "(\($0))" }.joined(separator: " AND ")
  }

  /// Matches rows that contain all words, in any order; `nil` if there are no words.
  ///
  /// With `lastIsPrefix` the last one may be the beginning of a word.
  public init?(allOf words: [String], lastIsPrefix: Bool = false) {
    self.init(words.filter { !$0.isEmpty }.map(Self.string))
    if lastIsPrefix { terms[terms.count - 1].texts[0] += "*" }
  }

  /// Matches rows that contain one of the phrases; `nil` if there are no words.
  ///
  /// With `isPrefix` the last word of each may be the beginning of a word.
  ///
  /// ```swift
  /// SearchPattern(anyOf: ["grey", "gray"])
  /// // "grey" OR "gray"
  /// ```
  public init?(anyOf phrases: [String], isPrefix: Bool = false) {
    let texts = phrases.filter { !$0.isEmpty }.map { Self.string($0) + (isPrefix ? "*" : "") }
    guard !texts.isEmpty else { return nil }
    terms = [Term(texts: texts)]
  }

  /// Matches rows that contain the words one after the other; `nil` if there are no words.
  public init?(phrase: String) {
    self.init(phrase.isEmpty ? [] : [Self.string(phrase)])
  }

  /// Matches rows that contain the words within `distance` tokens of each other; `nil` if there are
  /// no words.
  public init?(near words: [String], distance: Int) {
    self.init(nearAnyOf: [words], distance: distance)
  }

  /// Matches rows that contain the words of one of the lists within `distance` tokens of each
  /// other; `nil` if there are no words.
  public init?(nearAnyOf lists: [[String]], distance: Int) {
    let texts = lists.map { $0.filter { !$0.isEmpty } }.filter { !$0.isEmpty }.map {
      "NEAR(\($0.map(Self.string).joined(separator: " ")), \(max(0, distance)))"
    }
    guard !texts.isEmpty else { return nil }
    terms = [Term(texts: texts)]
  }

  /// Matches rows that match all patterns; `nil` if there are no patterns.
  public init?(allOf patterns: [SearchPattern]) {
    guard !patterns.isEmpty else { return nil }
    terms = patterns.flatMap(\.terms)
  }

  private init?(_ texts: [String]) {
    guard !texts.isEmpty else { return nil }
    terms = texts.map { Term(texts: [$0]) }
  }

  /// The pattern, restricted to a column. Terms that already have a column keep it.
  public func `in`(column: String) -> SearchPattern {
    var pattern = self
    for index in terms.indices where terms[index].column == nil {
      pattern.terms[index].column = column
    }
    return pattern
  }

  /// The text as an FTS5 string. A NUL would end the query, so it is replaced with a space.
  static func string(_ text: String) -> String {
    quoted(identifier: String(text.map { $0 == "\0" ? " " : $0 }))
  }
}
