import MartletHTTP
import MartletTime

/// The limits and options of an ``API``.
public struct APISettings: Sendable {
  /// The time that a read may run on its event loop before it is started again on a worker. 4 ms by
  /// default.
  public var loopBudget: Duration = .milliseconds(4)
  /// The time after which a read is interrupted. 5 s by default.
  public var readTimeout: Duration = .seconds(5)
  /// The time that a stream of several queries waits for a query that is slower than the others.
  /// One second by default.
  public var bundleTimeout: Duration = .seconds(1)
  /// The maximum nesting depth of arrays and objects in a body. 64 by default.
  public var jsonDepth = 64
  /// Responses of at least this many bytes are compressed if the client accepts gzip. 1 KiB by
  /// default.
  public var gzipFrom = 1024
  /// Whether the response to a `POST` with an `Idempotency-Key` is stored for a day and sent again
  /// when the request is repeated. The database must have the table ``APITables/keptAnswers``.
  /// False by default.
  public var storesResponses = false
  /// The maximum number of stored responses. The oldest are deleted first. 10,000 by default.
  public var keptAnswers = 10_000
  /// The maximum size of the response cache in bytes. 0 disables it. 8 MiB by default.
  public var responseCacheBytes = 8 << 20
  /// The maximum number of large downloads that are buffered on disk for their clients at the same
  /// time. 4 by default.
  public var downloads = 4
  /// The maximum number of large answers of other protocols that are buffered on disk for their
  /// clients at the same time. 64 by default.
  public var documents = 64
  /// The maximum number of those of one client. 8 by default.
  public var documentsPerClient = 8
  /// The time after which an answer of another protocol is given up. One minute by default.
  public var documentTimeout: Duration = .seconds(60)
  /// The maximum size of an upload in bytes. 4 MiB by default.
  public var uploadBytes = 4 << 20
  /// The path of the document that describes the API, such as `/openapi.yaml`. A 404 for an unknown
  /// path names it.
  public var description: String?
  /// The name of the service in the `WWW-Authenticate` field of a 401 or 403, which some clients
  /// show (RFC 9110 section 11.5): printable ASCII. `martlet` by default.
  public var realm = "martlet"
  /// The time zone that determines the current day for requests that do not name one. UTC by
  /// default.
  public var timeZone = ZoneInfo.utc
  /// The nouns for items in paths, by path segment. With `["lists": "list"]` a 404 of `/v1/lists/7`
  /// says that there is no list 7.
  public var nouns: [String: String] = [:]
  /// A sentence that is appended to the `detail` of problems of a type, for example which setting
  /// an operator can change.
  public var hints: [ProblemType: String] = [:]
  /// The origins whose pages may write, besides the server's own.
  public var allowedOrigins: Set<String> = []
  /// The executor of the tasks of routes and schedules. `nil` is Swift's own pool of threads. A
  /// test has threads of its own, because its blocking calls may take all threads of the pool.
  package var taskExecutor: (any TaskExecutor)?

  /// Creates the default settings.
  public init() {}
}
