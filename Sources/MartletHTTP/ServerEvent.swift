/// Something that happened in the server, for logs and metrics. Libraries do not log.
public enum ServerEvent: Sendable {
  case connectionAccepted(Peer)
  case connectionClosed(Peer)
  /// Beyond a limit; the client got 503.
  case connectionRefused(Peer)
  case requestFinished(FinishedRequest)
  /// Beyond the rate of its client; it got 429.
  case requestLimited(Peer)
  /// An event stream beyond a limit; it was told when to come back.
  case streamRefused(Peer)
  /// A connection that was given up because its time was over.
  case connectionExpired(Peer, Expiry)
  /// A request that no route saw.
  case requestRejected(Peer, ProtocolError)
  case streamOpened(Peer)
  case streamClosed(Peer)
  /// `accept` failed with that `errno`; EMFILE and ENFILE mean that descriptors have run out.
  /// Told at most once a second by each loop.
  case acceptFailed(Int32)

  /// What did not come in time.
  public enum Expiry: Sendable {
    /// The first request.
    case idle
    /// A byte that the client takes of what waits for it.
    case write
    /// Nothing was late: too much waited for slow clients (``Limits/waitingOutput``).
    case overload
    /// The answer of a route.
    case answer
  }

  /// Kinds of events. Those that nobody is interested in are not even made.
  public struct Interests: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let connections = Interests(rawValue: 1)
    public static let requests = Interests(rawValue: 2)
    public static let streams = Interests(rawValue: 4)
    /// Refusals, rejected requests, failures.
    public static let trouble = Interests(rawValue: 8)
    public static let all: Interests = [.connections, .requests, .streams, .trouble]
  }
}

/// A request and its answer. Times are made only for those who ask for
/// ``ServerEvent/Interests/requests``.
public struct FinishedRequest: Sendable {
  public let request: Request
  public let status: Status
  /// The answer's own fields.
  public let fields: Fields
  /// The length of the answer's content; 0 for a stream.
  public let bytes: Int
  /// From the complete request to its answer.
  public let duration: Duration
}
