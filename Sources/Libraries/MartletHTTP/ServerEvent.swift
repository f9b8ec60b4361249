/// Something that happened in the server, for logs and metrics. The module itself does not log.
public enum ServerEvent: Sendable {
  /// A connection was accepted.
  case connectionAccepted(Peer)
  /// A connection was closed and no longer counts against the limits.
  case connectionClosed(Peer)
  /// A connection was refused with 503 because of a limit on connections.
  case connectionRefused(Peer)
  /// A request was answered.
  case requestFinished(FinishedRequest)
  /// A request was refused with 429 because its client exceeded the rate limit.
  case requestLimited(Peer)
  /// An event stream was refused because of a limit on streams. The client got 503 or
  /// ``StreamResponse/refused``.
  case streamRefused(Peer)
  /// A connection was closed by a timeout or an output limit.
  case connectionExpired(Peer, Expiry)
  /// A request was rejected by the server before it reached a route.
  case requestRejected(Peer, ProtocolError)
  /// An event stream was opened.
  case streamOpened(Peer)
  /// An event stream has ended.
  case streamClosed(Peer)
  /// `accept` failed with this `errno`. EMFILE and ENFILE mean that the process or the system is
  /// out of file descriptors.
  ///
  /// Each loop reports this at most once a second.
  case acceptFailed(Int32)

  /// The reason why a connection was closed.
  public enum Expiry: Sendable {
    /// No request arrived on a new connection.
    case idle
    /// The client took no bytes, or too few, of the output that waits for it
    /// (``Limits/writeTimeout``).
    case write
    /// Too much output waits for slow clients (``Limits/waitingOutput``). Nothing timed out.
    case overload
    /// The response of a route, or its content, did not arrive in time (``Limits/handlerTimeout``).
    case answer
  }

  /// Kinds of events. Events of other kinds are not created.
  public struct Interests: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Accepted and closed connections.
    public static let connections = Interests(rawValue: 1)
    /// Finished requests.
    public static let requests = Interests(rawValue: 2)
    /// Opened and closed event streams.
    public static let streams = Interests(rawValue: 4)
    /// Refused connections, requests and streams, rejected requests, timeouts, and failures of
    /// `accept`.
    public static let trouble = Interests(rawValue: 8)
    /// All kinds of events.
    public static let all: Interests = [.connections, .requests, .streams, .trouble]
  }
}

/// A request and its response. It is created only if ``ServerEvent/Interests/requests`` is
/// observed.
public struct FinishedRequest: Sendable {
  /// The request that was answered.
  public let request: Request
  /// The status of the response.
  public let status: Status
  /// The fields of the response as the route set them, without the ones that the server adds.
  public let fields: Fields
  /// The length of the response's content in bytes. 0 for HEAD and for an event stream.
  public let bytes: Int
  /// The time from handing the request to its route until the response was passed to the
  /// connection.
  public let duration: Duration
}
