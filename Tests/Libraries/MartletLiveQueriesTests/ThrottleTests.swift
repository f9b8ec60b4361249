import Synchronization
import Testing

@testable import MartletLiveQueries

@Suite("Commits of other programs refresh everything at most four times a second")
struct ThrottleTests {
  @Test("The first call runs at once, and later calls together once", .timeLimit(.minutes(10)))
  func pace() async {
    let pace = Throttle(milliseconds: 50)
    let calls = Atomic(0)
    #expect(pace.begin { calls.add(1, ordering: .relaxed) })
    let clock = ContinuousClock()
    let start = clock.now
    await withCheckedContinuation { done in
      #expect(!pace.begin { done.resume() })
      for _ in 0..<100 { #expect(!pace.begin { calls.add(1, ordering: .relaxed) }) }
    }
    #expect(clock.now - start > .milliseconds(20))
    #expect(calls.load(ordering: .relaxed) == 0)
  }
}
