import HTTPServer

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

  public static func read(
    _ pattern: String, on place: ReadRoute.Place = .loop, _ parse: @escaping ReadRoute.Parse
  ) -> Route {
    Route(method: .get, pattern: pattern, kind: .read(ReadRoute(place: place, parse: parse)))
  }

  public static func write(
    _ method: Method, _ pattern: String, _ parse: @escaping WriteRoute.Parse
  ) -> Route {
    Route(method: method, pattern: pattern, kind: .write(WriteRoute(parse: parse)))
  }

  /// Several reads on one event stream: `?name=/v1/…&name=/v1/…`.
  public static func bundle(_ pattern: String) -> Route {
    .plain(.get, pattern) { request, _, api in LiveBundle.follow(request, api) }
  }

  /// Several changes in one transaction: `{"operations": […]}`.
  public static func batch(_ pattern: String) -> Route {
    Route(
      method: .post, pattern: pattern,
      kind: .write(WriteRoute(parse: Batch.parse, isPart: false)))
  }

  public static func plain(
    _ method: Method, _ pattern: String,
    _ answer: @escaping @Sendable (Request, RequestContext, API) -> Outcome
  ) -> Route { Route(method: method, pattern: pattern, kind: .plain(answer)) }

  func answer(_ request: Request, _ context: RequestContext, _ api: API) -> Outcome {
    switch kind {
    case .read(let route): route.answer(request, context, api)
    case .write(let route): route.answer(request, context, api)
    case .plain(let answer): answer(request, context, api)
    }
  }
}
