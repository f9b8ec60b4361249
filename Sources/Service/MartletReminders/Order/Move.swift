/// The move of one row among the rows that are ordered with it.
///
/// Usually only that row gets another position. If there is no room, its neighbors are spread: 32
/// at first, and twice as many each time that these have no room either, until an end of the list
/// is among them.
struct Move {
  typealias Row = OrderedRows.Row

  let row: Row
  /// Reads the rows in a direction from a row, without that one and the one that is moved; `nil`:
  /// from the first or the last row.
  let rows: (OrderedRows.Direction, _ from: Row?, _ limit: Int) throws -> [Row]

  /// The rows that change, with their new positions.
  ///
  /// - Parameter sibling: The row that the destination names.
  func changes(_ destination: Destination, _ sibling: Row?) throws -> [Row] {
    let before: Row?
    let after: Row?
    switch destination {
    case .after:
      before = sibling
      after = try rows(.forwards, sibling, 1).first
    case .before:
      before = try rows(.backwards, sibling, 1).first
      after = sibling
    }
    if isBetween(before, after) { return [] }
    if let position = Positions.between(before?.position, after?.position) {
      return [Row(id: row.id, position: position)]
    }
    return try spread(before, after)
  }

  private func isBetween(_ before: Row?, _ after: Row?) -> Bool {
    let place = (row.position, row.id)
    return before.map { ($0.position, $0.id) < place } ?? true
      && after.map { place < ($0.position, $0.id) } ?? true
  }

  private func spread(_ before: Row?, _ after: Row?) throws -> [Row] {
    var reach = 16
    while true {
      // One more on each side is the limit.
      let left = try rows(.backwards, after, reach + 1)
      let right = try rows(.forwards, before, reach + 1)
      let low = left.count > reach ? left.last : nil
      let high = right.count > reach ? right.last : nil
      // Beyond an end of the list there is always room: the rows up to the nearer end suffice.
      if low == nil, high != nil || left.count <= right.count,
        let positions = Positions.spread(left.count + 1, between: nil, after?.position)
      {
        return moved(left.reversed() + [row], positions)
      }
      if high == nil,
        let positions = Positions.spread(right.count + 1, between: before?.position, nil)
      {
        return moved([row] + right, positions)
      }
      let spread = left.prefix(reach).reversed() + [row] + right.prefix(reach)
      if let positions = Positions.spread(
        spread.count, between: low?.position, high?.position, leastStep: Move.leastStep)
      {
        return moved(spread, positions)
      }
      // Without limits on both sides all rows are spread, for which there is always room.
      reach *= 2
      guard reach <= Move.longestReach else { throw DomainError.tooDense }
    }
  }

  private func moved(_ rows: [Row], _ positions: [Int]) -> [Row] {
    zip(rows, positions).compactMap { row, position in
      row.position == position ? nil : Row(id: row.id, position: position)
    }
  }

  /// How many rows one move can change at most: about a second of the writer.
  static let longestReach = 1 << 13

  /// The smallest distance of rows that are spread.
  private static let leastStep = 256
}

/// Where a row is moved to among its siblings.
public enum Destination: Hashable, Sendable {
  /// Behind the row with this ID; `nil`: before all others.
  case after(Int?)
  /// Before the row with this ID; `nil`: behind all others.
  case before(Int?)

  /// The ID of the row that it names.
  var sibling: Int? {
    switch self {
    case .after(let id), .before(let id): id
    }
  }

  /// Its name in a request.
  var name: String {
    switch self {
    case .after: "after"
    case .before: "before"
    }
  }
}
