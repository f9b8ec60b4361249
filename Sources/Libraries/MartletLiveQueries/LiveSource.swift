import MartletJSON
import MartletSQLite
import MartletTime

/// A query to follow, as a value: how to write its result as JSON, and which sources are equal to
/// it.
public struct LiveSource: Sendable {
  /// Identifies the result.
  ///
  /// Sources with equal keys run as one query. They must execute the same statements with the same
  /// values, for callers with the same permissions.
  public var key: ResultKey
  /// The client that the query is charged to. Waiting queries are scheduled in turns of their
  /// clients, and memory limits apply per client.
  public var client = 0
  /// Whether the query is expected to be slow. Its first run then does not share a transaction with
  /// the quick queries.
  public var isSlow = false
  /// Appends the result as JSON. Returns false if the requested object does not exist, or no longer
  /// exists.
  ///
  /// Runs on a read connection, possibly more than once per result, and must have no side effects.
  public let write: @Sendable (Connection, ByteBuffer) throws -> Bool

  /// The next instant at which the result may change without a commit, for a result that depends on
  /// the clock. Evaluated before the result, in the same transaction.
  public var nextChange: (@Sendable (Connection) throws -> Instant?)?

  /// A source whose result may be shared by all callers. A route restricts the audience
  /// (``ResultKey/audience``) where callers see different data.
  public init(
    key: String, nextChange: (@Sendable (Connection) throws -> Instant?)? = nil,
    write: @escaping @Sendable (Connection, ByteBuffer) throws -> Bool
  ) {
    self.key = ResultKey(key)
    self.nextChange = nextChange
    self.write = write
  }
}
