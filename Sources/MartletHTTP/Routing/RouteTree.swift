/// A ``Router``'s routes, ready to be looked for. Immutable.
final class RouteTree: Sendable {
  /// Whether a request's body is to be read before it is answered.
  enum Admission {
    case read(most: Int)
    case answerNow
    /// The route decides; where it wants the body, so many bytes of it are read.
    case ask(Router.Handler, most: Int)
  }

  /// By reference, as a request finds it twice.
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
  /// The most that any route wants to read of a body, where it says so.
  let largestBody: Int
  /// For `OPTIONS *`.
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

  /// A request whose route is missing is answered before its body is read when the client waits for
  /// that, or when the body is long; a short body is read, and the connection stays.
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

  /// Calls the handler, or answers in place of the one that is missing.
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
