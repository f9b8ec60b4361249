import Testing

@testable import Store

@Suite(.timeLimit(.minutes(1))) struct WriteQueueTests {
  var queue = WriteQueue<Int>(limits: .init(waiting: 5, group: 3, patience: 100))

  private mutating func takeGroup() -> [Int] { queue.take(at: 0).group.map(\.write) }

  @Test mutating func groupsKeepTheOrderAndTheLimit() {
    for number in 0..<5 { _ = queue.admit(number, at: 0) }
    var admitted = queue.admit(5, at: 0)
    #expect(!admitted)
    #expect(takeGroup() == [0, 1, 2])
    admitted = queue.admit(5, at: 0)
    #expect(admitted)
    #expect(takeGroup() == [3, 4, 5])
    #expect(queue.isEmpty)
    #expect(takeGroup() == [])
  }

  @Test mutating func whatIsPutBackGoesFirst() {
    for number in 0..<5 { _ = queue.admit(number, at: 0) }
    let group = queue.take(at: 0).group
    queue.putBack(group[1...])
    #expect(queue.count == 4)
    #expect(takeGroup() == [1, 2, 3])
    #expect(takeGroup() == [4])
    queue.putBack(group)
    let all = queue.takeAll()
    #expect(all.map(\.write) == [0, 1, 2])
  }

  @Test mutating func whoWaitedTooLongIsNotPartOfAGroup() {
    for number in 0..<5 { _ = queue.admit(number, at: UInt64(number) * 50) }
    let taken = queue.take(at: 160)
    #expect(taken.expired.map(\.write) == [0, 1])
    #expect(taken.group.map(\.write) == [2, 3, 4])
    #expect(queue.isEmpty)
  }

  /// Against a list that does the obvious.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func behavesLikeAList(seed: UInt64) {
    var random = seed
    func next(_ bound: UInt64) -> UInt64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (random >> 33) % bound
    }
    var queue = WriteQueue<Int>(limits: .init(waiting: 20, group: 4, patience: .max))
    var list: [Int] = []
    for number in 0..<2_000 {
      if next(3) > 0 {
        let fits = list.count < 20
        let admitted = queue.admit(number, at: 0)
        #expect(admitted == fits)
        if fits { list.append(number) }
      } else {
        let group = queue.take(at: 0).group
        let expected = Array(list.prefix(4))
        #expect(group.map(\.write) == expected, "seed \(seed)")
        list.removeFirst(min(4, list.count))
        let kept = Int(next(UInt64(group.count + 1)))
        queue.putBack(group[kept...])
        list = group[kept...].map(\.write) + list
      }
      #expect(queue.count == list.count)
    }
  }
}
