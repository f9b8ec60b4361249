import MartletJSON
import MartletSQLite
import MartletStore
import MartletTime

/// What the registry knows of a query: what makes it equal to another, and how to run it. The result may
/// be bytes (``LiveSource``) or a Swift value (``ValueSource``).
struct LiveWork: Sendable {
  /// For logs.
  let name: String
  let identity: Identity
  /// As in ``LiveSource``.
  var client = 0
  var isSlow = false
  /// Runs the query on a reader. Gives `last` itself where the result is the same as that, `nil` where
  /// what was asked for is not there. The buffer is empty and for use meanwhile.
  let evaluate:
    @Sendable (_ connection: Connection, _ buffer: ByteBuffer, _ last: LiveResult?) throws
      -> LiveResult?
  /// The next instant at which the result may change without a commit; asked in the same transaction.
  var nextChange: (@Sendable (Connection) throws -> Instant?)?

  /// Any value that can be compared.
  ///
  /// `@unchecked Sendable`: `AnyHashable` is not, because it may hold anything; this one was made of
  /// something that is.
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
