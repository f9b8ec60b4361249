import MartletJSON
import MartletStore
import Testing

@testable import MartletLiveQueries

@Suite("The next event of a subscriber")
struct StreamPositionTests {
  private func result(_ text: String, run: UInt64) -> LiveState {
    LiveState(
      outcome: .result(LiveResult(SharedBytes(Array(text.utf8)))), run: run, commit: run)
  }
  /// A subscriber whose events are recorded as words.
  private final class Subscriber {
    private var position: StreamPosition

    init(_ known: StreamPosition.Known = .nothing, firstRun: UInt64 = 0) {
      position = StreamPosition(known, firstRun: firstRun)
    }

    func told(_ state: LiveState?) -> String {
      switch position.next(state) {
      case .wait: "wait"
      case .unchanged: "unchanged"
      case .current: "current"
      case .result(let result, _): result.body.string
      case .gone: "gone"
      case .problem: "problem"
      }
    }
  }
  private func tag(_ text: String) -> ETag { ETag(hashing: Array(text.utf8)) }

  @Test("A subscriber receives the first result and each different one, and no result twice")
  func results() {
    let subscriber = Subscriber()
    #expect(subscriber.told(nil) == "wait")
    #expect(subscriber.told(result("a", run: 1)) == "a")
    #expect(subscriber.told(result("a", run: 1)) == "wait")
    #expect(subscriber.told(result("a", run: 2)) == "unchanged")
    #expect(subscriber.told(result("b", run: 3)) == "b")
    #expect(subscriber.told(result("a", run: 4)) == "a")
  }

  @Test("An older state is ignored: a stream never goes back")
  func noGoingBack() {
    let subscriber = Subscriber()
    #expect(subscriber.told(result("new", run: 5)) == "new")
    #expect(subscriber.told(result("old", run: 4)) == "wait")
  }

  @Test("A subscriber that knows an object is absent receives an event only when it exists")
  func resumingWithNothing() {
    let subscriber = Subscriber(.absence)
    #expect(subscriber.told(LiveState(outcome: .absent, run: 1, commit: 1)) == "unchanged")
    #expect(subscriber.told(result("a", run: 2)) == "a")
    #expect(subscriber.told(LiveState(outcome: .absent, run: 3, commit: 3)) == "gone")
  }

  @Test("A subscriber that names the current state receives one confirmation")
  func resuming() {
    let subscriber = Subscriber(.result(tag("a")))
    #expect(subscriber.told(result("a", run: 1)) == "current")
    #expect(subscriber.told(result("a", run: 2)) == "unchanged")
    #expect(subscriber.told(result("b", run: 3)) == "b")
    #expect(subscriber.told(result("a", run: 4)) == "a")
  }

  @Test("A subscriber that names another state receives the result")
  func resumingLate() {
    let subscriber = Subscriber(.result(tag("gone by")))
    #expect(subscriber.told(result("a", run: 1)) == "a")
  }

  @Test("A state from before the subscription may lack a commit and is not sent")
  func freshness() {
    let subscriber = Subscriber(firstRun: 3)
    #expect(subscriber.told(result("stale", run: 2)) == "wait")
    #expect(subscriber.told(result("fresh", run: 3)) == "fresh")
  }

  @Test("After an error the same result is sent again")
  func recovery() {
    struct Failure: Error {}
    let subscriber = Subscriber()
    #expect(subscriber.told(result("a", run: 1)) == "a")
    let failed = LiveState(outcome: .failed(Failure()), run: 2, commit: 2)
    #expect(subscriber.told(failed) == "problem")
    #expect(subscriber.told(failed) == "wait")
    #expect(subscriber.told(result("a", run: 3)) == "a")
  }

  @Test("A deleted object leads to the last event")
  func gone() {
    let subscriber = Subscriber()
    #expect(subscriber.told(result("a", run: 1)) == "a")
    #expect(subscriber.told(LiveState(outcome: .absent, run: 2, commit: 2)) == "gone")
    #expect(subscriber.told(LiveState(outcome: .absent, run: 3, commit: 3)) == "unchanged")
    #expect(subscriber.told(result("a", run: 4)) == "a")
  }
}
