import MartletHTTP
import Synchronization

/// A service's routes by method and path, for requests within requests: parts of a batch, queries of a stream. They are
/// found in the same way as those of the server.
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

  /// The route of a request, which then has the parameters of its path. Throws where its caller may not use it.
  func find(_ request: Request, _ context: Context) throws -> PathTree<Route>.Match {
    let match = content.withLock { $0.tree }.find(request)
    if case .found(let route) = match {
      if let need = route.need { try request.access.check(need) }
      try route.check(request, context)
    }
    return match
  }

  /// A path that there is and that may have been meant by one that there is not.
  func suggestion(for path: String) -> String? {
    Suggestion.path(for: path, among: content.withLock { $0.patterns })
  }
}
