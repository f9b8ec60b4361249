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
    let (left, right) = (part, other.part)
    if right.isEmpty { return Compound(query: left, decode: decode) }
    if left.isEmpty { return Compound(query: right, decode: decode) }
    return compound(left, all ? " UNION ALL " : " UNION ", right, of: other)
  }
  fileprivate func intersected(_ other: some SelectStatement<Output>) -> Compound<Output, Picked> {
    let (left, right) = (part, other.part)
    if left.isEmpty { return Compound(query: left, decode: decode) }
    if right.isEmpty { return Compound(query: right, decode: decode) }
    return compound(left, " INTERSECT ", right, of: other)
  }
  fileprivate func reduced(_ other: some SelectStatement<Output>) -> Compound<Output, Picked> {
    let (left, right) = (part, other.part)
    if left.isEmpty || right.isEmpty { return Compound(query: left, decode: decode) }
    return compound(left, " EXCEPT ", right, of: other)
  }

  // Operators are taken from left to right: a compound on the right stands for itself in parentheses, which
  // SQLite has only around a sub-select. So does a side with an order or a limit of its own.
  private func compound<S: SelectStatement<Output>>(
    _ left: Query, _ operation: String, _ right: Query, of other: S
  ) -> Compound<Output, Picked> {
    let first = (self as? any QueryPart)?.isOrdered == true ? alone(left) : left.fragment
    let isWhole =
      other is Compound<Output, S.Picked> || (other as? any QueryPart)?.isOrdered == true
    let second = isWhole ? alone(right) : right.fragment
    return Compound(
      query: Query("\(first)\(raw: operation)\(second)", columns: left.columns),
      decode: decode)
  }

  private func alone(_ query: Query) -> QueryFragment { "SELECT * FROM (\(query.fragment))" }
}

/// A statement that differs where it is part of another one.
protocol QueryPart {
  /// Its own tables' columns are text, which a renaming of the other one's tables does not meet.
  var frozen: Query { get }
  /// It says in which order its rows come, or how many.
  var isOrdered: Bool { get }
}
extension Select: QueryPart {
  var frozen: Query { core.frozen }
  var isOrdered: Bool {
    let core = core.resolved
    return !core.orders.isEmpty || core.limit != nil || core.offset != nil
  }
}

extension Statement {
  /// The query inside of another one: a side of a compound, the rows behind IN. A compound is made of such parts,
  /// and VALUES has no tables of its own.
  var part: Query { (self as? any QueryPart)?.frozen ?? query }
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
