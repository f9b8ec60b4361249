/// Several selects in one: `… UNION ALL …`.
public struct Compound<Output, Picked>: SelectStatement {
  public let query: Query
  public let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output
}

/// Both sides of a compound are decoded by its left side, so that their columns are stored in the same way: what the one
/// wrote as ISO 8601 text and the other as seconds does not compile.
extension SelectStatement {
  /// The rows of both; without `all` each once. An empty side (`none`) is dropped.
  public func union<Other: SelectStatement<Output>>(
    all: Bool = false, _ other: Other
  ) -> Compound<Output, Picked> where Other.Picked == Picked { united(all, other) }
  /// The rows that are in both; none where a side is empty.
  public func intersect<Other: SelectStatement<Output>>(
    _ other: Other
  ) -> Compound<Output, Picked> where Other.Picked == Picked { intersected(other) }
  /// The rows that are not in the other.
  public func except<Other: SelectStatement<Output>>(
    _ other: Other
  ) -> Compound<Output, Picked> where Other.Picked == Picked { reduced(other) }
}

/// A whole row is what `select { $0 }` chose, and what a query without `select` has.
extension SelectStatement where Output: Table {
  /// The rows of both; without `all` each once. An empty side (`none`) is dropped.
  @_disfavoredOverload
  public func union<Other: SelectStatement<Output>>(
    all: Bool = false, _ other: Other
  ) -> Compound<Output, Picked> where Picked == (), Other.Picked == Output { united(all, other) }
  /// The rows of both; without `all` each once. An empty side (`none`) is dropped.
  @_disfavoredOverload
  public func union<Other: SelectStatement<Output>>(
    all: Bool = false, _ other: Other
  ) -> Compound<Output, Picked> where Picked == Output, Other.Picked == () { united(all, other) }
  /// The rows that are in both; none where a side is empty.
  @_disfavoredOverload
  public func intersect<Other: SelectStatement<Output>>(
    _ other: Other
  ) -> Compound<Output, Picked> where Picked == (), Other.Picked == Output { intersected(other) }
  /// The rows that are in both; none where a side is empty.
  @_disfavoredOverload
  public func intersect<Other: SelectStatement<Output>>(
    _ other: Other
  ) -> Compound<Output, Picked> where Picked == Output, Other.Picked == () { intersected(other) }
  /// The rows that are not in the other.
  @_disfavoredOverload
  public func except<Other: SelectStatement<Output>>(
    _ other: Other
  ) -> Compound<Output, Picked> where Picked == (), Other.Picked == Output { reduced(other) }
  /// The rows that are not in the other.
  @_disfavoredOverload
  public func except<Other: SelectStatement<Output>>(
    _ other: Other
  ) -> Compound<Output, Picked> where Picked == Output, Other.Picked == () { reduced(other) }
}

extension SelectStatement {
  fileprivate func united(
    _ all: Bool, _ other: some SelectStatement<Output>
  ) -> Compound<Output, Picked> {
    if other.query.isEmpty { return Compound(query: query, decode: decode) }
    if query.isEmpty { return Compound(query: other.query, decode: decode) }
    return compound(all ? " UNION ALL " : " UNION ", other)
  }
  fileprivate func intersected(_ other: some SelectStatement<Output>) -> Compound<Output, Picked> {
    let query = query
    if query.isEmpty { return Compound(query: query, decode: decode) }
    if other.query.isEmpty { return Compound(query: other.query, decode: decode) }
    return compound(" INTERSECT ", other)
  }
  fileprivate func reduced(_ other: some SelectStatement<Output>) -> Compound<Output, Picked> {
    let query = query
    if query.isEmpty || other.query.isEmpty { return Compound(query: query, decode: decode) }
    return compound(" EXCEPT ", other)
  }

  // Operators are taken from left to right: a compound on the right stands for itself in parentheses, which
  // SQLite has only around a sub-select. So does a side with an order or a limit of its own.
  private func compound<S: SelectStatement<Output>>(
    _ operation: String, _ other: S
  ) -> Compound<Output, Picked> {
    let left = (self as? any CompoundSide)?.isOrdered == true ? alone(inside) : inside
    let isWhole =
      other is Compound<Output, S.Picked> || (other as? any CompoundSide)?.isOrdered == true
    let right = isWhole ? alone(other.inside) : other.inside
    return Compound(
      query: Query("\(left)\(raw: operation)\(right)", columns: query.columns),
      decode: decode)
  }

  private func alone(_ statement: QueryFragment) -> QueryFragment { "SELECT * FROM (\(statement))" }
}

/// A side of a compound that may say in which order its rows come, or how many.
protocol CompoundSide {
  var isOrdered: Bool { get }
}
extension Select: CompoundSide {
  var isOrdered: Bool {
    let core = core.resolved
    return !core.orders.isEmpty || core.limit != nil || core.offset != nil
  }
}

extension Table {
  /// `SELECT 1 AS "value"`: the row as a statement.
  var row: Compound<Self, Self> {
    Compound(query: Query(row: columns.selection), decode: Self.decode)
  }
  /// This row, and those of the other.
  public func union<Other: SelectStatement<Self>>(
    all: Bool = false, _ other: Other
  ) -> Compound<Self, Self> where Other.Picked == Self { row.union(all: all, other) }
  /// This row, and those of the other.
  public func union<Other: SelectStatement<Self>>(
    all: Bool = false, _ other: Other
  ) -> Compound<Self, Self> where Other.Picked == () { row.union(all: all, other) }
}
