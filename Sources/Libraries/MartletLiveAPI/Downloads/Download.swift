import MartletHTTP
import MartletJSON
import MartletSQLite

/// A file that a route produces from one snapshot of the database, in constant memory.
///
/// One download is produced at a time, on a background thread, because it takes long and other
/// reads should not wait for it.
public struct Download: Sendable {
  let status: Status
  let prepare: Prepare
  let write: Write

  /// Writes the file into the buffer. It calls `goOn` now and then, which takes what has been
  /// written so far out of the buffer. `goOn` throws if the client has disconnected or its key was
  /// revoked.
  public typealias Write =
    @Sendable (Connection, ByteBuffer, _ goOn: Progress) throws -> Void

  /// The progress of a file that is being written. It is called like a function.
  public struct Progress {
    let goOn: (_ expected: Int) throws -> Void

    /// Takes what has been written so far out of the buffer.
    public func callAsFunction() throws { try goOn(0) }

    /// Says about how many bytes are still to come. A large document of another protocol is then
    /// begun at once where it is written to its end.
    public func expect(bytes: Int) throws { try goOn(bytes) }
  }

  /// Returns the header fields, from the snapshot that the file is written from. It throws an
  /// ``ExchangeRefusal`` to answer something else, such as a 304.
  public typealias Prepare = @Sendable (Connection) throws -> Fields

  /// Converts a request into a download. Throws an ``APIProblem`` if the request is invalid.
  public typealias Parse = @Sendable (Request) throws -> Download

  /// Creates a download. `type` is its media type, `name` its suggested file name, an ASCII token.
  public init(type: String, name: String, write: @escaping Write) {
    var fields = AnswerFields.download
    fields.append("Content-Type", type)
    fields.append("Content-Disposition", "attachment; filename=\"\(name)\"")
    self.init(.ok, prepare: { [fields] _ in fields }, write: write)
  }

  /// Creates a document of another protocol, with all of its header fields.
  public init(_ status: Status, prepare: @escaping Prepare, write: @escaping Write) {
    self.status = status
    self.prepare = prepare
    self.write = write
  }
}
