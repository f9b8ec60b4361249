import TestSupport
import Testing

@testable import MartletStore

@Suite("Round-robin queue") struct FairQueueTests {
  /// The simplest implementation: a list of lines, of which the first is served and moved to the
  /// end.
  private struct Oracle {
    var lines: [(client: Int, elements: [Int])] = []

    mutating func append(_ element: Int, of client: Int) {
      if let place = lines.firstIndex(where: { $0.client == client }) {
        lines[place].elements.append(element)
      } else {
        lines.append((client, [element]))
      }
    }
    mutating func popFirst() -> (Int, Int)? {
      guard !lines.isEmpty else { return nil }
      var line = lines.removeFirst()
      let element = line.elements.removeFirst()
      if !line.elements.isEmpty { lines.append(line) }
      return (line.client, element)
    }
    mutating func takePrefixes(before end: Int) -> [Int] {
      var taken: [Int] = []
      for place in lines.indices {
        taken += lines[place].elements.prefix { $0 < end }
        lines[place].elements.removeAll { $0 < end }
      }
      lines.removeAll { $0.elements.isEmpty }
      return taken
    }
    mutating func popLast(of client: Int) -> Int? {
      guard let place = lines.firstIndex(where: { $0.client == client }) else { return nil }
      let element = lines[place].elements.removeLast()
      if lines[place].elements.isEmpty { lines.remove(at: place) }
      return element
    }
  }

  @Test("Clients are served in turn", arguments: [1, 2, 3])
  func turns(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var queue = FairQueue<Int, Int>()
    var oracle = Oracle()
    for step in 0..<20_000 {
      let client = Int(random.next() % 7)
      switch random.next() % 100 {
      case ..<(step % 4_000 < 2_000 ? 60 : 35):
        queue.append(step, of: client)
        oracle.append(step, of: client)
      case ..<95:
        let (one, other) = (queue.popFirst(), oracle.popFirst())
        #expect(one?.client == other?.0 && one?.element == other?.1)
      case 95 where step > 500:
        #expect(
          queue.takePrefixes { $0 < step - 400 } == oracle.takePrefixes(before: step - 400))
      default: #expect(queue.popLast(of: client) == oracle.popLast(of: client))
      }
      let lengths = oracle.lines.map(\.elements.count)
      #expect(queue.count == lengths.reduce(0, +) && queue.longest?.count == lengths.max())
      #expect(
        queue.count(of: client)
          == oracle.lines.first { $0.client == client }?.elements.count ?? 0)
    }
  }

  @Test("Removed elements are released immediately")
  func released() {
    final class Held {}
    var queue = FairQueue<Int, Held>()
    weak var first: Held?
    do {
      let held = Held()
      first = held
      queue.append(held, of: 1)
    }
    for _ in 0..<10 { queue.append(Held(), of: 1) }
    _ = queue.popFirst()
    #expect(first == nil && queue.count == 10 && Array(queue.firsts).count == 1)
  }

  @Test("Held clients are skipped and keep their turn")
  func held() {
    var queue = FairQueue<String, Int>()
    for number in 1...2 { for client in ["a", "b"] { queue.append(number, of: client) } }
    #expect(queue.popFirst { client, _ in client == "a" }?.client == "b")
    #expect(queue.popFirst { _, _ in true } == nil)
    #expect(queue.count == 3)
    #expect(queue.popFirst()?.client == "a")
  }
}
