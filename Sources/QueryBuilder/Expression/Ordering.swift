/// What ORDER BY takes: an expression, or one with a direction.
public protocol OrderingTerm {
  var orderFragment: QueryFragment { get }
}

extension QueryExpression {
  public var orderFragment: QueryFragment { queryFragment }

  public func asc(nulls: Nulls? = nil) -> DirectedTerm { ordered(.ascending, nulls) }
  public func desc(nulls: Nulls? = nil) -> DirectedTerm { ordered(.descending, nulls) }

  func ordered(_ direction: Direction, _ nulls: Nulls?) -> DirectedTerm {
    var fragment = queryFragment
    fragment.append(raw: direction == .ascending ? " ASC" : " DESC")
    switch nulls {
    case .first: fragment.append(raw: " NULLS FIRST")
    case .last: fragment.append(raw: " NULLS LAST")
    case nil: break
    }
    return DirectedTerm(orderFragment: fragment)
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
