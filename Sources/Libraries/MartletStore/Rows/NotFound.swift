/// A query that must return a row returned none.
public struct NotFound: Error, Hashable, Sendable, CustomStringConvertible {
  /// Creates the error.
  public init() {}
  public var description: String { "the query returned no row" }
}
