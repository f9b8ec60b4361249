import MartletHTTP

/// A route as a value: what it answers, and of which kind it is.
public struct Route: Sendable {
  public enum Kind: Sendable {
    /// A `GET` whose result can also be followed.
    case read(ReadRoute)
    case write(WriteRoute)
    /// Anything else: health, metrics, documents.
    case plain(@Sendable (Request, RequestContext, API) -> Outcome)
  }

  public let method: Method
  /// `/v1/lists/{id}`
  public let pattern: String
  public let kind: Kind
  /// What its callers need; `nil`: it is there for everybody.
  var need: Need?
  /// Whether its body may be larger than others'.
  var isUpload = false

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

  /// Several reads on one event stream: `?name=/v1/…&name=/v1/…`. Each asks for its own rights.
  public static func bundle(_ pattern: String) -> Route {
    Route(
      method: .get, pattern: pattern,
      kind: .plain { request, _, api in LiveBundle.follow(request, api) },
      need: Need(scope: .read, parts: .respected, isLive: true))
  }

  /// Several changes in one transaction: `{"operations": […]}`. Each asks for its own rights.
  public static func batch(_ pattern: String) -> Route {
    Route(
      method: .post, pattern: pattern,
      kind: .write(WriteRoute(parse: Batch.parse, isPart: false)),
      need: Need(scope: .write, parts: .respected))
  }

  /// `scope`: what callers need; `nil`: it is there for everybody.
  public static func plain(
    _ method: Method, _ pattern: String, needs scope: Rights.Scope? = nil,
    _ answer: @escaping @Sendable (Request, RequestContext, API) -> Outcome
  ) -> Route {
    Route(
      method: method, pattern: pattern, kind: .plain(answer),
      need: scope.map { Need(scope: $0, parts: .refused) })
  }

  func answer(_ request: Request, _ context: RequestContext, _ api: API) -> Outcome {
    switch kind {
    case .read(let route): route.answer(request, context, api)
    case .write(let route): route.answer(request, context, api)
    case .plain(let answer): answer(request, context, api)
    }
  }
}
