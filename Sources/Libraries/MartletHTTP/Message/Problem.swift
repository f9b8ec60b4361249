import MartletJSON

/// A problem document, the content of an error response (RFC 9457).
///
/// Clients distinguish problems by their `type`. `title` belongs to the type, `detail` to this
/// occurrence.
public struct Problem: Sendable {
  /// The status of the response, which the document repeats.
  public var status: Status
  /// The type of the problem, a URI reference. `about:blank` says no more than the status.
  public var type: String
  /// A short summary of the problem type.
  public var title: String
  /// An explanation of this occurrence, and the advice about it. `nil` leaves the member out.
  public var detail: String?
  /// A URI reference that identifies this occurrence. `nil` leaves the member out.
  public var instance: String?
  /// Fields that the response has besides its `Content-Type`, such as `Retry-After` or `Allow`.
  public var fields: Fields
  /// Writes the extension members of the problem type (RFC 9457 section 3.2).
  public var members: (@Sendable (inout JSONObjectWriter) -> Void)?

  /// Makes a problem from its members. `title` defaults to the reason phrase of the status.
  public init(
    _ status: Status, type: String = "about:blank", title: String? = nil, detail: String? = nil,
    instance: String? = nil, fields: Fields = .none,
    members: (@Sendable (inout JSONObjectWriter) -> Void)? = nil
  ) {
    self.status = status
    self.type = type
    self.title = title ?? String(describing: status.phrase)
    self.detail = detail
    self.instance = instance
    self.fields = fields
    self.members = members
  }

  /// Makes a problem of a known type. `detail` describes this occurrence.
  public init(
    _ kind: ProblemType, detail: String, instance: String? = nil, fields: Fields = .none,
    members: (@Sendable (inout JSONObjectWriter) -> Void)? = nil
  ) {
    self.init(
      kind.status, type: kind.path, title: kind.title, detail: detail, instance: instance,
      fields: fields, members: members)
  }

  /// Makes the problem of a protocol error. `hints` says for each type what an operator can change.
  init(_ error: ProtocolError, fields: Fields = .none, hints: [ProblemType: String] = [:]) {
    let hint = hints[error.kind].map { " " + $0 } ?? ""
    self.init(error.kind, detail: error.detail + hint, fields: fields)
  }

  /// Appends the document to `buffer`.
  public func write(to buffer: ByteBuffer) {
    JSONWriter.object(into: buffer) { object in
      object.member("type", type)
      object.member("title", title)
      object.member("status", Int(status.rawValue))
      if let detail { object.member("detail", detail) }
      if let instance { object.member("instance", instance) }
      members?(&object)
    }
  }

  /// The problem as a response with the type `application/problem+json`.
  public func response() -> Response {
    let buffer = ByteBuffer(capacity: 256)
    write(to: buffer)
    var all = Problem.ownFields
    all.append(fields)
    return Response(status, all, body: .bytes(Array(buffer.bytes)))
  }

  /// Caches must not store the problem, which they may do with a 404, 414 or 501 by default (RFC
  /// 9110 section 15.1), and browsers must not render it as a page.
  private static let ownFields = Fields([
    "Content-Type": "application/problem+json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  ])
}
