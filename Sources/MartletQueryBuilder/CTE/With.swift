/// `With { tables } query: { statement }`: common table expressions (https://sqlite.org/lang_with.html).
///
/// ```swift
/// With {
///   Counts(value: 1).union(all: true, Counts.select { Counts.Columns(value: $0.value + 1) })
/// } query: {
///   Counts.limit(100)
/// }
/// // WITH "counts" AS (SELECT 1 AS "value" UNION ALL SELECT ("counts"."value" + 1) AS "value"
/// // FROM "counts") SELECT "counts"."value" FROM "counts" LIMIT 100
/// ```
/// A table's name is that of the `@Table` or `@Selection` struct whose rows it holds; it may refer to
/// itself. An empty one (`none`) is a table without rows; when all are, nothing is executed. The statement may be any but that of a
/// trigger, where SQLite allows no WITH.
public struct With<Output>: Statement {
  public let query: Query
  public let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output

  /// - Parameter isMaterialized: What `materialized(_:)` says of those tables that do not say it
  ///   themselves.
  public init(
    materialized isMaterialized: Bool? = nil,
    @CommonTableExpressionBuilder _ tables: () -> [CommonTableExpressionClause],
    query: () -> some Statement<Output>
  ) {
    let statement = query()
    let tables = tables()
    var main = statement.query
    // A statement over tables that are all empty finds nothing: a DELETE must not lose its condition so.
    if tables.allSatisfy(\.isEmpty) {
      main = Query("", columns: main.columns, isEmpty: true)
    } else {
      let clauses = tables.map { $0.clause(isMaterialized) }
      main.fragment = "WITH \(clauses.joined(", ")) \(main.fragment)"
    }
    self.query = main
    decode = statement.decode
  }
}
