/// A full-text table (https://sqlite.org/fts5.html):
/// `@Table struct ReminderText: FTS5 { let rowid: Int … }`.
///
/// Its key is `rowid`. A migration creates it with `CREATE VIRTUAL TABLE`.
public protocol FTS5: Table {}

extension TableDefinition where QueryValue: FTS5 {
  /// The relevance of a match, of which smaller values are better: `"reminderTexts"."rank"`.
  public var rank: SQLQueryExpression<Double?> {
    SQLQueryExpression(QueryFragment(column: "rank", of: qualifier))
  }
  /// Whether the row matches a query in FTS5's language: `("reminderTexts" MATCH ?)`.
  public func match(_ query: some StringProtocol) -> SQLQueryExpression<Bool> {
    match(SQLQueryExpression<String>(String(query).queryFragment))
  }
  /// Whether the row matches a pattern, which is always valid FTS5 syntax:
  /// `("reminderTexts" MATCH ?)`.
  public func match(_ pattern: SearchPattern) -> SQLQueryExpression<Bool> {
    match(pattern.rawValue)
  }
  /// Whether the row matches an expression, such as a parameter of a ``PreparedQuery``:
  /// `("reminderTexts" MATCH …)`.
  public func match(_ query: SQLQueryExpression<String>) -> SQLQueryExpression<Bool> {
    infix(searchTable(qualifier, QueryValue.tableName), "MATCH", query.queryFragment)
  }
  /// The weights of matches by column. The default is 1.
  public typealias Weights = [KeyPath<Self, TableColumn<QueryValue, String>>: Double]

  /// The relevance with the given weights: `bm25("reminderTexts", 1.0, 2.0)`.
  public func bm25(_ weights: Weights = [:]) -> SQLQueryExpression<Double> {
    let arguments = [ownTable(qualifier, QueryValue.self)] + numbers(weights)
    return SQLQueryExpression("bm25(\(arguments.joined(", ")))")
  }
  /// Sets the weights of ``rank`` for this query:
  /// `("reminderTexts"."rank" MATCH 'bm25(4.0, 1.0)')`.
  ///
  /// With this condition `.order(by: \.rank)` lets FTS5 itself sort the matches: joined tables are
  /// read only for the rows that the query returns, whereas an order by ``bm25(_:)`` reads them for
  /// every match (https://sqlite.org/fts5.html#sorting_by_auxiliary_function_results). Matches of
  /// the same rank are in the order of their `rowid`.
  ///
  /// FTS5 does not parse exponents: a weight must be 0, or at least 0.0001 and less than 10¹⁵.
  public func ranked(by weights: Weights) -> SQLQueryExpression<Bool> {
    precondition(
      weights.values.allSatisfy { $0 == 0 || (0.0001..<1e15).contains($0.magnitude) },
      "a weight must be 0, or at least 0.0001 and less than 1e15")
    let function: QueryFragment = "bm25(\(numbers(weights).joined(", ")))"
    return infix(
      QueryFragment(column: "rank", of: qualifier), "MATCH",
      QueryFragment(raw: quoted(literal: function.prepare().sql)))
  }

  /// The weights up to the last column that has one.
  private func numbers(_ weights: Weights) -> [QueryFragment] {
    var numbers: [Int: Double] = [:]
    for (column, weight) in weights { numbers[self[keyPath: column].columnIndex] = weight }
    guard let last = numbers.keys.max() else { return [] }
    return (0...last).map { QueryFragment(raw: String(numbers[$0] ?? 1)) }
  }
}

/// The left side of MATCH: the table's name. Under an alias it is the alias's hidden column of that
/// name, which tells several aliases of the table apart.
private func searchTable(_ qualifier: String, _ name: String) -> QueryFragment {
  qualifier == name ? QueryFragment(quote: name) : QueryFragment(column: name, of: qualifier)
}

/// The table as an argument of FTS5's functions: its own name, or in another schema, its hidden
/// column of that name.
private func ownTable<T: Table>(_ qualifier: String, _ table: T.Type) -> QueryFragment {
  T.schemaName == nil
    ? QueryFragment(quote: T.tableName) : QueryFragment(column: T.tableName, of: qualifier)
}

extension OuterColumns where Base.QueryValue: FTS5 {
  /// The relevance of a match, or NULL without a row: `"reminderTexts"."rank"`.
  public var rank: SQLQueryExpression<Double?> { base.rank }
  /// Whether the row matches a query in FTS5's language: `("reminderTexts" MATCH ?)`.
  public func match(_ query: some StringProtocol) -> SQLQueryExpression<Bool> { base.match(query) }
  /// Whether the row matches a pattern: `("reminderTexts" MATCH ?)`.
  public func match(_ pattern: SearchPattern) -> SQLQueryExpression<Bool> { base.match(pattern) }
  /// The relevance with the given weights: `bm25("reminderTexts", 1.0, 2.0)`.
  public func bm25(_ weights: Base.Weights = [:]) -> SQLQueryExpression<Double> {
    base.bm25(weights)
  }
}

extension TableColumn where Root: FTS5, QueryValue.Unwrapped == String {
  /// The text with each match between `before` and `after`: `highlight("reminderTexts", 2, ?, ?)`.
  public func highlight(_ before: String, _ after: String) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(
      """
      highlight(\(ownTable(qualifier, Root.self)), \(raw: String(columnIndex)), \(bind: before), \
      \(bind: after))
      """
    )
  }
  /// The best excerpt of at most `tokens` tokens (1…64): `snippet("reminderTexts", 1, ?, ?, ?, ?)`.
  ///
  /// Matches are between `before` and `after`; `ellipsis` marks text that is left out.
  public func snippet(
    _ before: String, _ after: String, _ ellipsis: String, _ tokens: Int
  ) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(
      """
      snippet(\(ownTable(qualifier, Root.self)), \(raw: String(columnIndex)), \(bind: before), \
      \(bind: after), \(bind: ellipsis), \(bind: tokens))
      """)
  }
  /// Whether this column contains the words of `text`, one after the other:
  /// `("reminderTexts" MATCH 'title:"x"')`.
  ///
  /// `text` is never interpreted as FTS5 syntax; pass that to the table's ``match(_:)``.
  public func match(_ text: some StringProtocol) -> SQLQueryExpression<Bool> {
    let column =
      columnName.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      ? columnName : quoted(identifier: columnName)
    return infix(
      searchTable(qualifier, Root.tableName), "MATCH",
      "\(column):\(SearchPattern.string(String(text)))".queryFragment)
  }
  /// Whether this column matches a pattern: `("reminderTexts" MATCH ?)`.
  public func match(_ pattern: SearchPattern) -> SQLQueryExpression<Bool> {
    infix(
      searchTable(qualifier, Root.tableName), "MATCH",
      pattern.in(column: columnName).rawValue.queryFragment)
  }
}
