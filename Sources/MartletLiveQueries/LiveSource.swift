import MartletJSON
import MartletSQLite
import MartletTime

/// What a live query asks, as a value: how to write its result, and what makes it equal to another.
public struct LiveSource: Sendable {
  /// Sources with the same key give the same result and are run as one: the same statements and values,
  /// for callers with the same rights.
  public var key: ResultKey
  /// Whom its runs are counted for: what waits is run in turns of these. Equal numbers are one client.
  public var client = 0
  /// Whether it is expected to take long, so that its first run too is apart from the quick ones.
  public var isSlow = false
  /// Appends the result as JSON. Gives false where what was asked for is not there (any more).
  ///
  /// Runs on a reader, possibly more than once for one result, and has no effect outside of it.
  public let write: @Sendable (Connection, ByteBuffer) throws -> Bool

  /// The next instant at which the result may change without a commit, for one that depends on the
  /// clock: asked in the same transaction as the result.
  public var nextChange: (@Sendable (Connection) throws -> Instant?)?

  /// A result that every caller may be given. A route narrows that (``ResultKey/audience``).
  public init(
    key: String, nextChange: (@Sendable (Connection) throws -> Instant?)? = nil,
    write: @escaping @Sendable (Connection, ByteBuffer) throws -> Bool
  ) {
    self.key = ResultKey(key)
    self.nextChange = nextChange
    self.write = write
  }
}
