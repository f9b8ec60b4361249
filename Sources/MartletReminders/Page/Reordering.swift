/// A new order of existing rows, and the rows that it moves.
struct Reordering {
  let stored: [(id: Int, position: Int?)]
  let asked: [Int]

  init(stored: [(Int, Int?)], asked: [Int]) {
    self.stored = stored.map { (id: $0.0, position: $0.1) }
    self.asked = asked
  }

  /// The rows whose position changes. Throws unless `asked` contains every stored row exactly once.
  func changes() throws(DomainError) -> [(id: Int, position: Int)] {
    var positions: [Int: Int?] = [:]
    for row in stored { positions[row.id] = row.position }
    var seen: Set<Int> = []
    var repeated: [Int] = []
    var unknown: [Int] = []
    for id in asked {
      if !seen.insert(id).inserted {
        repeated.append(id)
      } else if positions[id] == nil {
        unknown.append(id)
      }
    }
    let missing = stored.map(\.id).filter { !seen.contains($0) }
    guard repeated.isEmpty, unknown.isEmpty, missing.isEmpty else {
      throw .incompleteOrder(missing: missing, unknown: unknown, repeated: repeated)
    }
    return asked.enumerated().compactMap { offset, id in
      positions[id] == .some(.some(offset)) ? nil : (id, offset)
    }
  }
}
