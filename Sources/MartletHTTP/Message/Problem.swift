import MartletJSON

/// A problem document (RFC 9457): what an error answer holds.
///
/// `type` names the kind of problem and is what clients tell problems apart by; `title` belongs to
/// the type, `detail` to this occurrence.
public struct Problem: Sendable {
  public var status: Status
  /// A URI reference. `about:blank` says no more than the status.
  public var type: String
  public var title: String
  public var detail: String?
  public var instance: String?
  /// Fields that the answer has besides its `Content-Type`: `Retry-After`, `Allow`.
  public var fields: Fields
  /// Writes the members that only this type has (RFC 9457 section 3.2).
  public var members: (@Sendable (inout JSONObjectWriter) -> Void)?

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

  /// A problem of a kind. `detail`: this occurrence of it.
  public init(
    _ kind: ProblemType, detail: String, instance: String? = nil, fields: Fields = .none,
    members: (@Sendable (inout JSONObjectWriter) -> Void)? = nil
  ) {
    self.init(
      kind.status, type: kind.path, title: kind.title, detail: detail, instance: instance,
      fields: fields, members: members)
  }

  /// `hints`: what an operator can do, for each kind.
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

  /// The answer, `application/problem+json`.
  public func response() -> Response {
    let buffer = ByteBuffer(capacity: 256)
    write(to: buffer)
    var all = Problem.ownFields
    all.append(fields)
    return Response(status, all, body: .bytes(Array(buffer.bytes)))
  }

  /// Kept by nobody, which 404, 414 or 501 may be by default (RFC 9110 section 15.1), and never
  /// taken for a page.
  private static let ownFields = Fields([
    "Content-Type": "application/problem+json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  ])
}
