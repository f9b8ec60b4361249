import MartletHTTP

/// A refusal with a response of the route's own protocol. In a write it undoes what was done.
public struct ExchangeRefusal: Error, Sendable {
  /// The response.
  public let response: Response

  /// A refusal with this response.
  public init(_ response: Response) { self.response = response }
}
