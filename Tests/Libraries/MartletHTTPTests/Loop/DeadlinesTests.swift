import TestSupport
import Testing

@testable import MartletHTTP

@Suite("Deadlines")
struct DeadlinesTests {
  @Test("Slots expire in order, each once")
  func order() {
    var deadlines = Deadlines()
    for (slot, time) in [(0, 30), (1, 10), (2, 20)] { deadlines.set(slot, Int64(time)) }
    #expect(deadlines.earliest == 10)
    #expect(deadlines.popExpired(9) == nil)
    #expect(deadlines.popExpired(25) == 1)
    #expect(deadlines.popExpired(25) == 2)
    #expect(deadlines.popExpired(25) == nil)
    #expect(deadlines.popExpired(30) == 0)
    #expect(deadlines.popExpired(1000) == nil)
    #expect(deadlines.earliest == nil)
  }

  @Test("A deadline can move later, earlier, and away")
  func moves() {
    var deadlines = Deadlines()
    deadlines.set(5, 10)
    deadlines.set(5, 100)
    #expect(deadlines.popExpired(99) == nil)
    deadlines.set(5, 50)
    #expect(deadlines.popExpired(49) == nil)
    #expect(deadlines.popExpired(50) == 5)
    deadlines.set(5, 60)
    deadlines.set(5, Deadlines.never)
    #expect(deadlines.popExpired(1000) == nil)
  }

  /// Compares with a table that is searched linearly.
  @Test("Random operations agree with a simple implementation")
  func oracle() {
    var random = SeededRandom(seed: 20_261_120)
    var deadlines = Deadlines()
    var table: [Int: Int64] = [:]
    var now: Int64 = 0
    for _ in 0..<20_000 {
      let slot = Int.random(in: 0..<40, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        deadlines.set(slot, Deadlines.never)
        table[slot] = nil
      case 1..<6:
        let time = now + Int64.random(in: 0..<500, using: &random)
        deadlines.set(slot, time)
        table[slot] = time
      default:
        now += Int64.random(in: 0..<60, using: &random)
        var expired: Set<Int> = []
        while let slot = deadlines.popExpired(now) {
          #expect(expired.insert(slot).inserted)
        }
        let expected = Set(table.filter { $0.value <= now }.keys)
        #expect(expired == expected)
        for slot in expected { table[slot] = nil }
        if let least = table.values.min() {
          #expect(deadlines.earliest.map { $0 <= least } == true)
        }
      }
    }
  }
}
