/// A new order of existing rows, and the rows that it moves.
struct Reordering {
  /// The rows in their order.
  let stored: [OrderedRows.Row]
  let asked: [Int]

  /// The rows that change, with their new positions: none if they are in this order already. Throws
  /// unless `asked` contains every stored row exactly once.
  func changes() throws(DomainError) -> [OrderedRows.Row] {
    var positions: [Int: Int] = [:]
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
    guard asked != stored.map(\.id) else { return [] }
    return zip(asked, Positions.spread(asked.count) ?? []).compactMap { id, position in
      positions[id] == position ? nil : OrderedRows.Row(id: id, position: position)
    }
  }
}
