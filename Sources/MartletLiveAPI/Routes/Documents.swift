import Dispatch
import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletStore

extension Route {
  /// A route for a document that does not change while the process runs. It is open to everyone.
  public static func document(
    _ pattern: String, type: String, _ bytes: [UInt8]
  ) -> Route {
    constant(pattern, type, bytes, Fields())
  }

  /// A route for a part of a web page that uses nothing but this server. It is open to everyone.
  ///
  /// The `Content-Security-Policy` permits scripts, styles and requests only from and to this
  /// server, and no other page may frame the page.
  public static func page(
    _ pattern: String, type: String, _ bytes: [UInt8]
  ) -> Route {
    constant(pattern, type, bytes, pageFields)
  }

  /// A route that serves `page` to browsers and the JSON document `other` to clients that do not
  /// ask for HTML. It is open to everyone.
  public static func entrance(_ pattern: String, _ page: [UInt8], others other: [UInt8]) -> Route {
    let varies = "Accept, Accept-Encoding"
    let page = Document(page, "text/html; charset=utf-8", pageFields, varies: varies)
    let other = Document(other, "application/json", Fields(), varies: varies)
    return .plain(.get, pattern, needs: .noKey) { request, _, _ in
      let isPage = Accept(request.fields.list("Accept")).best(of: [.json, .html]) == .html
      return .respond((isPage ? page : other).answer(to: request))
    }
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
    return .plain(.get, pattern, needs: .noKey) { request, _, _ in
      .respond(document.answer(to: request))
    }
  }

  /// A route for a text that `make` produces for each request, on a background thread. Callers need
  /// a key with the scope `read` by default.
  public static func text(
    _ pattern: String, type: String, needs need: KeyNeed = .read,
    _ make: @escaping @Sendable () -> String
  ) -> Route {
    var fields = Fields(["Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"])
    fields.append("Content-Type", type)
    return .plain(.get, pattern, needs: need) { [fields] _, _, _ in
      .later { responder in
        DispatchQueue.global(qos: .utility).async {
          responder.respond(Response(.ok, fields, body: .text(make())))
        }
      }
    }
  }
}

/// A constant document, plain and compressed.
struct Document: Sendable {
  /// The responses for one content coding: 200 and 304.
  private struct Form: Sendable {
    let whole: Response
    let unchanged: Response
  }

  private let plain: Form
  /// `nil` if compression does not make the document smaller.
  private let compressed: Form?
  private let tag: ETag

  init(
    _ bytes: [UInt8], _ type: String, _ more: Fields, varies: String = "Accept-Encoding"
  ) {
    let tag = ETag(hashing: bytes)
    func form(_ tag: String, _ bytes: [UInt8], coding: String?) -> Form {
      var fields = Fields(["Cache-Control": "no-cache", "Vary": varies])
      fields.append("ETag", tag)
      let unchanged = Response(.notModified, fields)
      fields.append(more)
      fields.append("X-Content-Type-Options", "nosniff")
      fields.append("Content-Type", type)
      if let coding { fields.append("Content-Encoding", coding) }
      return Form(
        whole: Response(.ok, fields, body: .shared(SharedBytes(bytes))), unchanged: unchanged)
    }
    let smaller = bytes.withUnsafeBufferPointer { Gzip.compress($0) }
    plain = form(tag.description, bytes, coding: nil)
    compressed =
      smaller.count < bytes.count ? form(tag.compressed, smaller, coding: "gzip") : nil
    self.tag = tag
  }

  func answer(to request: Request) -> Response {
    let coding = AcceptEncoding(request.fields.list("Accept-Encoding"))
    let form = coding.prefersGzip ? compressed ?? plain : plain
    return Preconditions(request).excludes(tag) ? form.unchanged : form.whole
  }
}
