import MartletHTTP
import Synchronization

/// The routes of a service by method and path, for requests inside other requests: operations of a
/// batch and queries of a stream. Matching works as in the server's router.
final class RouteTable: Sendable {
  private struct Content {
    var tree = PathTree<Route>()
    var patterns: [Suggestion.Pattern] = []
  }

  private let content = Mutex(Content())

  func add(_ route: Route, _ pattern: PathPattern) throws(RouteError) {
    try content.withLock { content throws(RouteError) in
      try content.tree.add(route.method, pattern, route)
      content.patterns.append(Suggestion.Pattern(route.pattern))
    }
  }

  /// Finds the route of a request and sets the request's path parameters. Throws if its caller may
  /// not use the route.
  func find(_ request: Request, _ context: Context) throws -> PathTree<Route>.Match {
    let match = content.withLock { $0.tree }.find(request)
    if case .found(let route) = match {
      if let need = route.need { try request.access.check(need) }
      try route.check(request, context)
    }
    return match
  }

  /// An existing path close to one that does not exist.
  func suggestion(for path: String) -> String? {
    Suggestion.path(for: path, among: content.withLock { $0.patterns })
  }
}
