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

/// `SELECT 1, 'a'`: expressions without a table. In a trigger it calls a function.
public struct Values<Output>: SelectStatement {
  public let query: Query
  public let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output

  /// One value, which is no tuple.
  public init<E: QueryExpression>(_ value: E) where Output == E.QueryValue.QueryOutput {
    query = Query(
      "SELECT \(value.selection.map(\.clause).joined(", "))",
      columns: value.selection.map(\.result))
    decode = { row throws(DecodingProblem) in try E.QueryValue.decode(&row) }
  }
  @_disfavoredOverload
  public init<each E: QueryExpression>(_ values: repeat each E)
  where Output == (repeat (each E).QueryValue.QueryOutput) {
    var columns: [SelectedColumn] = []
    for value in repeat each values { columns += value.selection }
    query = Query(
      "SELECT \(columns.map(\.clause).joined(", "))", columns: columns.map(\.result))
    decode = { row throws(DecodingProblem) in (repeat try (each E).QueryValue.decode(&row)) }
  }
}
