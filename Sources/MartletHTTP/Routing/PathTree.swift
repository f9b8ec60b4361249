/// Values by method and path, as a tree of the patterns' segments: the one way in which a path finds its route. Finding
/// copies nothing.
///
/// A literal segment wins over a parameter. HEAD falls back to GET.
public struct PathTree<Value: Sendable>: Sendable {
  /// What is there at a request's path.
  public enum Match {
    /// The request's ``Request/route`` and parameters are the pattern's.
    case found(Value)
    /// Values of other methods: `allow` is the `Allow` field's value.
    case otherMethods(allow: String)
    case nothing
  }

  /// By reference: to find one copies nothing.
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

  private struct Node: Sendable {
    var literals: [(bytes: [UInt8], node: Int)] = []
    var parameter: Int?
    /// By ``Method/rawValue``.
    var leaves = [Leaf?](repeating: nil, count: Method.allCases.count)
    /// Empty where the node has no leaves.
    var allow = ""
  }

  private var nodes = [Node()]

  public init() {}

  /// The same method and pattern twice is a mistake of the program, and stops it.
  public mutating func add(_ method: Method, _ pattern: PathPattern, _ value: Value) {
    var at = 0
    for segment in pattern.segments {
      at = child(of: at, segment)
    }
    precondition(
      nodes[at].leaves[Int(method.rawValue)] == nil, "\(method) \(pattern.text) is routed twice")
    nodes[at].leaves[Int(method.rawValue)] = Leaf(value, pattern)
    let leaves = nodes[at].leaves
    nodes[at].allow = Method.allow { leaves[Int($0.rawValue)] != nil }
  }

  private mutating func child(of node: Int, _ segment: PathPattern.Segment) -> Int {
    switch segment {
    case .literal(let text):
      let bytes = Array(text.utf8)
      if let known = nodes[node].literals.first(where: { $0.bytes == bytes }) { return known.node }
      nodes[node].literals.append((bytes, nodes.count))
    case .parameter:
      if let known = nodes[node].parameter { return known }
      nodes[node].parameter = nodes.count
    }
    nodes.append(Node())
    return nodes.count - 1
  }

  /// What is at the request's path for its method; the request then has the parameters of its path.
  public func find(_ request: Request) -> Match {
    let storage = request.storage
    storage.parameters.removeAll(keepingCapacity: true)
    guard !storage[storage.path].equals("*"), let node = find(storage, 0, at: 0) else {
      return .nothing
    }
    guard let leaf = leaf(node, storage.method) else {
      storage.parameters.removeAll(keepingCapacity: true)
      return .otherMethods(allow: nodes[node].allow)
    }
    storage.matched(leaf.pattern, leaf.parameterNames)
    return .found(leaf.value)
  }

  private func leaf(_ node: Int, _ method: Method) -> Leaf? {
    if let leaf = nodes[node].leaves[Int(method.rawValue)] { return leaf }
    return method == .head ? nodes[node].leaves[Int(Method.get.rawValue)] : nil
  }

  /// Tries the literal first and comes back to the parameter when nothing is found below it, so
  /// that `/{a}/x` is reached also where `/lists/y` is a route.
  private func find(_ storage: RequestStorage, _ node: Int, at depth: Int) -> Int? {
    guard depth < storage.segments.count else { return nodes[node].allow.isEmpty ? nil : node }
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

extension Method {
  /// `Allow`'s value: the methods that there are, HEAD besides GET, and OPTIONS.
  static func allow(_ has: (Method) -> Bool) -> String {
    let methods = allCases.filter { has($0) || ($0 == .head && has(.get)) }
    guard !methods.isEmpty else { return "" }
    return (methods.filter { $0 != .options } + [.options]).map(\.name).joined(separator: ", ")
  }
}
