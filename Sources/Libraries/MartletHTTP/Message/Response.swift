import MartletJSON

/// A response to a request. The server adds `Date`, `Content-Length` and `Connection`.
public struct Response: Sendable {
  /// The content of a response.
  public enum Body: Sendable {
    /// No content.
    case none
    /// The bytes that the handler wrote into ``RequestContext/scratch``.
    ///
    /// It is only for responses that a handler returns at once; the buffer is shared by all
    /// requests of a loop.
    case scratch
    /// Bytes that belong to this response.
    case bytes([UInt8])
    /// Bytes that are sent by reference and can be shared by many responses.
    case shared(SharedBytes)
    /// Content that is produced while it is sent. Its length is not known in advance.
    case source(any BodySource)

    /// A string as UTF-8.
    public static func text(_ text: String) -> Body { .bytes(Array(text.utf8)) }
  }

  /// The status code.
  public var status: Status
  /// The header fields. The server adds further ones.
  public var fields: Fields
  /// The content.
  public var body: Body
  /// Whether the connection closes after this response.
  public var isLast: Bool

  /// Makes a response.
  public init(
    _ status: Status = .ok, _ fields: Fields = .none, body: Body = .none, isLast: Bool = false
  ) {
    self.status = status
    self.fields = fields
    self.body = body
    self.isLast = isLast
  }
}

extension Response {
  /// A response of plain text in UTF-8.
  public static func text(_ text: String, _ status: Status = .ok) -> Response {
    Response(
      status, Fields(["Content-Type": "text/plain; charset=utf-8"]), body: .text(text))
  }
}
