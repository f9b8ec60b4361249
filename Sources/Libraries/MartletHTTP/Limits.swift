/// Limits on what clients can use. Sizes are in bytes.
public struct Limits: Sendable {
  /// The longest request line, with its method and version. Longer ones get 414.
  public var requestLine = 8 << 10
  /// The longest header field line. Longer ones get 431.
  public var fieldLine = 8 << 10
  /// The size of all header fields together. Larger header sections get 431.
  public var headerSection = 32 << 10
  /// The number of header fields. More get 431.
  public var fieldCount = 100
  /// The size of a request body, unless its route sets another limit. Larger bodies get 413.
  public var body = 1 << 20
  /// The size of all request bodies in memory, from their first byte until their requests are
  /// finished.
  ///
  /// A request that would exceed it gets 503, and its connection is closed. The largest body that a
  /// route reads always fits if no other body is in memory. A quarter of this is reserved for
  /// bodies of up to 64 KiB, and one client address can use at most a quarter if
  /// ``HTTPServer/Configuration/isCounted`` counts it.
  public var bodyBytes = 64 << 20
  /// The size of all chunk extensions of one body (RFC 9112 section 7.1.1). More gets 400.
  public var chunkExtensions = 4 << 10
  /// The size of a trailer section. Larger ones get 431.
  public var trailerSection = 8 << 10
  /// The number of fields in a trailer section. More get 431.
  public var trailerCount = 32

  /// The time for a header section, from its first byte, or from accepting the connection for the
  /// first request. Later ones get 408.
  public var headTimeout: Duration = .seconds(10)
  /// How long a connection can be idle between requests.
  public var idleTimeout: Duration = .seconds(75)
  /// The longest pause between two bytes of a request body. After it the request gets 408.
  public var bodyPause: Duration = .seconds(20)
  /// The time for each MiB of a request body. After it the request gets 408.
  ///
  /// It also is the time for each MiB of a response to a client that cannot keep up with it.
  public var bodyTimeout: Duration = .seconds(60)
  /// How long a route can take to answer with a ``Responder``. After it the request gets 503.
  public var handlerTimeout: Duration = .seconds(30)
  /// The longest time in which a client takes no byte of the output that waits for it. After it the
  /// connection is reset.
  public var writeTimeout: Duration = .seconds(30)
  /// The time without an event after which an event stream sends a comment line.
  public var heartbeat: Duration = .seconds(15)
  /// The size of a connection's send buffer in the kernel, with the kernel's bookkeeping
  /// (socket(7), `SO_SNDBUF`). The kernel allows at most twice net.core.wmem_max.
  public var sendBuffer = 512 << 10
  /// The size of an event stream's send buffer in the kernel (socket(7), `SO_SNDBUF`).
  ///
  /// The kernel counts its bookkeeping as well, so about half of this is data. A slow client uses
  /// this buffer and no further memory: its ``EventSource`` is not asked for events while the
  /// buffer is full.
  public var streamBuffer = 256 << 10
  /// How long an event stream lasts, plus or minus a tenth, before its client has to reconnect.
  /// Reconnecting spreads streams over servers and loops again, and no stream holds resources
  /// forever.
  public var streamLifetime: Duration = .seconds(3_600)
  /// How long the server reads and drops input after the last response of a connection, before
  /// closing it.
  ///
  /// Without this the kernel could reset the connection and discard the response (RFC 9112 section
  /// 9.6). Many clients read a response only after they have sent their whole body.
  public var lingerTimeout: Duration = .seconds(1)
  /// How many bytes the server reads and drops after the last response of a connection.
  public var lingerBytes = 16 << 20

  /// The number of connections. Further ones get 503.
  ///
  /// The file descriptors of the process can lower it; ``HTTPServer/mostConnections`` is the
  /// effective value.
  public var connections = 10_000
  /// The number of event streams. Further ones get 503 or ``StreamResponse/refused``.
  public var streams = 8_000
  /// The number of connections of one client address. An IPv6 address is counted by its /64
  /// network.
  ///
  /// It applies to addresses that ``HTTPServer/Configuration/isCounted`` counts.
  public var connectionsPerAddress = 1_000
  /// The number of event streams of one client address, counted like ``connectionsPerAddress``.
  public var streamsPerAddress = 64
  /// The number of requests after which a connection is closed, so that clients spread over the
  /// loops again.
  public var requestsPerConnection = 10_000
  /// The number of bytes of responses to pipelined requests that can wait for the client. Above it
  /// no further request is read.
  public var queuedOutput = 64 << 10
  /// The size of all responses that wait because their clients' socket buffers are full.
  ///
  /// While a response of more than 64 KiB does not fit, its request gets 503 instead. A connection
  /// whose output would exceed the limit is reset. A quarter is reserved for smaller responses, and
  /// one client address can use at most a quarter. A shared event (``EventFrame/forMany``) counts
  /// once while any stream waits for it, and once in the share of each address. It also is the size
  /// of the largest possible response.
  public var waitingOutput = 128 << 20
  /// The number of requests per minute of one client address that
  /// ``HTTPServer/Configuration/isCounted`` counts. More get 429. 0 means no limit.
  public var requestsPerMinute = 6_000
  /// The number of requests that a client address can send at once, as the capacity of its token
  /// bucket.
  public var requestBurst = 600
  /// The `Retry-After` of a response that refuses a request because of a limit, rounded up to
  /// seconds.
  public var retryAfter: Duration = .seconds(5)

  /// Makes the default limits.
  public init() {}
}
