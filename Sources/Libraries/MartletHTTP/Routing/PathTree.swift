import Glibc

/// Values by method and path, stored as a tree of path segments. A lookup copies nothing.
///
/// A literal segment takes precedence over a parameter. HEAD falls back to GET.
public struct PathTree<Value: Sendable>: Sendable {
  /// The result of a lookup.
  public enum Match {
    /// The value for the request. The pattern is now the request's ``Request/route``, and the
    /// request's parameters are set.
    case found(Value)
    /// The path has values for other methods. `allow` is the value of the `Allow` field.
    case otherMethods(allow: String)
    /// No pattern matches the path.
    case nothing
  }

  /// A class, so that a lookup copies nothing.
  private final class Leaf: Sendable {
    let value: Value
    let pattern: String
    let parameterNames: [String]

    init(_ value: Value, _ pattern: PathPattern) {
      self.value = value
      self.pattern = pattern.text
      parameterNames = pattern.parameters
    }
  }

  // Nodes and edges refer to each other by index, so a lookup does no reference counting.
  private struct Node: Sendable {
    var firstEdge: Int?
    var parameter: Int?
    var hasLeaves = false
  }

  /// A literal segment below a node: the position of its bytes in ``text``, and the next edge of
  /// the same node.
  private struct Edge: Sendable {
    let start: Int
    let count: Int
    let node: Int
    let next: Int?
  }

  private var nodes: [Node] = []
  private var edges: [Edge] = []
  private var text: [UInt8] = []
  /// The values, indexed by node and ``Method/rawValue``.
  private var leaves: [Leaf?] = []
  /// The values of `Allow`, indexed by node.
  private var allowed: [String] = []

  /// Makes an empty tree.
  public init() { addNode() }

  /// Adds a value. Throws ``RouteError`` if the method and path already have one.
  public mutating func add(
    _ method: Method, _ pattern: PathPattern, _ value: Value
  ) throws(RouteError) {
    var at = 0
    for segment in pattern.segments {
      at = child(of: at, segment)
    }
    if let other = leaf(at, method) {
      throw .isThere(method, pattern.text, other: other.pattern)
    }
    leaves[place(at, method)] = Leaf(value, pattern)
    nodes[at].hasLeaves = true
    allowed[at] = Method.allow { leaf(at, $0) != nil }
  }

  @discardableResult
  private mutating func addNode() -> Int {
    nodes.append(Node())
    leaves.append(contentsOf: repeatElement(nil, count: Method.allCases.count))
    allowed.append("")
    return nodes.count - 1
  }

  private mutating func child(of node: Int, _ segment: PathPattern.Segment) -> Int {
    switch segment {
    case .literal(let literal):
      var literal = literal
      if let known = literal.withUTF8({ find($0, below: node) }) { return edges[known].node }
      let child = addNode()
      let edge = Edge(
        start: text.count, count: literal.utf8.count, node: child, next: nodes[node].firstEdge)
      text.append(contentsOf: literal.utf8)
      nodes[node].firstEdge = edges.count
      edges.append(edge)
      return child
    case .parameter:
      if let known = nodes[node].parameter { return known }
      let child = addNode()
      nodes[node].parameter = child
      return child
    }
  }

  /// Finds the value for a request's method and path, and sets the request's route and parameters.
  public func find(_ request: Request) -> Match {
    let storage = request.storage
    storage.parameters.removeAll(keepingCapacity: true)
    guard !storage[storage.path].equals("*"), let node = find(storage, 0, at: 0) else {
      return .nothing
    }
    guard
      let leaf = leaf(node, storage.method) ?? (storage.method == .head ? leaf(node, .get) : nil)
    else {
      storage.parameters.removeAll(keepingCapacity: true)
      return .otherMethods(allow: allowed[node])
    }
    storage.matched(leaf.pattern, leaf.parameterNames)
    return .found(leaf.value)
  }

  private func place(_ node: Int, _ method: Method) -> Int {
    node * Method.allCases.count + Int(method.rawValue)
  }

  private func leaf(_ node: Int, _ method: Method) -> Leaf? { leaves[place(node, method)] }

  /// The index of the edge for a literal segment.
  private func find(_ segment: UnsafeBufferPointer<UInt8>, below node: Int) -> Int? {
    var next = nodes[node].firstEdge
    while let at = next {
      let edge = edges[at]
      if edge.count == segment.count, isText(edge, segment) { return at }
      next = edge.next
    }
    return nil
  }

  private func isText(_ edge: Edge, _ segment: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let bytes = segment.baseAddress, edge.count > 0 else { return edge.count == 0 }
    return text.withUnsafeBufferPointer {
      $0.baseAddress.map { memcmp($0 + edge.start, bytes, edge.count) == 0 } ?? false
    }
  }

  /// Finds the node for the segments from `depth` on.
  ///
  /// Tries the literal segment first and backtracks to the parameter, so a request for `/lists/x`
  /// finds `/{a}/x`, even if `/lists/y` is a route.
  private func find(_ storage: RequestStorage, _ node: Int, at depth: Int) -> Int? {
    guard depth < storage.segments.count else { return nodes[node].hasLeaves ? node : nil }
    let slice = storage.segments[depth]
    let segment = storage[slice]
    if let edge = find(segment, below: node),
      let found = find(storage, edges[edge].node, at: depth + 1)
    {
      return found
    }
    guard let parameter = nodes[node].parameter, segment.count > 0 else { return nil }
    storage.parameters.append(slice)
    if let found = find(storage, parameter, at: depth + 1) { return found }
    storage.parameters.removeLast()
    return nil
  }
}

extension Method {
  /// The value of `Allow`: the existing methods, HEAD along with GET, and OPTIONS.
  static func allow(_ has: (Method) -> Bool) -> String {
    let methods = allCases.filter { has($0) || ($0 == .head && has(.get)) }
    guard !methods.isEmpty else { return "" }
    return (methods.filter { $0 != .options } + [.options]).map(\.name).joined(separator: ", ")
  }
}
