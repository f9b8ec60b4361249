import HTTPServer
import JSON
import Store

extension Route {
  /// A document that does not change while the process runs.
  public static func document(
    _ pattern: String, type: String, _ bytes: [UInt8]
  ) -> Route {
    constant(pattern, type, bytes, Fields())
  }

  /// Part of a page that needs nothing but this server: its scripts, styles and requests may go nowhere
  /// else, and no other page may frame it.
  public static func page(
    _ pattern: String, type: String, _ bytes: [UInt8]
  ) -> Route {
    constant(pattern, type, bytes, pageFields)
  }

  private static let pageFields = Fields([
    "Content-Security-Policy": """
    default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'
    """,
    "Referrer-Policy": "no-referrer",
  ])

  private static func constant(
    _ pattern: String, _ type: String, _ bytes: [UInt8], _ more: Fields
  ) -> Route {
    let document = Document(bytes, type, more)
    return .plain(.get, pattern) { request, _, _ in .respond(document.answer(to: request)) }
  }

  /// A text that is made at each request.
  public static func text(
    _ pattern: String, type: String, _ make: @escaping @Sendable () -> String
  ) -> Route {
    var fields = Fields(["Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"])
    fields.append("Content-Type", type)
    return .plain(.get, pattern) { [fields] _, _, _ in
      .respond(Response(.ok, fields, body: .text(make())))
    }
  }
}

/// Bytes that never change, as they are and compressed, with the tags of both.
private struct Document: Sendable {
  private let plain: SharedBytes
  private let compressed: SharedBytes
  private let tag: ETag
  private let plainFields: Fields
  private let compressedFields: Fields
  /// Of an answer without content, by whether it would have been compressed.
  private let unchanged: [Bool: Fields]

  init(_ bytes: [UInt8], _ type: String, _ more: Fields) {
    plain = SharedBytes(bytes)
    compressed = SharedBytes(bytes.withUnsafeBufferPointer { Gzip.compress($0) })
    tag = ETag(hashing: bytes)
    func fields(_ tag: String) -> Fields {
      var fields = Fields(["Cache-Control": "no-cache", "Vary": "Accept-Encoding"])
      fields.append("ETag", tag)
      return fields
    }
    func withContent(_ before: Fields) -> Fields {
      var fields = before
      fields.append(more)
      fields.append("X-Content-Type-Options", "nosniff")
      fields.append("Content-Type", type)
      return fields
    }
    unchanged = [false: fields(tag.description), true: fields(tag.compressed)]
    plainFields = withContent(fields(tag.description))
    var coded = withContent(fields(tag.compressed))
    coded.append("Content-Encoding", "gzip")
    compressedFields = coded
  }

  func answer(to request: Request) -> Response {
    let isCompressed =
      compressed.count < plain.count
      && AcceptEncoding(request.fields.list("Accept-Encoding")).prefersGzip
    if let known = request.fields.list("If-None-Match"), EntityTags(known).containsWeakly(tag) {
      return Response(.notModified, unchanged[isCompressed] ?? .none)
    }
    return isCompressed
      ? Response(.ok, compressedFields, body: .shared(compressed))
      : Response(.ok, plainFields, body: .shared(plain))
  }
}
