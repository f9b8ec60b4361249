import Testing

@testable import MartletStore

@Suite(.timeLimit(.minutes(10))) struct WriteQueueTests {
  var queue = WriteQueue<Int>(limits: .init(waiting: 5, group: 3, timeout: 100))

  private mutating func takeGroup() -> [Int] { queue.take(at: 0).group.map(\.write) }

  @Test mutating func groupsKeepTheOrderAndTheLimit() {
    for number in 0..<5 { _ = queue.admit(number, at: 0) }
    var admitted = queue.admit(5, at: 0).isAdmitted
    #expect(!admitted)
    #expect(takeGroup() == [0, 1, 2])
    admitted = queue.admit(5, at: 0).isAdmitted
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

  @Test func clientsHaveTheirTurns() {
    var queue = WriteQueue<String>(limits: .init(waiting: 6, group: 3, timeout: 100))
    for name in ["a1", "a2", "a3", "a4", "a5"] { _ = queue.admit(name, of: 1, at: 0) }
    _ = queue.admit("b1", of: 2, at: 10)
    // The last write of the client with the most writes is evicted for a client with fewer.
    let third = queue.admit("c1", of: 3, at: 20)
    #expect(third.isAdmitted && third.evicted?.write == "a5")
    let more = queue.admit("a6", of: 1, at: 20)
    #expect(!more.isAdmitted)
    #expect(queue.oldest == 0)
    #expect(queue.take(at: 30).group.map(\.write) == ["a1", "b1", "c1"])
    #expect(queue.take(at: 30).group.map(\.write) == ["a2", "a3", "a4"])
    #expect(queue.isEmpty && queue.oldest == nil)
  }

  @Test func whatIsSetApartRunsAloneBetweenTwoGroups() {
    var queue = WriteQueue<String>(limits: .init(waiting: 20, group: 4, timeout: 100))
    for name in ["q1", "long1", "q2", "long2"] { _ = queue.admit(name, at: 0) }
    let group = queue.take(at: 0).group
    // The second write is too long. The first has run and is a group of its own now.
    queue.putBack(group[..<1] + group[2...], proven: 1, apart: group[1])
    for name in ["q3", "q4", "q5"] { _ = queue.admit(name, at: 50) }
    #expect(queue.count == 7 && queue.oldest == 0)
    #expect(queue.take(at: 0).group.map(\.write) == ["q1"])
    let next = queue.take(at: 0)
    #expect(next.group.map(\.write) == ["q2", "long2", "q3", "q4"])
    queue.putBack(next.group[..<1] + next.group[2...], proven: 1, apart: next.group[1])
    #expect(queue.take(at: 0).group.map(\.write) == ["q2"])
    #expect(queue.take(at: 0).group.map(\.write) == ["q3", "q4", "q5"])
    _ = queue.admit("q6", at: 60)
    let long = queue.take(at: 0)
    #expect(long.group.map(\.write) == ["long1"])
    #expect(queue.take(at: 0).group.map(\.write) == ["q6"])
    #expect(queue.count == 1 && queue.oldest == 0)
    // It has timed out by now.
    let rest = queue.take(at: 150)
    #expect(rest.expired.map(\.write) == ["long2"] && rest.group.isEmpty && queue.isEmpty)
  }

  @Test func whoWaitedTooLongIsFoundEverywhere() {
    var queue = WriteQueue<String>(limits: .init(waiting: 20, group: 9, timeout: 100))
    for name in ["a", "b", "c"] { _ = queue.admit(name, of: 1, at: 0) }
    let group = queue.take(at: 0).group
    queue.putBack(group[1...], apart: group[0])
    _ = queue.admit("d", of: 1, at: 10)
    _ = queue.admit("e", of: 2, at: 20)
    _ = queue.admit("f", of: 2, at: 200)
    #expect(queue.takeExpired(at: 100).isEmpty)
    #expect(Set(queue.takeExpired(at: 125).map(\.write)) == ["a", "b", "c", "d", "e"])
    #expect(queue.count == 1 && queue.oldest == 200)
    #expect(queue.takeAll().map(\.write) == ["f"])
  }

  @Test mutating func whatWasPutBackIsToldThatItWaitedTooLong() {
    for (number, time) in [0, 10, 90].enumerated() { _ = queue.admit(number, at: UInt64(time)) }
    let group = queue.take(at: 95).group
    queue.putBack(group)
    let expired = queue.takeExpired(at: 150).map(\.write)
    #expect(Set(expired) == [0, 1])
    #expect(queue.count == 1 && takeGroup() == [2])
  }

  /// Compares with a simple list.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func behavesLikeAList(seed: UInt64) {
    var random = seed
    func next(_ bound: UInt64) -> UInt64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (random >> 33) % bound
    }
    var queue = WriteQueue<Int>(limits: .init(waiting: 20, group: 4, timeout: .max))
    var list: [Int] = []
    for number in 0..<2_000 {
      if next(3) > 0 {
        let fits = list.count < 20
        let admitted = queue.admit(number, at: 0).isAdmitted
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

  @Test("Later writes of a client wait for its long write, other clients do not")
  func orderBesideALongOne() {
    var queue = WriteQueue<String>(limits: .init(waiting: 20, group: 9, timeout: .max))
    for name in ["a1", "aLong", "a3"] { _ = queue.admit(name, of: 1, at: 0) }
    for name in ["b1", "b2", "b3"] { _ = queue.admit(name, of: 2, at: 0) }
    let group = queue.take(at: 0).group
    #expect(group.map(\.write) == ["a1", "b1", "aLong", "b2", "a3", "b3"])
    queue.putBack(group[..<2] + group[3...], proven: 2, apart: group[2])
    _ = queue.admit("a4", of: 1, at: 0)
    _ = queue.admit("b4", of: 2, at: 0)
    #expect(queue.take(at: 0).group.map(\.write) == ["a1", "b1"])
    #expect(queue.take(at: 0).group.map(\.write) == ["b2", "b3", "b4"])
    #expect(queue.take(at: 0).group.map(\.write) == ["aLong"])
    // Only the write that follows it is left.
    #expect(queue.take(at: 0).group.map(\.write) == ["a3"])
    #expect(queue.take(at: 0).group.map(\.write) == ["a4"])
    #expect(queue.isEmpty)
  }

  @Test("Each client's writes run in order, whatever is put back", arguments: 1...20)
  func orderOfEachClient(seed: UInt64) {
    var random = seed
    func next(_ bound: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % bound
    }
    var queue = WriteQueue<Int>(limits: .init(waiting: 40, group: 6, timeout: .max))
    var done: [Int: [Int]] = [:]
    var apart: Set<Int> = []
    var admitted = 0
    for number in 0..<1_000 {
      if next(3) > 0 {
        let (isAdmitted, evicted) = queue.admit(number, of: 1 + next(4), at: 0)
        admitted += (isAdmitted ? 1 : 0) - (evicted == nil ? 0 : 1)
        continue
      }
      let group = queue.take(at: 0).group
      #expect(!group.isEmpty || queue.isEmpty, "no write waits forever")
      let long = group.count > 1 && next(2) == 0 ? next(group.count) : nil
      let cut = min(group.count, 1 + next(6))
      let isCut = next(3) == 0
      if let long {
        apart.insert(group[long].write)
        queue.putBack(group[..<long] + group[(long + 1)...], proven: long, apart: group[long])
      } else {
        // The group was cut short, so the rest runs again.
        if isCut { queue.putBack(group[cut...]) }
        for entry in isCut ? group[..<cut] : group[...] {
          done[entry.client, default: []].append(entry.write)
        }
      }
    }
    while !queue.isEmpty {
      for entry in queue.take(at: 0).group { done[entry.client, default: []].append(entry.write) }
    }
    #expect(!apart.isEmpty && done.values.map(\.count).reduce(0, +) == admitted)
    for (client, writes) in done { #expect(writes == writes.sorted(), "client \(client)") }
  }

  private final class Probe {}

  @Test("Taken writes are released immediately, even if they were put back before")
  func releases() {
    var queue = WriteQueue<Probe>(limits: .init(waiting: 9, group: 9, timeout: 100))
    weak var first: Probe?
    do {
      let probe = Probe()
      first = probe
      _ = queue.admit(probe, at: 0)
      _ = queue.admit(Probe(), at: 0)
    }
    queue.putBack(queue.take(at: 0).group, proven: 1)
    #expect(queue.take(at: 0).group.count == 1)
    #expect(first == nil)
    #expect(queue.count == 1)
  }
}
