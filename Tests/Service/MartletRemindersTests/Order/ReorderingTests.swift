import Testing

@testable import MartletReminders

@Suite struct ReorderingTests {
  private let stored = [
    OrderedRows.Row(id: 7, position: 0), OrderedRows.Row(id: 8, position: 65_536),
    OrderedRows.Row(id: 9, position: 65_540),
  ]

  private func changes(_ asked: [Int]) throws -> [[Int]] {
    try Reordering(stored: stored, asked: asked).changes().map { [$0.id, $0.position] }
  }

  @Test func onlyWhatMovesIsChanged() throws {
    #expect(try changes([7, 8, 9]) == [])
    #expect(try changes([9, 8, 7]) == [[9, 0], [7, 131_072]])
    #expect(try Reordering(stored: [], asked: []).changes().isEmpty)
  }

  @Test func whatIsWrongIsNamed() {
    #expect(throws: DomainError.incompleteOrder(missing: [8, 9], unknown: [], repeated: [])) {
      try changes([7])
    }
    #expect(throws: DomainError.incompleteOrder(missing: [], unknown: [1, 2], repeated: [])) {
      try changes([1, 7, 8, 2, 9])
    }
    #expect(throws: DomainError.incompleteOrder(missing: [9], unknown: [5], repeated: [7, 7])) {
      try changes([7, 8, 7, 5, 7])
    }
    // Every ID is present, one of them twice.
    #expect(throws: DomainError.incompleteOrder(missing: [], unknown: [], repeated: [8])) {
      try changes([7, 8, 9, 8])
    }
    #expect(throws: DomainError.incompleteOrder(missing: [7, 8, 9], unknown: [], repeated: [])) {
      try changes([])
    }
  }
}
