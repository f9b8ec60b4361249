/// A full-text table (https://sqlite.org/fts5.html): `@Table struct ReminderText: FTS5 { let rowid: Int … }`.
/// Its key is `rowid`; it is created by a migration's SQL.
public protocol FTS5: Table {}

extension TableDefinition where QueryValue: FTS5 {
  /// The relevance of a match: smaller is better.
  public var rank: SQLQueryExpression<Double?> {
    SQLQueryExpression(QueryFragment(column: "rank", of: qualifier))
  }
  /// `("reminderTexts" MATCH 'take OR apple')`, in FTS5's query language.
  public func match(_ query: some StringProtocol) -> SQLQueryExpression<Bool> {
    infix(QueryFragment(quote: qualifier), "MATCH", String(query).queryFragment)
  }
  /// As ``match(_:)``, with a pattern that is FTS5 syntax for certain.
  public func match(_ pattern: SearchPattern) -> SQLQueryExpression<Bool> {
    match(pattern.rawValue)
  }
  /// The relevance with a weight for each column that differs from 1.
  public func bm25(
    _ weights: [KeyPath<Self, TableColumn<QueryValue, String>>: Double] = [:]
  ) -> SQLQueryExpression<Double> {
    var numbers: [Int: Double] = [:]
    for (column, weight) in weights { numbers[self[keyPath: column].index] = weight }
    guard let last = numbers.keys.max() else {
      return SQLQueryExpression("bm25(\(quote: qualifier))")
    }
    let list = (0...last).map { QueryFragment(raw: String(numbers[$0] ?? 1)) }
    return SQLQueryExpression("bm25(\(quote: qualifier), \(list.joined(", ")))")
  }
}

extension TableColumn where Root: FTS5, QueryValue == String {
  /// The text with each match between `before` and `after`.
  public func highlight(_ before: String, _ after: String) -> SQLQueryExpression<String> {
    SQLQueryExpression(
      "highlight(\(quote: qualifier), \(raw: String(index)), \(bind: before), \(bind: after))")
  }
  /// The best fragment of the text, of at most `tokens` tokens (1…64).
  public func snippet(
    _ before: String, _ after: String, _ ellipsis: String, _ tokens: Int
  ) -> SQLQueryExpression<String> {
    SQLQueryExpression(
      """
      snippet(\(quote: qualifier), \(raw: String(index)), \(bind: before), \(bind: after), \
      \(bind: ellipsis), \(bind: tokens))
      """)
  }
  /// A match in this column only: `("reminderTexts" MATCH '{"title"} : (x)')`.
  public func match(_ query: some StringProtocol) -> SQLQueryExpression<Bool> {
    infix(
      QueryFragment(quote: qualifier), "MATCH",
      "{\(quoted(identifier: name))} : (\(query))".queryFragment)
  }
}
