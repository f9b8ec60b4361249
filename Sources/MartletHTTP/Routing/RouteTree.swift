/// A ``Router``'s routes as a tree of segments. Immutable; finding a route copies nothing. Public for
/// routes that answer requests of their own making (``Request/init(_:target:fields:body:peer:)``).
public final class RouteTree: Sendable {
  /// Whether a request's body is to be read before it is answered.
  enum Admission {
    case read(most: Int)
    case answerNow
    /// The route decides; where it wants the body, so many bytes of it are read.
    case ask(Router.Handler, most: Int)
  }

  private struct Leaf: Sendable {
    let handler: Router.Handler
    let pattern: String
    let bodyLimit: Int?
    let admit: Router.Handler?
    let parameterNames: [String]
  }

  private struct Node: Sendable {
    var literals: [(bytes: [UInt8], node: Int)] = []
    var parameter: Int?
    /// By ``Method/rawValue``.
    var leaves = [Leaf?](repeating: nil, count: Method.allCases.count)
    var allow = ""

    var hasLeaves: Bool { !allow.isEmpty }
  }

  private let nodes: [Node]
  private let missed: @Sendable (Router.Miss, Request, RequestContext) -> Response
  private let readsMissedBodies: Bool
  /// The most that any route wants to read of a body, where it says so.
  let largestBody: Int
  /// For `OPTIONS *`.
  private let allMethods: String

  public init(_ router: Router) {
    var nodes = [Node()]
    for route in router.routes {
      var at = 0
      for segment in route.pattern.segments {
        switch segment {
        case .literal(let text):
          let bytes = Array(text.utf8)
          if let known = nodes[at].literals.first(where: { $0.bytes == bytes }) {
            at = known.node
          } else {
            nodes.append(Node())
            nodes[at].literals.append((bytes, nodes.count - 1))
            at = nodes.count - 1
          }
        case .parameter:
          if let known = nodes[at].parameter {
            at = known
          } else {
            nodes.append(Node())
            nodes[at].parameter = nodes.count - 1
            at = nodes.count - 1
          }
        }
      }
      let method = Int(route.method.rawValue)
      precondition(
        nodes[at].leaves[method] == nil, "\(route.method) \(route.pattern.text) is routed twice")
      nodes[at].leaves[method] = Leaf(
        handler: route.handler, pattern: route.pattern.text, bodyLimit: route.bodyLimit,
        admit: route.admit, parameterNames: route.pattern.parameters)
    }
    for place in nodes.indices {
      nodes[place].allow = RouteTree.allow { nodes[place].leaves[Int($0.rawValue)] != nil }
    }
    allMethods = RouteTree.allow { method in router.routes.contains { $0.method == method } }
    largestBody = router.routes.compactMap(\.bodyLimit).max() ?? 0
    self.nodes = nodes
    missed = router.missed
    readsMissedBodies = router.readsMissedBodies
  }

  /// `Allow`'s value: the methods with a handler, HEAD besides GET, and OPTIONS.
  private static func allow(_ has: (Method) -> Bool) -> String {
    let methods = Method.allCases.filter { has($0) || ($0 == .head && has(.get)) }
    guard !methods.isEmpty else { return "" }
    return (methods.filter { $0 != .options } + [.options]).map(\.name).joined(separator: ", ")
  }

  /// A request whose route is missing is answered before its body is read when the client waits for
  /// that, or when the body is long; a short body is read, and the connection stays.
  func admission(of request: Request, default limit: Int) -> Admission {
    let storage = request.storage
    if let node = find(storage), let leaf = leaf(node, storage.method) {
      let most = leaf.bodyLimit ?? limit
      guard let admit = leaf.admit else { return .read(most: most) }
      storage.matched(leaf.pattern, leaf.parameterNames)
      return .ask(admit, most: most)
    }
    if readsMissedBodies { return .read(most: limit) }
    let short = 64 << 10
    return storage.expectsContinue || storage.length > short
      ? .answerNow : .read(most: min(limit, short))
  }

  /// Calls the handler, or answers in place of the one that is missing.
  public func answer(_ request: Request, _ context: RequestContext) -> Outcome {
    let storage = request.storage
    let node = find(storage)
    if let node, let leaf = leaf(node, storage.method) {
      storage.matched(leaf.pattern, leaf.parameterNames)
      return leaf.handler(request, context)
    }
    storage.parameters.removeAll(keepingCapacity: true)
    return .respond(missed(miss(storage, node), request, context))
  }

  private func miss(_ storage: RequestStorage, _ node: Int?) -> Router.Miss {
    if let node {
      let allow = nodes[node].allow
      return storage.method == .options ? .options(allow: allow) : .methodNotAllowed(allow: allow)
    }
    let isForAll = storage.method == .options && storage[storage.path].equals("*")
    return isForAll ? .options(allow: allMethods) : .notFound
  }

  private func leaf(_ node: Int, _ method: Method) -> Leaf? {
    let leaves = nodes[node].leaves
    return leaves[Int(method.rawValue)]
      ?? (method == .head ? leaves[Int(Method.get.rawValue)] : nil)
  }

  /// The node of the request's path, if it has any route; fills in the parameters.
  private func find(_ storage: RequestStorage) -> Int? {
    storage.parameters.removeAll(keepingCapacity: true)
    guard !storage[storage.path].equals("*") else { return nil }
    return find(storage, 0, at: 0)
  }

  /// Tries the literal first and comes back to the parameter when nothing is found below it, so
  /// that `/{a}/x` is reached also where `/lists/y` is a route.
  private func find(_ storage: RequestStorage, _ node: Int, at depth: Int) -> Int? {
    guard depth < storage.segments.count else { return nodes[node].hasLeaves ? node : nil }
    let slice = storage.segments[depth]
    let segment = storage[slice]
    for literal in nodes[node].literals where literal.bytes.count == segment.count {
      let isSame = literal.bytes.withUnsafeBufferPointer { $0.elementsEqual(segment) }
      if isSame, let found = find(storage, literal.node, at: depth + 1) { return found }
    }
    guard let parameter = nodes[node].parameter, segment.count > 0 else { return nil }
    storage.parameters.append(slice)
    if let found = find(storage, parameter, at: depth + 1) { return found }
    storage.parameters.removeLast()
    return nil
  }
}
