/// Names a result: what was asked, and which callers may be given the same answer.
///
/// The response cache and the live queries both find results by this key.
public struct ResultKey: Hashable, Sendable {
  /// The callers that share a result.
  public enum Audience: Hashable, Sendable {
    /// Every caller.
    case everyone
    /// The callers that are limited to these parts of the data; `nil`: those that are not limited.
    case parts([Int]?)
    /// One caller, named by bytes that no other caller has.
    case caller([UInt8])
  }

  /// What was asked: equal texts ask for the same thing.
  public var query: String
  public var audience: Audience

  public init(_ query: String, for audience: Audience = .everyone) {
    self.query = query
    self.audience = audience
  }
}

extension ResultKey: CustomStringConvertible {
  /// The query alone: a log does not tell who asked.
  public var description: String { query }
}
