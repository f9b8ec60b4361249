import MartletHTTP
import MartletTime

/// What an ``API`` allows, and how it answers.
public struct APISettings: Sendable {
  /// How long a read may keep its event loop before it goes to a worker.
  public var loopBudget: Duration = .milliseconds(4)
  /// How long a read may take in all; longer ones are interrupted.
  public var readTimeout: Duration = .seconds(5)
  /// How long a stream of several queries waits for one that is behind the others.
  public var bundleTimeout: Duration = .seconds(1)
  /// How deep arrays and objects of a body may lie inside each other.
  public var jsonDepth = 64
  /// Bodies from this size on are compressed for those who like it.
  public var gzipFrom = 1024
  /// Whether a `POST` with an `Idempotency-Key` that comes again within a day gets the answer that it had.
  /// The database then has the table ``APITables/keptAnswers``.
  public var keepsAnswers = false
  /// How many answers are kept; the oldest go first.
  public var keptAnswers = 10_000
  /// How many bytes of results are kept for those who ask again; 0: none.
  public var responseCacheBytes = 8 << 20
  /// How many large files may wait for their clients at once, on the disk.
  public var downloads = 4
  /// How large a file may be that is imported.
  public var uploadBytes = 4 << 20
  /// The path of the document that describes the API, which an unknown path is answered with: `/openapi.yaml`.
  public var description: String?
  /// The zone that decides what today is for requests that name none.
  public var timeZone = ZoneInfo.utc
  /// What a word of a path calls one of what lies behind it: with `["lists": "list"]` a 404 of `/v1/lists/7` says that
  /// there is no list 7.
  public var nouns: [String: String] = [:]
  /// A sentence behind the `detail` of a kind of problems: which setting an operator may turn.
  public var hints: [ProblemType: String] = [:]
  /// Origins whose pages may write, besides the server's own.
  public var allowedOrigins: Set<String> = []

  public init() {}
}
