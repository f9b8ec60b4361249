/// A query that has to have a row has none (any more).
public struct NotFound: Error, Hashable, Sendable, CustomStringConvertible {
  public init() {}
  public var description: String { "the query has no row" }
}
