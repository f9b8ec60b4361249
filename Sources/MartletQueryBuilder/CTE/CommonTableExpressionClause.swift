/// One table of a ``With``: `"counts" AS (SELECT …)`.
public struct CommonTableExpressionClause: Sendable {
  let name: String
  let query: QueryFragment
  /// It has no rows for certain.
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
  /// A hint for SQLite: the table is computed once and kept, or computed where it is used
  /// (https://sqlite.org/lang_with.html#mathint). Only inside ``With``.
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

/// The tables of a ``With``, one a line, with `if` and `else`.
@resultBuilder
public enum CommonTableExpressionBuilder {
  public static func buildExpression<S: SelectStatement>(
    _ statement: S
  ) -> [CommonTableExpressionClause] where S.Output: Table {
    let query = statement.part
    // An empty table is one without rows: what is left out would be another table of that name.
    var fragment = query.isEmpty ? noRows(of: S.Output.self) : query.fragment
    if let schema = S.Output.schemaName {
      let reason = """
        A table of With has no schema, but \(typeName(S.Output.self)) is a table of "\(schema)": \
        its queries would not find this one
        """
      fragment += " \(QueryBinding.invalid(reason: reason))"
    }
    let name = S.Output.tableName
    return [CommonTableExpressionClause(name: name, query: fragment, isEmpty: query.isEmpty)]
  }
  /// `SELECT NULL AS "id", NULL AS "title" WHERE 0`. The query itself may be one of the stored table of the same
  /// name, which would here refer to itself, and `Values {}` has no text.
  private static func noRows<R: Table>(of _: R.Type) -> QueryFragment {
    let columns = R.resultColumns.map { "NULL AS \(quote: $0.name)" as QueryFragment }
    return "SELECT \(columns.joined(", ")) WHERE 0"
  }
  public static func buildExpression<R: Table>(_ row: R) -> [CommonTableExpressionClause] {
    buildExpression(row.row)
  }
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
