/// A change that gives rows: `… RETURNING "id"`. The rows are as they were before AFTER triggers ran
/// (https://sqlite.org/lang_returning.html).
public struct Returning<Output>: Statement {
  public let query: Query
  public let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output
}

extension ChangeStatement {
  public func returning<S: SelectedTerms>(
    @SelectBuilder _ columns: (Target.TableColumns) -> S
  ) -> Returning<S.Output> {
    let selected = columns(Target.columns)
    // Bare, but for what has a sub-select: there a bare name would be the inner table's.
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
  public func returning<E: QueryExpressible>(
    _ column: KeyPath<Target.TableColumns, E>
  ) -> Returning<E.QueryValue.QueryOutput> { returning { $0[keyPath: column] } }
}
