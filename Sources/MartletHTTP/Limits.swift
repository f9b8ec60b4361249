/// What one client may cost the server. Sizes are in bytes.
public struct Limits: Sendable {
  /// The request line with its method and version; longer ones are 414.
  public var requestLine = 8 << 10
  /// One header field's line; longer ones are 431.
  public var fieldLine = 8 << 10
  /// All header fields together; more is 431.
  public var headerSection = 32 << 10
  /// How many header fields; more is 431.
  public var fieldCount = 100
  /// A request body, unless its route says otherwise; larger ones are 413.
  public var body = 1 << 20
  /// The bodies of all requests together, as far as they are here, until the requests are answered; the
  /// request that would have more is 503, and its connection is closed. The largest body that a route reads
  /// always fits alone. A quarter is for bodies of up to 64 KiB, and one client address has a
  /// quarter, as far as ``HTTPServer/Configuration/isCounted`` counts it.
  public var bodyBytes = 64 << 20
  /// All extensions of one body's chunks (RFC 9112 section 7.1.1); more is 400.
  public var chunkExtensions = 4 << 10
  /// The trailer section, and how many fields it may have; more is 431.
  public var trailerSection = 8 << 10
  public var trailerCount = 32

  /// From the first byte (or, for the first request, from accepting) to the end of the header
  /// section; later ones are 408.
  public var headTimeout: Duration = .seconds(10)
  /// How long a connection may rest between requests.
  public var idleTimeout: Duration = .seconds(75)
  /// The longest pause between two bytes of a body, and the time for each MiB of it; later is 408. The latter also
  /// for each MiB of an answer, from when the client does not keep up with it.
  public var bodyPause: Duration = .seconds(20)
  public var bodyTimeout: Duration = .seconds(60)
  /// How long a request that is answered later may wait for its answer, which then is 503.
  public var handlerTimeout: Duration = .seconds(30)
  /// The longest time without the client taking a byte of what waits for it.
  public var writeTimeout: Duration = .seconds(30)
  /// Silence on an event stream after which a comment line is sent.
  public var heartbeat: Duration = .seconds(15)
  /// What the kernel may hold of the answers to a client that does not read them, its bookkeeping included
  /// (socket(7), `SO_SNDBUF`; at most net.core.wmem_max twice over).
  public var sendBuffer = 512 << 10
  /// What the kernel may hold of an event stream for a client that does not read: it counts its own
  /// bookkeeping as well, so that about half of this is bytes (socket(7), `SO_SNDBUF`). Beyond that a slow
  /// client costs its place in the query, and no bytes.
  public var streamBuffer = 256 << 10
  /// How long an event stream goes on, give or take a tenth, before its client has to come back: so that
  /// streams spread over servers and loops anew, and none holds anything for ever.
  public var streamLifetime: Duration = .seconds(3_600)
  /// After the last answer: how long, and how much, is read and dropped before closing, so that the
  /// answer is not lost to a reset (RFC 9112 section 9.6). Many clients read an answer only when all of their
  /// body is sent.
  public var lingerTimeout: Duration = .seconds(1)
  public var lingerBytes = 16 << 20

  /// Connections in all, and event streams among them; more are 503. Where the process may have
  /// fewer descriptors, that counts (``HTTPServer/mostConnections``).
  public var connections = 10_000
  public var streams = 8_000
  /// Connections and event streams for each client address (an IPv6 address counts by its /64),
  /// as far as ``HTTPServer/Configuration/isCounted`` counts it.
  public var connectionsPerAddress = 1_000
  public var streamsPerAddress = 64
  /// After so many requests a connection is closed, so that clients spread over the loops again.
  public var requestsPerConnection = 10_000
  /// Answers to pipelined requests that wait for the client; no further request is read meanwhile.
  public var queuedOutput = 64 << 10
  /// Answers of all connections together that the kernel has not taken yet. While one of more than 64 KiB has no
  /// room in it, the request is 503; a connection that would have to hold more is reset. A quarter is for what is
  /// smaller, and one client address has a quarter. An event that many streams share counts once while one of
  /// them waits for it, and once in each address's share. No answer may be larger.
  public var waitingOutput = 128 << 20
  /// Requests a minute of each client address that is counted, and how many may come at once; more are
  /// 429. 0: any number.
  public var requestsPerMinute = 6_000
  public var requestBurst = 600
  /// The answer's `Retry-After` when a count is exceeded, rounded up to seconds.
  public var retryAfter: Duration = .seconds(5)

  public init() {}
}
