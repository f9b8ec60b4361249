import MartletHTTP

/// A route as a value: what it answers, and of which kind it is.
public struct Route: Sendable {
  /// Answers a request. What it is lent by the loop holds for the length of the call.
  public typealias Handler = @Sendable (Request, RequestContext, Context) -> Outcome

  enum Kind: Sendable {
    /// A `GET` whose result can also be followed.
    case read(ReadRoute)
    case write(WriteRoute)
    case download(Download.Parse)
    /// Several reads on one event stream.
    case bundle
    /// Several changes in one transaction.
    case batch
    /// Makes a live session.
    case liveSession
    /// Anything else: health, metrics, documents.
    case plain(Handler)
  }

  public let method: Method
  /// `/v1/lists/{id}`
  public let pattern: String
  let kind: Kind
  /// What its callers need; `nil`: it is there for everybody.
  var need: Need?
  /// The outermost one first.
  var middleware: [Middleware] = []
  /// Whether its body may be larger than others'.
  var isUpload: Bool { if case .write(let route) = kind { route.isUpload } else { false } }

  /// A `GET` whose result can also be followed.
  ///
  /// `parts`: what it does for callers who are limited to parts of the data. `audience`: which callers may
  /// be given the same result. Say ``Audience/everyone`` or ``Audience/parts`` where that is so: then the
  /// result is read once for all of them.
  public static func read(
    _ pattern: String, on place: ReadRoute.Place = .loop, parts: PartsRule = .refused,
    audience: Audience = .caller, _ parse: @escaping ReadRoute.Parse
  ) -> Route {
    Route(
      method: .get, pattern: pattern,
      kind: .read(ReadRoute(place: place, audience: audience, parse: parse)),
      need: Need(scope: .read, parts: parts, isLive: true))
  }

  /// `parts`: as for a read.
  public static func write(
    _ method: Method, _ pattern: String, parts: PartsRule = .refused,
    _ parse: @escaping WriteRoute.Parse
  ) -> Route {
    Route(
      method: method, pattern: pattern, kind: .write(WriteRoute(parse: parse)),
      need: Need(scope: .write, parts: parts))
  }

  /// A `POST` of a file, which may be as large as ``APISettings/uploadBytes``; no part of a batch. `parse` runs on
  /// a thread of its own, one upload at a time, and does all that needs no database.
  public static func upload(
    _ pattern: String, needs scope: Rights.Scope, _ parse: @escaping WriteRoute.Parse
  ) -> Route {
    let route = WriteRoute(isPart: false, isUpload: true) { request, context in
      try Body.checkCoding(request)
      return try parse(request, context)
    }
    return Route(
      method: .post, pattern: pattern, kind: .write(route),
      need: Need(scope: scope, parts: .refused))
  }

  /// A `GET` of a file.
  public static func download(
    _ pattern: String, parts: PartsRule = .refused, _ parse: @escaping Download.Parse
  ) -> Route {
    Route(
      method: .get, pattern: pattern, kind: .download(parse), need: Need(scope: .read, parts: parts)
    )
  }

  /// Several reads on one event stream: `?name=/v1/…&name=/v1/…`. Each asks for its own rights.
  public static func bundle(_ pattern: String) -> Route {
    Route(
      method: .get, pattern: pattern, kind: .bundle,
      need: Need(scope: .read, parts: .respected, isLive: true))
  }

  /// Several changes in one transaction: `{"operations": […]}`. Each asks for its own rights.
  public static func batch(_ pattern: String) -> Route {
    Route(
      method: .post, pattern: pattern, kind: .batch, need: Need(scope: .write, parts: .respected))
  }

  /// `POST`: a secret that event streams can be followed with, in the parameter `access`: an EventSource has no
  /// fields. It reads what the key reads, for as long as the key holds, at most for a day.
  public static func liveSessions(_ pattern: String) -> Route {
    Route(
      method: .post, pattern: pattern, kind: .liveSession,
      need: Need(scope: .read, parts: .respected))
  }

  /// `scope`: what callers need; `nil`: it is there for everybody.
  public static func plain(
    _ method: Method, _ pattern: String, needs scope: Rights.Scope? = nil,
    _ answer: @escaping Handler
  ) -> Route {
    Route(
      method: method, pattern: pattern, kind: .plain(answer),
      need: scope.map { Need(scope: $0, parts: .refused) })
  }
}
