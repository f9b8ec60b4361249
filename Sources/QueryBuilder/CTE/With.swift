/// `With { tables } query: { statement }`: common table expressions (https://sqlite.org/lang_with.html).
///
/// A table's name is that of the `@Table` or `@Selection` struct whose rows it holds; it may refer to
/// itself.
public struct With<Output>: Statement {
  public let query: Query
  public let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output

  public init(
    @CommonTableExpressionBuilder _ tables: () -> [QueryFragment],
    query: () -> some Statement<Output>
  ) {
    let statement = query()
    let tables = tables()
    var main = statement.query
    if !tables.isEmpty { main.fragment = "WITH \(tables.joined(", ")) \(main.fragment)" }
    self.query = main
    decode = statement.decode
  }
}

@resultBuilder
public enum CommonTableExpressionBuilder {
  public static func buildExpression<S: SelectStatement>(_ statement: S) -> [QueryFragment]
  where S.Output: Table {
    let query = statement.query
    return query.isEmpty ? [] : ["\(quote: S.Output.tableName) AS (\(query.fragment))"]
  }
  public static func buildExpression<R: Table>(_ row: R) -> [QueryFragment] {
    buildExpression(row.row)
  }
  public static func buildBlock(_ parts: [QueryFragment]...) -> [QueryFragment] {
    parts.flatMap { $0 }
  }
}
