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
    match(SQLQueryExpression<String>(String(query).queryFragment))
  }
  /// As ``match(_:)``, with a pattern that is FTS5 syntax for certain.
  public func match(_ pattern: SearchPattern) -> SQLQueryExpression<Bool> {
    match(pattern.rawValue)
  }
  /// As ``match(_:)``, with what is known when the query is run (``PreparedQuery``).
  public func match(_ query: SQLQueryExpression<String>) -> SQLQueryExpression<Bool> {
    infix(searchTable(qualifier, QueryValue.tableName), "MATCH", query.queryFragment)
  }
  /// What a match in a column counts, where that differs from 1.
  public typealias Weights = [KeyPath<Self, TableColumn<QueryValue, String>>: Double]

  /// The relevance with a weight for each column that differs from 1.
  public func bm25(_ weights: Weights = [:]) -> SQLQueryExpression<Double> {
    let arguments = [ownTable(qualifier, QueryValue.self)] + numbers(weights)
    return SQLQueryExpression("bm25(\(arguments.joined(", ")))")
  }
  /// Says what ``rank`` is in this query: `("reminderTexts"."rank" MATCH 'bm25(4.0, 1.0)')`.
  ///
  /// With it `.order(by: \.rank)` has FTS5 itself sort the matches: tables that are joined are read for the rows that are
  /// asked for, where the order by ``bm25(_:)`` reads them for each match
  /// (https://sqlite.org/fts5.html#sorting_by_auxiliary_function_results). Matches of one rank come by `rowid`.
  ///
  /// FTS5 reads no exponents: a weight other than 0 is at least 0.0001, and less than 10¹⁵.
  public func ranked(by weights: Weights) -> SQLQueryExpression<Bool> {
    precondition(
      weights.values.allSatisfy { $0 == 0 || (0.0001..<1e15).contains($0.magnitude) },
      "a weight is at least 0.0001 and less than 1e15")
    let function: QueryFragment = "bm25(\(numbers(weights).joined(", ")))"
    return infix(
      QueryFragment(column: "rank", of: qualifier), "MATCH",
      QueryFragment(raw: quoted(literal: function.prepare().sql)))
  }

  /// The columns' weights, as far as one differs from 1.
  private func numbers(_ weights: Weights) -> [QueryFragment] {
    var numbers: [Int: Double] = [:]
    for (column, weight) in weights { numbers[self[keyPath: column].columnIndex] = weight }
    guard let last = numbers.keys.max() else { return [] }
    return (0...last).map { QueryFragment(raw: String(numbers[$0] ?? 1)) }
  }
}

/// The table of a MATCH. FTS5's functions know it by its own name, also where the query gives it another
/// one; its hidden column of that name tells several apart.
private func searchTable(_ qualifier: String, _ name: String) -> QueryFragment {
  qualifier == name ? QueryFragment(quote: name) : QueryFragment(column: name, of: qualifier)
}

/// The table as its functions take it: by its own name, which in another schema is its hidden column's.
private func ownTable<T: Table>(_ qualifier: String, _ table: T.Type) -> QueryFragment {
  T.schemaName == nil
    ? QueryFragment(quote: T.tableName) : QueryFragment(column: T.tableName, of: qualifier)
}

extension OuterColumns where Base.QueryValue: FTS5 {
  public var rank: SQLQueryExpression<Double?> { base.rank }
  public func match(_ query: some StringProtocol) -> SQLQueryExpression<Bool> { base.match(query) }
  public func match(_ pattern: SearchPattern) -> SQLQueryExpression<Bool> { base.match(pattern) }
  public func bm25(_ weights: Base.Weights = [:]) -> SQLQueryExpression<Double> {
    base.bm25(weights)
  }
}

extension TableColumn where Root: FTS5, QueryValue.Unwrapped == String {
  /// The text with each match between `before` and `after`.
  public func highlight(_ before: String, _ after: String) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(
      """
      highlight(\(ownTable(qualifier, Root.self)), \(raw: String(columnIndex)), \(bind: before), \
      \(bind: after))
      """
    )
  }
  /// The best fragment of the text, of at most `tokens` tokens (1…64).
  public func snippet(
    _ before: String, _ after: String, _ ellipsis: String, _ tokens: Int
  ) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(
      """
      snippet(\(ownTable(qualifier, Root.self)), \(raw: String(columnIndex)), \(bind: before), \
      \(bind: after), \(bind: ellipsis), \(bind: tokens))
      """)
  }
  /// The words of `text`, one after the other, in this column: `("reminderTexts" MATCH 'title:"x"')`.
  /// Whatever the text holds, it is no syntax; FTS5's own goes to the table's ``match(_:)``.
  public func match(_ text: some StringProtocol) -> SQLQueryExpression<Bool> {
    let column =
      columnName.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      ? columnName : quoted(identifier: columnName)
    return infix(
      searchTable(qualifier, Root.tableName), "MATCH",
      "\(column):\(SearchPattern.string(String(text)))".queryFragment)
  }
  /// A pattern in this column.
  public func match(_ pattern: SearchPattern) -> SQLQueryExpression<Bool> {
    infix(
      searchTable(qualifier, Root.tableName), "MATCH",
      pattern.in(column: columnName).rawValue.queryFragment)
  }
}
