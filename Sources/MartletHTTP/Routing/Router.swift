/// The routes of a server: which handler answers which method and path.
///
///     var router = Router()
///     router.on(.get, "/v1/lists/{id}") { request, context in
///       .respond(Response(body: .text(request.parameter("id") ?? "")))
///     }
///
/// A literal segment wins over a parameter. HEAD falls back to GET, whose answer is sent without
/// its content. OPTIONS is answered 204 with `Allow`, other methods 405, other paths 404.
public struct Router: Sendable {
  public typealias Handler = @Sendable (Request, RequestContext) -> Outcome

  /// A request that no handler answers.
  public enum Miss: Sendable {
    case notFound
    /// The path exists for the methods of `allow`, which is the `Allow` field's value.
    case methodNotAllowed(allow: String)
    /// OPTIONS without a handler of its own.
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

  /// Answers what no handler answers; replace it to add fields or texts of one's own.
  public var missed: @Sendable (Miss, Request, RequestContext) -> Response = { miss, _, _ in
    Router.answer(to: miss)
  }

  /// Whether ``missed`` is to see bodies. Otherwise a request without a route is answered before a
  /// long body, or one behind `Expect: 100-continue`, is read.
  public var readsMissedBodies = false

  public init() {}

  /// Adds a route. `bodyLimit` in bytes replaces ``Limits/body``. A server is not made with two routes for the same method
  /// and path.
  ///
  /// `admit` is asked about a request with a body before any of it is read, and before `100 Continue`: it
  /// gives ``Outcome/readBody(_:)``, or the final answer (RFC 9110 section 10.1.1), either of them at once or
  /// ``Outcome/later(_:)``. Without it every body is read.
  public mutating func on(
    _ method: Method, _ pattern: PathPattern, bodyLimit: Int? = nil, admit: Handler? = nil,
    _ handler: @escaping Handler
  ) {
    routes.append(
      Route(
        method: method, pattern: pattern, bodyLimit: bodyLimit, admit: admit, handler: handler))
  }

  /// 404 and 405 as problem documents, 204 for OPTIONS.
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
        detail: "This path is there for \(allow).", fields: Fields(["Allow": allow])
      ).response()
    case .options(let allow):
      return Response(.noContent, Fields(["Allow": allow]))
    }
  }
}
