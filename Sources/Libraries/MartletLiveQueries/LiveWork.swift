import MartletJSON
import MartletSQLite
import MartletStore
import MartletTime

/// A query as the registry sees it: its identity and how to run it. The result is either bytes
/// (``LiveSource``) or a Swift value (``ValueSource``).
struct LiveWork: Sendable {
  /// The name in logs.
  let name: String
  let identity: Identity
  /// As in ``LiveSource``.
  var client = 0
  var isSlow = false
  /// Runs the query on a read connection.
  ///
  /// Returns `last` itself if the result is unchanged, and `nil` if the requested object does not
  /// exist. The buffer is empty and may be used during the call.
  let evaluate:
    @Sendable (_ connection: Connection, _ buffer: ByteBuffer, _ last: LiveResult?) throws
      -> LiveResult?
  /// The next instant at which the result may change without a commit. Evaluated in the same
  /// transaction as the result.
  var nextChange: (@Sendable (Connection) throws -> Instant?)?

  /// A hashable value that equal queries share.
  ///
  /// `@unchecked Sendable`: `AnyHashable` is not `Sendable` because it can hold any value; this one
  /// is made only from `Sendable` values.
  struct Identity: Hashable, @unchecked Sendable {
    private let value: AnyHashable
    init(_ value: some Hashable & Sendable) { self.value = AnyHashable(value) }
  }
}

extension LiveWork {
  init(_ source: LiveSource) {
    name = source.key.query
    nextChange = source.nextChange
    client = source.client
    isSlow = source.isSlow
    identity = Identity(source.key)
    evaluate = { connection, buffer, last in
      guard try source.write(connection, buffer) else { return nil }
      try connection.rowGuard?.row(bytes: buffer.count)
      if let last, last.body.count == buffer.count, last.etag == ETag(hashing: buffer.bytes) {
        return last
      }
      return LiveResult(buffer.share())
    }
  }
}
