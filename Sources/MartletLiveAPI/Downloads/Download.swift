import MartletHTTP
import MartletJSON
import MartletSQLite

/// What a route gives as a file, of one moment and in constant memory. One at a time is made, on a thread of its own: it
/// takes long, and other reads do not wait for it.
public struct Download: Sendable {
  /// `application/x-ndjson`
  let type: String
  /// What it is saved as, unless somebody says otherwise: a token of ASCII.
  let name: String
  let write: Write

  /// Writes into the buffer, and calls its last argument every now and then: what is there by then is taken. That throws
  /// when nobody waits for the file any more.
  public typealias Write =
    @Sendable (Connection, ByteBuffer, _ goOn: () throws -> Void) throws -> Void

  /// Understands a request.
  public typealias Parse = @Sendable (Request) throws -> Download

  public init(type: String, name: String, write: @escaping Write) {
    self.type = type
    self.name = name
    self.write = write
  }
}
