/// A query in FTS5's language that cannot be a syntax error, whatever text it was made from.
///
/// ```swift
/// SearchPattern(allOf: ["milk", "honey"], lastIsPrefix: true)
/// // "milk" "honey"*
/// ```
/// Each word becomes an FTS5 string, in which only the quotation mark is special
/// (https://sqlite.org/fts5.html#fts5_strings).
public struct SearchPattern: Hashable, Sendable {
  /// A string, or several near each other, in any column or one.
  private struct Term: Hashable, Sendable {
    var text: String
    var column: String?

    var sql: String { column.map { "{\(quoted(identifier: $0))} : \(text)" } ?? text }
  }

  private var terms: [Term]

  /// The terms stand side by side and not with `AND`: one without a single token (a word of
  /// punctuation) is then left out, where `AND` would make the whole find nothing.
  public var rawValue: String { terms.map(\.sql).joined(separator: " ") }

  /// All words, in any order; the last one as the beginning of a word when `lastIsPrefix`. `nil` when
  /// there is no word.
  public init?(allOf words: [String], lastIsPrefix: Bool = false) {
    self.init(words.filter { !$0.isEmpty }.map(Self.string))
    if lastIsPrefix { terms[terms.count - 1].text += "*" }
  }

  /// The words one after the other. `nil` when there is no word.
  public init?(phrase: String) {
    self.init(phrase.isEmpty ? [] : [Self.string(phrase)])
  }

  /// The words within `distance` tokens of each other. `nil` when there is no word.
  public init?(near words: [String], distance: Int) {
    let words = words.filter { !$0.isEmpty }.map(Self.string)
    self.init(
      words.isEmpty ? [] : ["NEAR(\(words.joined(separator: " ")), \(max(0, distance)))"])
  }

  /// All of them. `nil` for none.
  public init?(allOf patterns: [SearchPattern]) {
    guard !patterns.isEmpty else { return nil }
    terms = patterns.flatMap(\.terms)
  }

  private init?(_ texts: [String]) {
    guard !texts.isEmpty else { return nil }
    terms = texts.map { Term(text: $0) }
  }

  /// The pattern, looked for in one column only. What was given a column before keeps that one.
  public func `in`(column: String) -> SearchPattern {
    var pattern = self
    for index in terms.indices where terms[index].column == nil {
      pattern.terms[index].column = column
    }
    return pattern
  }

  /// NUL ends a query for FTS5; it is no part of a word.
  static func string(_ text: String) -> String {
    quoted(identifier: String(text.map { $0 == "\0" ? " " : $0 }))
  }
}
