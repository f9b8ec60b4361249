/// A table of a ``With``: `"counts" AS (SELECT …)`.
public struct CommonTableExpressionClause: Sendable {
  let name: String
  let query: QueryFragment
  /// Whether it certainly has no rows.
  let isEmpty: Bool
  var isMaterialized: Bool?

  func clause(_ otherwise: Bool?) -> QueryFragment {
    let hint: QueryFragment =
      switch isMaterialized ?? otherwise {
      case true?: "MATERIALIZED "
      case false?: "NOT MATERIALIZED "
      case nil: ""
      }
    return "\(quote: name) AS \(hint)(\(query))"
  }
}

extension SelectStatement where Output: Table {
  /// Hints that SQLite should compute the table once and store it, or compute it where it is used
  /// (https://sqlite.org/lang_with.html#mathint). Only for the tables of a ``With``.
  ///
  /// ```swift
  /// With {
  ///   Reminder.select { Busy.Columns(id: $0.remindersListID) }.materialized()
  /// } query: { … }
  /// // WITH "busies" AS MATERIALIZED (SELECT …) …
  /// ```
  public func materialized(_ isMaterialized: Bool = true) -> [CommonTableExpressionClause] {
    var clauses = CommonTableExpressionBuilder.buildExpression(self)
    for index in clauses.indices { clauses[index].isMaterialized = isMaterialized }
    return clauses
  }
}

/// Builds the tables of a ``With``, one per line. Supports `if` and `else`.
@resultBuilder
public enum CommonTableExpressionBuilder {
  /// A table with the rows of a query. The type of the rows gives it its name.
  public static func buildExpression<S: SelectStatement>(
    _ statement: S
  ) -> [CommonTableExpressionClause] where S.Output: Table {
    let query = statement.part
    // An empty table is printed as a table without rows. If it were left out, its name would refer
    // to a stored table.
    var fragment = query.isEmpty ? noRows(of: S.Output.self) : query.fragment
    if let schema = S.Output.schemaName {
      let reason = """
        A table of With has no schema, but \(typeName(S.Output.self)) is a table of "\(schema)": \
        queries would read the stored table instead
        """
      fragment += " \(QueryBinding.invalid(reason: reason))"
    }
    let name = S.Output.tableName
    return [CommonTableExpressionClause(name: name, query: fragment, isEmpty: query.isEmpty)]
  }
  /// `SELECT NULL AS "id", NULL AS "title" WHERE 0`. The query itself cannot be printed: it may
  /// select from the stored table of the same name, which here would refer to itself, and
  /// `Values {}` has no text.
  private static func noRows<R: Table>(of _: R.Type) -> QueryFragment {
    let columns = R.resultColumns.map { "NULL AS \(quote: $0.name)" as QueryFragment }
    return "SELECT \(columns.joined(", ")) WHERE 0"
  }
  /// A table with one row.
  public static func buildExpression<R: Table>(_ row: R) -> [CommonTableExpressionClause] {
    buildExpression(row.row)
  }
  /// Tables with a hint.
  public static func buildExpression(
    _ clauses: [CommonTableExpressionClause]
  ) -> [CommonTableExpressionClause] { clauses }
  public static func buildBlock(
    _ parts: [CommonTableExpressionClause]...
  ) -> [CommonTableExpressionClause] { parts.flatMap { $0 } }
  public static func buildOptional(
    _ part: [CommonTableExpressionClause]?
  ) -> [CommonTableExpressionClause] { part ?? [] }
  public static func buildEither(
    first: [CommonTableExpressionClause]
  ) -> [CommonTableExpressionClause] { first }
  public static func buildEither(
    second: [CommonTableExpressionClause]
  ) -> [CommonTableExpressionClause] { second }
}
