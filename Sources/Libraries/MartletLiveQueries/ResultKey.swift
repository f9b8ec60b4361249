/// Identifies a result by its query and by the callers that may share it.
///
/// The response cache and the live queries both look up results by this key.
public struct ResultKey: Hashable, Sendable {
  /// The callers that share a result.
  public enum Audience: Hashable, Sendable {
    /// Every caller.
    case everyone
    /// The callers limited to the same parts of the data, by their IDs; `nil` for callers without a
    /// limit.
    case parts([Int]?)
    /// A single caller, identified by bytes that are unique to it.
    case caller([UInt8])
  }

  /// The query as text. Equal texts mean the same query.
  public var query: String
  /// The callers that may share the result.
  public var audience: Audience

  /// A key for a query and the callers that may share its result, by default all callers.
  public init(_ query: String, for audience: Audience = .everyone) {
    self.query = query
    self.audience = audience
  }
}

extension ResultKey: CustomStringConvertible {
  /// The query alone: logs do not contain the caller.
  public var description: String { query }
}
