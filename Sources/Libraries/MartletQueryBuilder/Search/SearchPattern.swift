/// A query in FTS5's language that is always valid, whatever text it is made from.
///
/// ```swift
/// SearchPattern(allOf: ["milk", "honey"], lastIsPrefix: true)
/// // "milk" "honey"*
/// ```
/// Each word becomes an FTS5 string, in which only the quotation mark is special
/// (https://sqlite.org/fts5.html#fts5_strings).
public struct SearchPattern: Hashable, Sendable {
  /// A string, or several strings near each other, in any column or a given one.
  private struct Term: Hashable, Sendable {
    var text: String
    var column: String?

    var sql: String { column.map { "{\(quoted(identifier: $0))} : \(text)" } ?? text }
  }

  private var terms: [Term]

  /// The query in FTS5's language.
  ///
  /// The terms are separated by spaces, not by `AND`: a term without a token, such as a punctuation
  /// mark, is then ignored, whereas with `AND` nothing would match.
  public var rawValue: String { terms.map(\.sql).joined(separator: " ") }

  /// Matches rows that contain all words, in any order; `nil` if there are no words.
  ///
  /// With `lastIsPrefix` the last one may be the beginning of a word.
  public init?(allOf words: [String], lastIsPrefix: Bool = false) {
    self.init(words.filter { !$0.isEmpty }.map(Self.string))
    if lastIsPrefix { terms[terms.count - 1].text += "*" }
  }

  /// Matches rows that contain the words one after the other; `nil` if there are no words.
  public init?(phrase: String) {
    self.init(phrase.isEmpty ? [] : [Self.string(phrase)])
  }

  /// Matches rows that contain the words within `distance` tokens of each other; `nil` if there are
  /// no words.
  public init?(near words: [String], distance: Int) {
    let words = words.filter { !$0.isEmpty }.map(Self.string)
    self.init(
      words.isEmpty ? [] : ["NEAR(\(words.joined(separator: " ")), \(max(0, distance)))"])
  }

  /// Matches rows that match all patterns; `nil` if there are no patterns.
  public init?(allOf patterns: [SearchPattern]) {
    guard !patterns.isEmpty else { return nil }
    terms = patterns.flatMap(\.terms)
  }

  private init?(_ texts: [String]) {
    guard !texts.isEmpty else { return nil }
    terms = texts.map { Term(text: $0) }
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
