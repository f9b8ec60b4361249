/// The value of `#sql`: SQL as text, with interpolated values bound and interpolated names quoted.
///
/// It is an expression inside a query, and a statement when it is executed.
extension SQLQueryExpression: Statement {
  public typealias Output = QueryValue.QueryOutput

  public var query: Query {
    Query(queryFragment, columns: resultColumns(of: QueryValue.self))
  }
  public var decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output {
    { row throws(DecodingProblem) in try QueryValue.decode(&row) }
  }
}

/// A statement written as SQL whose rows are tuples: `#sql("SELECT …", as: (Int, Reminder).self)`.
public struct SQLTuples<Output>: Statement {
  public let query: Query
  public let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output

  /// Creates a statement from SQL and the types of a row.
  public init<each V: QueryRepresentable>(
    _ fragment: QueryFragment, as type: (repeat each V).Type
  ) where Output == (repeat (each V).QueryOutput) {
    var columns: [ResultColumn] = []
    for type in repeat (each V).self { columns += resultColumns(of: type) }
    query = Query(fragment, columns: columns)
    decode = { row throws(DecodingProblem) in (repeat try (each V).decode(&row)) }
  }
}

/// The type of a statement without rows, such as `#sql("CREATE TABLE …")`.
public enum NoRows: QueryRepresentable {
  public static var kind: ColumnKind { .row }
  /// Zero: the statement has no result.
  public static var columnCount: Int { 0 }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> NoRows {
    throw row.problem("no rows")
  }
}
