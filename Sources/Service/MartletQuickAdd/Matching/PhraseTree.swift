/// The patterns of a rule as a tree, in which patterns that begin alike share their beginning.
struct PhraseTree: Sendable {
  /// An element without a value, and what is in front of it.
  struct Literal: Hashable, Sendable {
    let gap: Pattern.Gap
    let content: Content

    enum Content: Hashable, Sendable {
      case word(Int)
      case number(Int)
      case symbol(Unicode.Scalar)
    }
  }

  struct Node: Sendable {
    var literals: [Literal: Int] = [:]
    var slots: [(gap: Pattern.Gap, slot: Slot, node: Int)] = []
    /// The phrases that end here. Those with a smaller place in the table take precedence.
    var phrases: [(place: Int, meaning: Meaning)] = []
  }

  private(set) var nodes = [Node()]

  mutating func add(_ pattern: Pattern, _ place: Int, _ meaning: Meaning, _ lexicon: inout Lexicon)
  {
    var node = 0
    for (gap, element) in pattern.elements {
      switch element {
      case .slot(let slot): node = child(of: node, gap, slot)
      case .word(let word): node = child(of: node, gap, .word(lexicon.add(word)))
      case .number(let number): node = child(of: node, gap, .number(number))
      case .symbol(let symbol): node = child(of: node, gap, .symbol(symbol))
      }
    }
    nodes[node].phrases.append((place, meaning))
  }

  private mutating func child(of node: Int, _ gap: Pattern.Gap, _ slot: Slot) -> Int {
    if let edge = nodes[node].slots.first(where: { $0.gap == gap && $0.slot == slot }) {
      return edge.node
    }
    nodes[node].slots.append((gap, slot, nodes.count))
    nodes.append(Node())
    return nodes.count - 1
  }

  private mutating func child(
    of node: Int, _ gap: Pattern.Gap, _ content: Literal.Content
  ) -> Int {
    let literal = Literal(gap: gap, content: content)
    if let child = nodes[node].literals[literal] { return child }
    nodes[node].literals[literal] = nodes.count
    nodes.append(Node())
    return nodes.count - 1
  }
}
