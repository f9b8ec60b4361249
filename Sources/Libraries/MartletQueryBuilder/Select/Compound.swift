/// Several selects combined into one: `… UNION ALL …`
/// (https://sqlite.org/lang_select.html#compound).
public struct Compound<Output, Picked>: SelectStatement {
  public let query: Query
  public let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output
}

/// The left side decodes the rows of both sides, so both must store their columns alike: a date
/// stored as text on one side and as seconds on the other does not compile.
extension SelectStatement {
  /// The rows of both queries: `… UNION …`, which removes duplicates, or `… UNION ALL …`. An empty
  /// side (`none`) is dropped.
  public func union<Other: SelectStatement<Output>>(
    all: Bool = false, _ other: Other
  ) -> Compound<Output, Picked> where Other.Picked == Picked { united(all, other) }
  /// The rows that are in both queries: `… INTERSECT …`. No rows if a side is empty (`none`).
  public func intersect<Other: SelectStatement<Output>>(
    _ other: Other
  ) -> Compound<Output, Picked> where Other.Picked == Picked { intersected(other) }
  /// The rows of this query that are not in the other: `… EXCEPT …`.
  public func except<Other: SelectStatement<Output>>(
    _ other: Other
  ) -> Compound<Output, Picked> where Other.Picked == Picked { reduced(other) }
}

/// A query without `select` and one with `select { $0 }` both have whole rows and can be combined.
extension SelectStatement where Output: Table {
  /// The whole rows of this query and of one with `select { $0 }`: `… UNION …` or `… UNION ALL …`.
  @_disfavoredOverload
  public func union<Other: SelectStatement<Output>>(
    all: Bool = false, _ other: Other
  ) -> Compound<Output, Picked> where Picked == (), Other.Picked == Output { united(all, other) }
  /// The rows of this query, which has `select { $0 }`, and of one of whole rows: `… UNION …` or
  /// `… UNION ALL …`.
  @_disfavoredOverload
  public func union<Other: SelectStatement<Output>>(
    all: Bool = false, _ other: Other
  ) -> Compound<Output, Picked> where Picked == Output, Other.Picked == () { united(all, other) }
  /// The whole rows that are also in a query with `select { $0 }`: `… INTERSECT …`.
  @_disfavoredOverload
  public func intersect<Other: SelectStatement<Output>>(
    _ other: Other
  ) -> Compound<Output, Picked> where Picked == (), Other.Picked == Output { intersected(other) }
  /// The rows of this query, which has `select { $0 }`, that are also in one of whole rows:
  /// `… INTERSECT …`.
  @_disfavoredOverload
  public func intersect<Other: SelectStatement<Output>>(
    _ other: Other
  ) -> Compound<Output, Picked> where Picked == Output, Other.Picked == () { intersected(other) }
  /// The whole rows that are not in a query with `select { $0 }`: `… EXCEPT …`.
  @_disfavoredOverload
  public func except<Other: SelectStatement<Output>>(
    _ other: Other
  ) -> Compound<Output, Picked> where Picked == (), Other.Picked == Output { reduced(other) }
  /// The rows of this query, which has `select { $0 }`, that are not in one of whole rows:
  /// `… EXCEPT …`.
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

  // SQLite evaluates compound operators from left to right and allows parentheses only around a
  // subquery. So a compound on the right, and a side with its own order or limit, is printed as
  // `SELECT * FROM (…)`.
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

/// A statement that is printed differently as part of another one.
protocol QueryPart {
  /// The query with the columns of its own tables as text, so that renaming a table of the outer
  /// query does not rename them.
  var frozen: Query { get }
  /// Whether the query has an order, a limit or an offset.
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
  /// The query as a part of another one: a side of a compound, or the rows after IN. A
  /// compound consists of such parts already, and VALUES has no tables.
  var part: Query { (self as? any QueryPart)?.frozen ?? query }
}

extension Table {
  /// The row as a statement: `SELECT 1 AS "value"`.
  var row: Compound<Self, Self> {
    Compound(query: Query(row: columns.selection), decode: Self.decode)
  }
  /// This row and the rows of a query with `select`: `SELECT 1 AS "value" UNION ALL …`.
  public func union<Other: SelectStatement<Self>>(
    all: Bool = false, _ other: Other
  ) -> Compound<Self, Self> where Other.Picked == Self { row.union(all: all, other) }
  /// This row and the whole rows of a query: `SELECT 1 AS "value" UNION ALL …`.
  public func union<Other: SelectStatement<Self>>(
    all: Bool = false, _ other: Other
  ) -> Compound<Self, Self> where Other.Picked == () { row.union(all: all, other) }
}
