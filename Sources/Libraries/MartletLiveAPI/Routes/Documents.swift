import Dispatch
import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletStore
import Synchronization

extension Route {
  /// A route for a document that does not change while the process runs. It is open to everyone.
  ///
  /// `bytes` is evaluated when the document is first asked for.
  public static func document(
    _ pattern: String, type: String, _ bytes: @autoclosure @escaping @Sendable () -> [UInt8]
  ) -> Route {
    constant(pattern, Document(type, Fields(), bytes))
  }

  /// A route for a part of a web page that uses nothing but this server. It is open to everyone.
  ///
  /// `policy` is the `Content-Security-Policy`. The default permits scripts, styles and requests
  /// only from and to this server, and no other page may frame the page. `bytes` is evaluated when
  /// the page is first asked for.
  public static func page(
    _ pattern: String, type: String, policy: String = pagePolicy,
    _ bytes: @autoclosure @escaping @Sendable () -> [UInt8]
  ) -> Route {
    constant(pattern, Document(type, fields(policy), bytes))
  }

  /// The same for a part that was compressed when the program was built, as small as can be.
  package static func page(
    _ pattern: String, type: String, policy: String,
    gzip bytes: @escaping @Sendable () -> [UInt8]
  ) -> Route {
    constant(pattern, Document(type, fields(policy), isGzip: true, bytes))
  }

  /// A route that serves `page` to browsers and the JSON document `other` to clients that do not
  /// ask for HTML. It is open to everyone.
  public static func entrance(
    _ pattern: String, _ page: @autoclosure @escaping @Sendable () -> [UInt8],
    others other: @autoclosure @escaping @Sendable () -> [UInt8]
  ) -> Route {
    entrance(pattern, policy: pagePolicy, isGzip: false, page, others: other)
  }

  /// The same with another `Content-Security-Policy`, and with a page that may have been compressed
  /// when the program was built.
  package static func entrance(
    _ pattern: String, policy: String, isGzip: Bool,
    _ page: @escaping @Sendable () -> [UInt8], others other: @escaping @Sendable () -> [UInt8]
  ) -> Route {
    let varies = "Accept, Accept-Encoding"
    let page = Document(
      "text/html; charset=utf-8", fields(policy), varies: varies, isGzip: isGzip, page)
    let other = Document("application/json", Fields(), varies: varies, other)
    return .plain(.get, pattern, needs: .noKey) { request, _, _ in
      let isPage = Accept(request.fields.list("Accept")).best(of: [.json, .html]) == .html
      return .respond((isPage ? page : other).answer(to: request))
    }
  }

  /// The `Content-Security-Policy` of pages that name no other.
  public static let pagePolicy = """
    default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'
    """

  private static func fields(_ policy: String) -> Fields {
    Fields([
      "Content-Security-Policy": policy, "Referrer-Policy": "no-referrer",
      "Cross-Origin-Opener-Policy": "same-origin",
    ])
  }

  private static func constant(_ pattern: String, _ document: Document) -> Route {
    .plain(.get, pattern, needs: .noKey) { request, _, _ in
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

/// A constant document. It is read and compressed when it is first asked for, so that documents do
/// not slow down the start.
final class Document: Sendable {
  private let make: @Sendable () -> Forms
  private let made = AtomicLazyReference<Forms>()

  init(
    _ type: String, _ more: Fields, varies: String = "Accept-Encoding", isGzip: Bool = false,
    _ bytes: @escaping @Sendable () -> [UInt8]
  ) {
    make = {
      let bytes = bytes()
      guard isGzip else {
        let smaller = bytes.withUnsafeBufferPointer { Gzip(level: 9).compressed($0) }
        return Forms(bytes, smaller, type, more, varies: varies)
      }
      guard let plain = Gzip.decompress(bytes) else { preconditionFailure("not gzip") }
      return Forms(plain, bytes, type, more, varies: varies)
    }
  }

  func answer(to request: Request) -> Response {
    // Two threads may make it at once; both then use the one that was stored first.
    let forms = made.load() ?? made.storeIfNil(make())
    let coding = AcceptEncoding(request.fields.list("Accept-Encoding"))
    let form = coding.prefersGzip ? forms.compressed ?? forms.plain : forms.plain
    return Preconditions(request).excludes(forms.tag) ? form.unchanged : form.whole
  }

  /// The responses for one content coding: 200 and 304.
  private struct Form: Sendable {
    let whole: Response
    let unchanged: Response
  }

  private final class Forms: Sendable {
    let plain: Form
    /// `nil` if compression does not make the document smaller.
    let compressed: Form?
    let tag: ETag

    init(
      _ bytes: [UInt8], _ smaller: [UInt8], _ type: String, _ more: Fields, varies: String
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
      plain = form(tag.description, bytes, coding: nil)
      compressed =
        smaller.count < bytes.count ? form(tag.compressed, smaller, coding: "gzip") : nil
      self.tag = tag
    }
  }
}
