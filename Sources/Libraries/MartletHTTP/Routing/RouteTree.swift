/// The routes of a ``Router``, prepared for lookup. Immutable.
final class RouteTree: Sendable {
  /// Whether to read the body of a request before answering it.
  enum Admission {
    /// Reads the body, up to `most` bytes.
    case read(most: Int)
    /// Answers without reading the body.
    case answerNow
    /// Lets the route decide. If it wants the body, up to `most` bytes are read.
    case ask(Router.Handler, most: Int)
  }

  /// A class, because the lookup happens twice per request with a body.
  private final class Entry: Sendable {
    let bodyLimit: Int?
    let admit: Router.Handler?
    let handler: Router.Handler

    init(_ route: Router.Route) {
      bodyLimit = route.bodyLimit
      admit = route.admit
      handler = route.handler
    }
  }

  private let tree: PathTree<Entry>
  private let missed: @Sendable (Router.Miss, Request, RequestContext) -> Response
  private let readsMissedBodies: Bool
  /// The largest body limit that a route sets. 0 if none does.
  let largestBody: Int
  /// The `Allow` value of `OPTIONS *`.
  private let allMethods: String

  init(_ router: Router) throws(RouteError) {
    var tree = PathTree<Entry>()
    for route in router.routes { try tree.add(route.method, route.pattern, Entry(route)) }
    self.tree = tree
    allMethods = Method.allow { method in router.routes.contains { $0.method == method } }
    largestBody = router.routes.compactMap(\.bodyLimit).max() ?? 0
    missed = router.missed
    readsMissedBodies = router.readsMissedBodies
  }

  /// Decides about the body of a request.
  ///
  /// A request without a route is answered before its body is read if the body is long or the
  /// client waits for `100 Continue`. A short body is read, so that the connection can stay open.
  func admission(of request: Request, default limit: Int) -> Admission {
    if case .found(let route) = tree.find(request) {
      let most = route.bodyLimit ?? limit
      return route.admit.map { .ask($0, most: most) } ?? .read(most: most)
    }
    if readsMissedBodies { return .read(most: limit) }
    let short = 64 << 10
    let storage = request.storage
    return storage.expectsContinue || storage.length > short
      ? .answerNow : .read(most: min(limit, short))
  }

  /// Calls the handler of the matching route, or produces the response for a missing route.
  func answer(_ request: Request, _ context: RequestContext) -> Outcome {
    let miss: Router.Miss
    switch tree.find(request) {
    case .found(let route): return route.handler(request, context)
    case .otherMethods(let allow):
      miss = request.method == .options ? .options(allow: allow) : .methodNotAllowed(allow: allow)
    case .nothing:
      let isForAll = request.method == .options && request.storage[request.storage.path].equals("*")
      miss = isForAll ? .options(allow: allMethods) : .notFound
    }
    return .respond(missed(miss, request, context))
  }
}
