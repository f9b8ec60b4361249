/// A statement with common table expressions: `With { tables } query: { statement }`
/// (https://sqlite.org/lang_with.html).
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
/// A table has the name of the `@Table` or `@Selection` type of its rows, and may refer to itself.
/// A query of `none` is a table without rows; if all tables are empty, nothing is executed. The
/// statement may be of any kind, but not in a trigger, where SQLite allows no WITH.
public struct With<Output>: Statement {
  public let query: Query
  public let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output

  /// Creates the statement.
  ///
  /// - Parameters:
  ///   - isMaterialized: The hint for tables without their own, see `materialized(_:)`. By default
  ///     there is no hint.
  ///   - tables: The tables, one per line.
  ///   - query: The statement that uses the tables.
  public init(
    materialized isMaterialized: Bool? = nil,
    @CommonTableExpressionBuilder _ tables: () -> [CommonTableExpressionClause],
    query: () -> some Statement<Output>
  ) {
    let statement = query()
    let tables = tables()
    var main = statement.query
    // If all tables are known to be empty, the statement is not executed: a query returns no rows,
    // not even the row of a `count`, and a change changes nothing.
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
