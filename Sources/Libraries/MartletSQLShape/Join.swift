/// The join operator between two sources of a FROM clause.
struct Join {
  enum Side { case inner, left, right, full }
  var side = Side.inner
  var isNatural = false

  static let inner = Join()

  /// The sources whose visible rows the ON condition restricts, where the last of `count` sources
  /// is the one being joined. An outer join keeps the rows of its outer side that have no match.
  func restricts(_ count: Int) -> Range<Int>? {
    switch side {
    case .inner: 0..<count
    case .left: count - 1..<count
    case .right: 0..<count - 1
    case .full: nil
    }
  }

  /// The join operator at the start of the nodes, and its length in nodes.
  static func read(_ nodes: ArraySlice<SQLNode>) -> (Join, Int)? {
    var join = Join()
    for (length, node) in nodes.enumerated() {
      guard let token = node.token, token.kind == .word else { return nil }
      switch token.text.uppercased() {
      case "JOIN": return (join, length + 1)
      case "NATURAL": join.isNatural = true
      case "LEFT": join.side = .left
      case "RIGHT": join.side = .right
      case "FULL": join.side = .full
      case "INNER", "CROSS", "OUTER": break
      default: return nil
      }
    }
    return nil
  }

  /// The position of the next join operator or comma.
  static func next(in nodes: ArraySlice<SQLNode>) -> Int? {
    nodes.indices.first { nodes[$0].isMark(",") || read(nodes[$0...]) != nil }
  }
}
