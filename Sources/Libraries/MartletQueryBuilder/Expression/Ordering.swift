/// A term of ORDER BY: an expression, with or without a direction.
public protocol OrderingTerm {
  /// The SQL of the term: `"t"."a" DESC NULLS LAST`.
  var orderFragment: QueryFragment { get }
}

extension QueryExpressible {
  /// The expression without a direction: `"t"."a"`.
  ///
  /// A group of columns prints as its columns, `"t"."a", "t"."b"`, because ORDER BY and GROUP BY do
  /// not take row values.
  public var orderFragment: QueryFragment { orderParts.joined(", ") }

  private var orderParts: [QueryFragment] {
    if case .row = QueryValue.kind { selection.map(\.fragment) } else { [queryFragment] }
  }

  /// Ascending order: `"t"."a" ASC`, with `NULLS FIRST` or `NULLS LAST` if given.
  public func asc(nulls: Nulls? = nil) -> DirectedTerm { ordered(.ascending, nulls) }
  /// Descending order: `"t"."a" DESC`, with `NULLS FIRST` or `NULLS LAST` if given.
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

/// An expression with a direction: `"t"."a" DESC`.
public struct DirectedTerm: OrderingTerm, Sendable {
  /// The expression, its direction and the position of NULLs.
  public let orderFragment: QueryFragment
}

/// The direction of a term of ORDER BY.
public enum Direction: Sendable { case ascending, descending }

/// The position of NULLs in the order. By default SQLite treats NULL as the smallest value.
public enum Nulls: Sendable { case first, last }

/// A term of ORDER BY, written as SQL.
public struct SQLOrder: OrderingTerm, Sendable {
  /// The SQL that was given.
  public let orderFragment: QueryFragment
  /// Makes a term from an SQL fragment.
  public init(_ fragment: QueryFragment) { orderFragment = fragment }
}
