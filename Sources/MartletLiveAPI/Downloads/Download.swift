import MartletHTTP
import MartletJSON
import MartletSQLite

/// A file that a route produces from one snapshot of the database, in constant memory.
///
/// One download is produced at a time, on a background thread, because it takes long and other
/// reads should not wait for it.
public struct Download: Sendable {
  let status: Status
  let fields: Fields
  let write: Write

  /// Writes the file into the buffer. It calls `goOn` now and then, which takes what has been
  /// written so far out of the buffer. `goOn` throws if the client has disconnected or its key was
  /// revoked.
  public typealias Write =
    @Sendable (Connection, ByteBuffer, _ goOn: () throws -> Void) throws -> Void

  /// Converts a request into a download. Throws an ``APIProblem`` if the request is invalid.
  public typealias Parse = @Sendable (Request) throws -> Download

  /// Creates a download. `type` is its media type, `name` its suggested file name, an ASCII token.
  public init(type: String, name: String, write: @escaping Write) {
    var fields = AnswerFields.download
    fields.append("Content-Type", type)
    fields.append("Content-Disposition", "attachment; filename=\"\(name)\"")
    self.init(.ok, fields, write: write)
  }

  /// Creates a document of another protocol, with all of its header fields.
  public init(_ status: Status, _ fields: Fields, write: @escaping Write) {
    self.status = status
    self.fields = fields
    self.write = write
  }
}
