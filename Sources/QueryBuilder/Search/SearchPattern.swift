/// A query in FTS5's language that cannot be a syntax error, whatever text it was made from.
///
/// ```swift
/// SearchPattern(allOf: ["milk", "honey"], lastIsPrefix: true)
/// // "milk" "honey"*
/// ```
/// Each word becomes an FTS5 string, in which only the quotation mark is special
/// (https://sqlite.org/fts5.html#fts5_strings).
public struct SearchPattern: Hashable, Sendable {
  public let rawValue: String

  /// All words, in any order; the last one as the beginning of a word when `lastIsPrefix`. `nil` when
  /// there is no word.
  public init?(allOf words: [String], lastIsPrefix: Bool = false) {
    let terms = words.filter { !$0.isEmpty }.map(Self.string)
    guard !terms.isEmpty else { return nil }
    rawValue = terms.joined(separator: " ") + (lastIsPrefix ? "*" : "")
  }

  /// The words one after the other. `nil` when there is no word.
  public init?(phrase: String) {
    guard !phrase.isEmpty else { return nil }
    rawValue = Self.string(phrase)
  }

  /// The terms within `distance` tokens of each other. `nil` when there is no term.
  public init?(near terms: [String], distance: Int) {
    let terms = terms.filter { !$0.isEmpty }.map(Self.string)
    guard !terms.isEmpty else { return nil }
    rawValue = "NEAR(\(terms.joined(separator: " ")), \(max(0, distance)))"
  }

  /// The pattern, looked for in one column only.
  public func `in`(column: String) -> SearchPattern {
    SearchPattern(checked: "{\(quoted(identifier: column))} : (\(rawValue))")
  }

  /// All of them. Side by side and not with `AND`: a pattern without a single token (a word of
  /// punctuation) is then left out, where `AND` would make the whole find nothing. `nil` for none.
  public init?(allOf patterns: [SearchPattern]) {
    guard !patterns.isEmpty else { return nil }
    rawValue = patterns.map(\.rawValue).joined(separator: " ")
  }

  private init(checked: String) { rawValue = checked }

  /// NUL ends a query for FTS5; it is no part of a word.
  private static func string(_ text: String) -> String {
    quoted(identifier: String(text.map { $0 == "\0" ? " " : $0 }))
  }
}
