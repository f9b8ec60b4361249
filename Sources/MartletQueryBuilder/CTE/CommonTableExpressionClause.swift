/// One table of a ``With``: `"counts" AS (SELECT …)`.
public struct CommonTableExpressionClause: Sendable {
  let name: String
  let query: QueryFragment
  var isMaterialized: Bool?
  /// It has no rows: `none`.
  var isEmpty = false

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
    let query = statement.query
    var fragment = query.fragment
    if query.isEmpty {
      // Beside other tables it is one without rows, not the real table of its name.
      let nulls = S.Output.TableColumns.all.map { "NULL AS \(quote: $0.name)" as QueryFragment }
      fragment = "SELECT \(nulls.joined(", ")) WHERE 0"
    }
    if let schema = S.Output.schemaName {
      let reason = """
        A table of With has no schema, but \(typeName(S.Output.self)) is a table of "\(schema)": \
        its queries would not find this one
        """
      fragment += " \(QueryBinding.invalid(reason: reason))"
    }
    return [
      CommonTableExpressionClause(
        name: S.Output.tableName, query: fragment, isEmpty: query.isEmpty)
    ]
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
