import MartletHTTP

/// Routes that requests within requests are answered by: parts of a batch, queries of a stream.
struct RegisteredRoutes<Kind: Sendable>: Sendable {
  private var routes: [(method: Method, pattern: PathPattern, kind: Kind, need: Need?)] = []

  mutating func add(_ route: Route, _ pattern: PathPattern, _ kind: Kind) {
    routes.append((route.method, pattern, kind, route.need))
  }

  /// The route for a request, which then has the parameters of its path. Literal segments win over
  /// parameters, as in the server's tree. Throws where the request's caller may not use it.
  func best(for request: Request) throws(APIProblem) -> Kind? {
    let matching = routes.filter { $0.method == request.method && request.matches($0.pattern) }
    guard let best = matching.min(by: { $0.pattern.parameterCount < $1.pattern.parameterCount }),
      request.matches(best.pattern)
    else { return nil }
    if let need = best.need { try request.access.check(need) }
    return best.kind
  }

  /// Whether there is something at the path, for whatever method.
  func isThere(_ request: Request) -> Bool { routes.contains { request.matches($0.pattern) } }
}
