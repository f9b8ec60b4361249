/// Several selects in one: `… UNION ALL …`.
public struct Compound<Output>: SelectStatement {
  public let query: Query
  public let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output
}

extension SelectStatement {
  /// The rows of both; without `all` each once. An empty side (`none`) is dropped.
  public func union(
    all: Bool = false, _ other: some SelectStatement<Output>
  ) -> Compound<Output> { compound(all ? " UNION ALL " : " UNION ", other.query) }
  public func intersect(_ other: some SelectStatement<Output>) -> Compound<Output> {
    compound(" INTERSECT ", other.query)
  }
  public func except(_ other: some SelectStatement<Output>) -> Compound<Output> {
    compound(" EXCEPT ", other.query)
  }

  private func compound(_ operation: StaticString, _ other: Query) -> Compound<Output> {
    let query = query
    if other.isEmpty { return Compound(query: query, decode: decode) }
    if query.isEmpty { return Compound(query: other, decode: decode) }
    return Compound(
      query: Query(
        "\(query.fragment)\(QueryFragment(operation))\(other.fragment)", columns: query.columns),
      decode: decode)
  }
}

extension Table {
  /// `SELECT 1 AS "value"`: the row as a statement.
  var row: Compound<Self> {
    let selection = columns.selection
    return Compound(
      query: Query(
        "SELECT \(selection.map(\.clause).joined(", "))", columns: selection.map(\.result)),
      decode: Self.decode)
  }
  public func union(all: Bool = false, _ other: some SelectStatement<Self>) -> Compound<Self> {
    row.union(all: all, other)
  }
}
