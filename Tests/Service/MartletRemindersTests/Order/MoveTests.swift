import MartletSQLite
import MartletStore
import TestSupport
import Testing

@testable import MartletReminders

@Suite struct MoveTests {
  /// Rows in memory, ordered as the database orders them.
  private struct Rows {
    var rows: [OrderedRows.Row]
    private(set) var changed = 0

    init(_ positions: [Int]) {
      rows = positions.enumerated().map { OrderedRows.Row(id: $0 + 1, position: $1) }
      sort()
    }

    var ids: [Int] { rows.map(\.id) }

    private mutating func sort() {
      rows.sort { ($0.position, $0.id) < ($1.position, $1.id) }
    }

    mutating func move(_ id: Int, _ destination: Destination) throws {
      let row = try #require(rows.first { $0.id == id })
      let others = rows.filter { $0.id != id }
      let sibling = destination.sibling.flatMap { other in rows.first { $0.id == other } }
      let move = Move(row: row) { direction, from, limit in
        let ordered = direction == .forwards ? others : others.reversed()
        guard let from, let place = ordered.firstIndex(of: from) else {
          return Array(ordered.prefix(limit))
        }
        return Array(ordered.dropFirst(place + 1).prefix(limit))
      }
      let changes = try move.changes(destination, sibling)
      #expect(Set(changes.map(\.id)).count == changes.count)
      for change in changes {
        #expect(abs(change.position) <= ValueRule.largest)
        rows.removeAll { $0.id == change.id }
        rows.append(change)
      }
      changed += changes.count
      sort()
    }
  }

  /// What a move does to IDs in an array.
  private func moved(_ ids: [Int], _ id: Int, _ destination: Destination) -> [Int] {
    var ids = ids.filter { $0 != id }
    switch destination {
    case .after(nil): ids.insert(id, at: 0)
    case .before(nil): ids.append(id)
    case .after(let other?):
      ids.insert(id, at: (ids.firstIndex(of: other) ?? 0) + 1)
    case .before(let other?):
      ids.insert(id, at: ids.firstIndex(of: other) ?? 0)
    }
    return ids
  }

  @Test(
    "Random moves give the order of an array, whatever the positions were",
    arguments: 0..<Effort.rounds(20))
  func random(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let count = Int.random(in: 1...60, using: &random)
    let positions: [Int] =
      switch seed % 5 {
      case 0: Array(0..<count)
      case 1: (0..<count).map { $0 * Positions.gap }
      case 2: Array(repeating: 7, count: count)
      case 3: (0..<count).map { ValueRule.largest - $0 / 2 }
      default: (0..<count).map { -ValueRule.largest + $0 / 3 }
      }
    var rows = Rows(positions)
    var ids = rows.ids
    for _ in 0..<200 {
      let id = try #require(ids.randomElement(using: &random))
      let other = ids.filter { $0 != id }.randomElement(using: &random)
      let destination: Destination =
        switch Int.random(in: 0..<10, using: &random) {
        case 0: .after(nil)
        case 1: .before(nil)
        case 2...5: .after(other)
        default: .before(other)
        }
      try rows.move(id, destination)
      ids = moved(ids, id, destination)
      #expect(rows.ids == ids)
    }
  }

  @Test func aMoveChangesOneRow() throws {
    var rows = Rows((0..<1_000).map { $0 * Positions.gap })
    try rows.move(500, .after(10))
    try rows.move(3, .before(900))
    try rows.move(4, .after(nil))
    try rows.move(5, .before(nil))
    #expect(rows.changed == 4)
  }

  @Test func whatIsInPlaceStays() throws {
    var rows = Rows([5, 5, 6])
    try rows.move(2, .after(1))
    try rows.move(2, .before(3))
    try rows.move(1, .after(nil))
    try rows.move(3, .before(nil))
    #expect(rows.changed == 0)
  }

  @Test("A dense list is spread as far as its nearer end", arguments: [20, 1_100, 5_000, 9_900])
  func dense(place: Int) throws {
    var rows = Rows(Array(0..<10_000))
    let id = place < 5_000 ? 9_990 : 10
    try rows.move(id, .after(place))
    let index = try #require(rows.ids.firstIndex(of: id))
    #expect(rows.ids[index - 1] == place)
    #expect(rows.changed <= 2 * min(place, 10_000 - place) + 2, "\(rows.changed) rows")
  }

  @Test func aMoveThatWouldChangeTooManyRowsIsRefused() {
    var rows = Rows(Array(0..<60_000))
    #expect(throws: DomainError.tooDense) { try rows.move(1, .after(30_000)) }
    #expect(rows.changed == 0)
  }

  @Test("Moves to one place cost few rows each, however many there are")
  func manyToOnePlace() throws {
    var rows = Rows((0..<2_000).map { $0 * Positions.gap })
    for id in 1_001...2_000 { try rows.move(id, .after(500)) }
    #expect(rows.ids[500] == 2_000)
    #expect(rows.changed < 10_000, "\(rows.changed) rows")
  }
}
