/// What ORDER BY takes: an expression, or one with a direction.
public protocol OrderingTerm {
  var orderFragment: QueryFragment { get }
}

extension QueryExpressible {
  /// ORDER BY and GROUP BY take no row values: the columns of a group stand there side by side.
  public var orderFragment: QueryFragment { orderParts.joined(", ") }

  private var orderParts: [QueryFragment] {
    if case .row = QueryValue.kind { selection.map(\.fragment) } else { [queryFragment] }
  }

  public func asc(nulls: Nulls? = nil) -> DirectedTerm { ordered(.ascending, nulls) }
  public func desc(nulls: Nulls? = nil) -> DirectedTerm { ordered(.descending, nulls) }

  func ordered(_ direction: Direction, _ nulls: Nulls?) -> DirectedTerm {
    let direction = direction == .ascending ? " ASC" : " DESC"
    let nulls =
      switch nulls {
      case .first: " NULLS FIRST"
      case .last: " NULLS LAST"
      case nil: ""
      }
    return DirectedTerm(
      orderFragment: orderParts.map { "\($0)\(raw: direction)\(raw: nulls)" }.joined(", "))
  }
}

public struct DirectedTerm: OrderingTerm, Sendable {
  public let orderFragment: QueryFragment
}

public enum Direction: Sendable { case ascending, descending }

/// Where rows without a value go. SQLite's default takes NULL for the smallest value.
public enum Nulls: Sendable { case first, last }

/// A term of ORDER BY as SQL.
public struct SQLOrder: OrderingTerm, Sendable {
  public let orderFragment: QueryFragment
  public init(_ fragment: QueryFragment) { orderFragment = fragment }
}
