/// A change that returns rows: `… RETURNING "id"`.
///
/// The rows have the values that they had before AFTER triggers ran
/// (https://sqlite.org/lang_returning.html).
public struct Returning<Output>: Statement {
  public let query: Query
  public let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output
}

extension ChangeStatement {
  /// Returns columns of the changed rows: `… RETURNING "id", upper("title")`.
  public func returning<S: SelectedTerms>(
    @SelectBuilder _ columns: (Target.TableColumns) -> S
  ) -> Returning<S.Output> {
    let selected = columns(Target.columns)
    // Columns are printed without their table, except in an expression with a subquery, where such
    // a name would mean the inner table's column.
    let list = selected.columns.map {
      $0.clause.traits.contains(.select) ? $0.clause : $0.clause.bare
    }
    .joined(", ")
    let change = query
    return Returning(
      query: Query(
        "\(change.fragment) RETURNING \(list)", columns: selected.columns.map(\.result),
        isEmpty: change.isEmpty),
      decode: selected.decode)
  }
  /// Returns a column of the changed rows: `… RETURNING "id"`.
  public func returning<E: QueryExpressible>(
    _ column: KeyPath<Target.TableColumns, E>
  ) -> Returning<E.QueryValue.QueryOutput> { returning { $0[keyPath: column] } }
}
