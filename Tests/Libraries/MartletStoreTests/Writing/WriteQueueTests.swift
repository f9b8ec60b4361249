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
    queue.putBack(group[1...], at: 0)
    #expect(queue.count == 4)
    #expect(takeGroup() == [1, 2, 3])
    #expect(takeGroup() == [4])
    queue.putBack(group, at: 0)
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
    queue.putBack(group[..<1] + group[2...], proven: 1, apart: group[1], at: 0)
    for name in ["q3", "q4", "q5"] { _ = queue.admit(name, at: 50) }
    #expect(queue.count == 7 && queue.oldest == 0)
    #expect(queue.take(at: 0).group.map(\.write) == ["q1"])
    let next = queue.take(at: 0)
    #expect(next.group.map(\.write) == ["q2", "long2", "q3", "q4"])
    queue.putBack(next.group[..<1] + next.group[2...], proven: 1, apart: next.group[1], at: 0)
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
    queue.putBack(group[1...], apart: group[0], at: 0)
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
    queue.putBack(group, at: 0)
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
        queue.putBack(group[kept...], at: 0)
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
    queue.putBack(group[..<2] + group[3...], proven: 2, apart: group[2], at: 0)
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
      let now = UInt64(number) * 50_000_000
      if next(9) == 0 {
        queue.charge(1 + next(4), from: now, to: now + 150_000_000, wasShared: true)
      }
      let group = queue.take(at: now).group
      #expect(!group.isEmpty || queue.isEmpty, "no write waits forever")
      let long = group.count > 1 && next(2) == 0 ? next(group.count) : nil
      let cut = min(group.count, 1 + next(6))
      let isCut = next(3) == 0
      if let long {
        apart.insert(group[long].write)
        queue.putBack(
          group[..<long] + group[(long + 1)...], proven: long, apart: group[long], at: now)
      } else {
        // The group was cut short, so the rest runs again.
        if isCut { queue.putBack(group[cut...], at: now) }
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

  private static let second: UInt64 = 1_000_000_000

  @Test("A client that made others wait comes after them, one write at a time")
  func afterTheOthers() {
    var queue = WriteQueue<String>(
      limits: .init(waiting: 20, group: 9, timeout: 5 * Self.second))
    for name in ["a1", "a2", "a3"] { _ = queue.admit(name, of: 1, at: 0) }
    for name in ["b1", "b2"] { _ = queue.admit(name, of: 2, at: 0) }
    let group = queue.take(at: 0).group
    #expect(group.map(\.write) == ["a1", "b1", "a2", "b2", "a3"])
    // The first write takes so long that the rest of the group runs later.
    queue.charge(1, from: 0, to: Self.second, wasShared: true)
    queue.putBack(group[1...], at: Self.second)
    let later = Self.second
    #expect(queue.take(at: later).group.map(\.write) == ["b1", "b2"])
    #expect(queue.take(at: later).group.map(\.write) == ["a2"])
    _ = queue.admit("b3", of: 2, at: later)
    #expect(queue.take(at: later).group.map(\.write) == ["b3"])
    // Others that never rest do not keep it from its turn.
    for name in ["b4", "b5"] { _ = queue.admit(name, of: 2, at: later) }
    #expect(queue.take(at: later).group.map(\.write) == ["a3"])
    #expect(queue.take(at: later).group.map(\.write) == ["b4", "b5"])
    #expect(queue.isEmpty)
  }

  @Test("A debt is the time that others have waited, and is paid slowly")
  func debts() {
    let limits = WriteQueue<String>.Limits(waiting: 20, group: 9, timeout: 5 * Self.second)
    func allowance(_ queue: WriteQueue<String>, _ now: UInt64) -> UInt64 {
      queue.debts.allowance(of: 1, at: now) / 1_000_000
    }
    var queue = WriteQueue<String>(limits: limits)
    #expect(allowance(queue, 0) == 2_500)
    queue.charge(1, from: 0, to: Self.second, wasShared: false)
    #expect(allowance(queue, Self.second) == 2_500, "nobody has waited")
    _ = queue.admit("a", of: 1, at: Self.second)
    queue.charge(1, from: Self.second, to: 2 * Self.second, wasShared: false)
    #expect(allowance(queue, 2 * Self.second) == 2_500, "only the client itself has waited")
    _ = queue.admit("b", of: 2, at: Self.second / 2 * 5)
    queue.charge(1, from: 2 * Self.second, to: 3 * Self.second, wasShared: false)
    #expect(allowance(queue, 3 * Self.second) == 2_000)
    #expect(allowance(queue, 5 * Self.second) == 2_100)
    #expect(allowance(queue, 13 * Self.second) == 2_500)
    for _ in 0..<9 { queue.charge(1, from: 0, to: 3 * Self.second, wasShared: true) }
    #expect(allowance(queue, 3 * Self.second) == 75)
    #expect(allowance(queue, 53 * Self.second) == 2_500)
    queue.charge(0, from: 0, to: Self.second, wasShared: true)
    #expect(!queue.debts.isInDebt(0, at: Self.second), "callers that are not distinguished")
    queue.charge(2, from: 0, to: 4_000_000, wasShared: true)
    #expect(queue.debts.owed(by: 2, at: 4_000_000) == 0, "a short write")
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
    queue.putBack(queue.take(at: 0).group, proven: 1, at: 0)
    #expect(queue.take(at: 0).group.count == 1)
    #expect(first == nil)
    #expect(queue.count == 1)
  }
}
