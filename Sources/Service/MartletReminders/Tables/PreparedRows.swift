import MartletQueryBuilder

/// A query that was printed once, with the decoder of its rows. Printing a query of many columns
/// takes longer than reading one row with it.
struct PreparedRows<Row>: Statement {
  let query: Query
  let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Row
}
