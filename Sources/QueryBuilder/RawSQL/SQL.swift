/// What `#sql` becomes: SQL as text, with values bound and names quoted by interpolation.
///
/// An expression where one is wanted, a statement where one is to be executed.
extension SQLQueryExpression: Statement {
  public typealias Output = QueryValue.QueryOutput

  public var query: Query {
    let row = QueryValue.Unwrapped.self as? any Selection.Type
    return Query(
      queryFragment,
      columns: row?.resultColumns
        ?? (QueryValue.columnCount == 0 ? [] : [ResultColumn("", kind: QueryValue.kind)]))
  }
  public var decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output {
    { row throws(DecodingProblem) in try QueryValue.decode(&row) }
  }
}

/// The type of `#sql("CREATE TABLE …")`: nothing is read from it.
public enum NoRows: QueryRepresentable {
  public static var kind: ColumnKind { .row }
  public static var columnCount: Int { 0 }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> NoRows {
    throw row.problem("no rows")
  }
}
