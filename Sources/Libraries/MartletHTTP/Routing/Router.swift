/// The routes of a server: which handler answers which method and path.
///
///     var router = Router()
///     router.on(.get, "/v1/lists/{id}") { request, context in
///       .respond(Response(body: .text(request.parameter("id") ?? "")))
///     }
///
/// A literal segment takes precedence over a parameter. HEAD falls back to GET, and its response is
/// sent without content. Without a handler, OPTIONS gets 204 with `Allow`, other methods of a known
/// path get 405, and other paths get 404.
public struct Router: Sendable {
  /// Answers a request. Called on an event loop, so it must not block.
  public typealias Handler = @Sendable (Request, RequestContext) -> Outcome

  /// A request that no handler answers.
  public enum Miss: Sendable {
    /// No route has this path.
    case notFound
    /// The path has routes for other methods. `allow` is the value of the `Allow` field.
    case methodNotAllowed(allow: String)
    /// An OPTIONS request without its own handler. `allow` is the value of the `Allow` field.
    case options(allow: String)
  }

  struct Route: Sendable {
    let method: Method
    let pattern: PathPattern
    let bodyLimit: Int?
    let admit: Handler?
    let handler: Handler
  }

  private(set) var routes: [Route] = []

  /// Answers requests without a route. Replace it to add fields or to return custom documents.
  public var missed: @Sendable (Miss, Request, RequestContext) -> Response = { miss, _, _ in
    Router.answer(to: miss)
  }

  /// Whether ``missed`` reads bodies. Otherwise a request without a route is answered before a long
  /// body, or one after `Expect: 100-continue`, is read.
  public var readsMissedBodies = false

  /// Makes a router without routes.
  public init() {}

  /// Adds a route. `bodyLimit` in bytes replaces ``Limits/body`` for it.
  ///
  /// ``HTTPServer/init(configuration:router:onEvent:)`` throws if two routes have the same method
  /// and path.
  ///
  /// The server calls `admit` for a request with a body, before it sends `100 Continue` or reads
  /// the body. It returns ``Outcome/readBody(_:)`` or the final response (RFC 9110 section
  /// 10.1.1), at once or through ``Outcome/later(_:)``. Without `admit` every body is read.
  public mutating func on(
    _ method: Method, _ pattern: PathPattern, bodyLimit: Int? = nil, admit: Handler? = nil,
    _ handler: @escaping Handler
  ) {
    routes.append(
      Route(
        method: method, pattern: pattern, bodyLimit: bodyLimit, admit: admit, handler: handler))
  }

  /// A router with the same routes, which answers no request that `check` refuses with a response.
  /// `check` is called before a body is read.
  package func guarded(_ check: @escaping @Sendable (Request) -> Response?) -> Router {
    var guarded = Router()
    for route in routes {
      let admit: Handler = { request, loop in
        if let refusal = check(request) { return .respond(refusal) }
        return route.admit?(request, loop) ?? .readBody(request)
      }
      guarded.on(route.method, route.pattern, bodyLimit: route.bodyLimit, admit: admit) {
        request, loop in
        if let refusal = check(request) { return .respond(refusal) }
        return route.handler(request, loop)
      }
    }
    let missed = missed
    guarded.missed = { miss, request, loop in check(request) ?? missed(miss, request, loop) }
    return guarded
  }

  /// The default response: 404 and 405 as problem documents, 204 for OPTIONS.
  public static func answer(to miss: Miss) -> Response {
    switch miss {
    case .notFound:
      return Problem(
        .notFound, type: "/problems/not-found", detail: "There is nothing at this path."
      )
      .response()
    case .methodNotAllowed(let allow):
      return Problem(
        .methodNotAllowed, type: "/problems/method-not-allowed",
        detail: "This path supports \(allow).", fields: Fields(["Allow": allow])
      ).response()
    case .options(let allow):
      return Response(.noContent, Fields(["Allow": allow]))
    }
  }
}
