import MartletJSON

/// What answers a request. `Date`, `Content-Length` and `Connection` are added by the server.
public struct Response: Sendable {
  public enum Body: Sendable {
    case none
    /// What the handler wrote into ``RequestContext/scratch``. Only for an answer given at once;
    /// later answers share their buffer.
    case scratch
    case bytes([UInt8])
    /// Sent by reference, however many receive it.
    case shared(SharedBytes)
    /// Made while it is sent; nobody knows its length before.
    case source(any BodySource)

    public static func text(_ text: String) -> Body { .bytes(Array(text.utf8)) }
  }

  public var status: Status
  public var fields: Fields
  public var body: Body
  /// Closes the connection after this answer.
  public var isLast: Bool

  public init(
    _ status: Status = .ok, _ fields: Fields = .none, body: Body = .none, isLast: Bool = false
  ) {
    self.status = status
    self.fields = fields
    self.body = body
    self.isLast = isLast
  }
}
