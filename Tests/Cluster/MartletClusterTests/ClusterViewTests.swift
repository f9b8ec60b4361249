import Testing

@testable import MartletCluster

@Suite("What a node knows of the others") struct ClusterViewTests {
  private let view = ClusterView("c", 1)
  private let start = ContinuousClock.now

  /// Notes a report of node 2 whose clock is `ahead` ms ahead and that is read `late` ms after it
  /// was written.
  private func hear(_ beat: Int64, ahead: Int64, late: Int64, at second: Int64) {
    let now = 1_000_000 + second * 1000
    let report = NodeReport(
      id: 2, address: "b", applied: 7, durable: 5, version: 1, clock: now - late + ahead,
      contact: "x", beat: beat, staged: 0)
    view.set(
      [report],
      [.init(id: 1, address: "a", role: .voter), .init(id: 2, address: "b", role: .voter)],
      clock: now, now: start + .seconds(second))
  }

  private var other: ClusterStatus.Node {
    get throws { try #require(view.status.nodes.first { $0.id == 2 }) }
  }

  @Test("The last report of a node that is gone says nothing about its clock")
  func gone() throws {
    for second in 0..<Int64(5) {
      hear(9, ahead: 0, late: 20_000 + second * 1000, at: second)
      #expect(try other.clockDifference == nil)
      // Its clock tells how long ago it was written.
      #expect(try other.seen == start - .seconds(20))
    }
    // It is back.
    hear(10, ahead: 0, late: 300, at: 5)
    #expect(try other.clockDifference == -300)
    #expect(try other.seen == start + .seconds(5))
  }

  @Test("The difference of clocks is that of the report that was read first after it was written")
  func ages() throws {
    for (beat, late) in [400, 990, 60, 730, 500].enumerated() {
      hear(Int64(beat), ahead: 250, late: Int64(late), at: Int64(beat))
    }
    #expect(try other.clockDifference == 190)
    // A clock that was set is known when the reports from before are forgotten.
    for beat in 5..<15 {
      if beat < 13 { #expect(try other.clockDifference == 190) }
      hear(Int64(beat), ahead: -8_000, late: 100, at: Int64(beat))
    }
    #expect(try other.clockDifference == -8_100)
    // The same report, read again, changes nothing.
    hear(14, ahead: -8_000, late: 5_000, at: 20)
    #expect(try other.clockDifference == -8_100)
    #expect(try other.seen == start + .seconds(14))
  }
}
