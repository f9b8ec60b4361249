/// What `#sql` becomes: SQL as text, with values bound and names quoted by interpolation.
///
/// An expression where one is wanted, a statement where one is to be executed.
extension SQLQueryExpression: Statement {
  public typealias Output = QueryValue.QueryOutput

  public var query: Query {
    Query(queryFragment, columns: resultColumns(of: QueryValue.self))
  }
  public var decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output {
    { row throws(DecodingProblem) in try QueryValue.decode(&row) }
  }
}

/// `#sql("SELECT …", as: (Int, Reminder).self)`: a statement whose rows are tuples.
public struct SQLTuples<Output>: Statement {
  public let query: Query
  public let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output

  public init<each V: QueryRepresentable>(
    _ fragment: QueryFragment, as type: (repeat each V).Type
  ) where Output == (repeat (each V).QueryOutput) {
    var columns: [ResultColumn] = []
    for type in repeat (each V).self { columns += resultColumns(of: type) }
    query = Query(fragment, columns: columns)
    decode = { row throws(DecodingProblem) in (repeat try (each V).decode(&row)) }
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
