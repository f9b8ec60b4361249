/// What stands between two sources.
struct Join {
  enum Side { case inner, left, right, full }
  var side = Side.inner
  var isNatural = false

  static let inner = Join()

  /// The sources of which the condition in ON lets only some rows be seen, when the last of `count` is
  /// joined: an outer join keeps the rows of its side that find no partner.
  func restricts(_ count: Int) -> Range<Int>? {
    switch side {
    case .inner: 0..<count
    case .left: count - 1..<count
    case .right: 0..<count - 1
    case .full: nil
    }
  }

  /// The operator at the beginning, and how long it is.
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

  /// Where the next source is joined.
  static func next(in nodes: ArraySlice<SQLNode>) -> Int? {
    nodes.indices.first { nodes[$0].isMark(",") || read(nodes[$0...]) != nil }
  }
}
