import Dispatch
import MartletTime
import Synchronization
import Testing

@Suite("An agenda", .timeLimit(.minutes(10))) struct AgendaTests {
  /// Records calls in order, and waits for them.
  private final class Calls: Sendable {
    private let calls = Mutex<[String]>([])
    private let signal = DispatchSemaphore(value: 0)

    func add(_ name: String) {
      calls.withLock { $0.append(name) }
      signal.signal()
    }

    /// Waits for `count` further calls and returns all calls so far.
    func next(_ count: Int) -> [String] {
      for _ in 0..<count { signal.wait() }
      return calls.withLock { $0 }
    }
  }

  private let time = TestClock(Instant(seconds: 1_000))
  private let calls = Calls()

  private func entry(_ agenda: Agenda, _ name: String) -> Agenda.Entry {
    let entry = agenda.entry()
    entry.whenDue { [calls] now, reason in
      calls.add("\(name) \(now.seconds)\(reason == .isDue ? "" : " set")")
    }
    return entry
  }

  @Test("Each handler is called when its instant arrives, the earliest first")
  func order() {
    let agenda = Agenda(time.clock)
    let (one, other) = (entry(agenda, "one"), entry(agenda, "other"))
    one.plan(at: Instant(seconds: 1_030))
    other.plan(at: Instant(seconds: 1_010))
    time.advance(milliseconds: 9_999)
    time.advance(milliseconds: 1)
    #expect(calls.next(1) == ["other 1010"])
    time.advance(milliseconds: 60_000)
    #expect(calls.next(1) == ["other 1010", "one 1070"])
    // Neither has a plan any more.
    time.advance(milliseconds: 60_000)
    one.plan(at: Instant(seconds: 1_000))
    #expect(calls.next(1) == ["other 1010", "one 1070", "one 1130"])
  }

  @Test("A plan can be replaced and removed")
  func replaced() {
    let agenda = Agenda(time.clock)
    let (one, last) = (entry(agenda, "one"), entry(agenda, "last"))
    one.plan(at: Instant(seconds: 1_010))
    one.plan(at: Instant(seconds: 1_020))
    last.plan(at: Instant(seconds: 1_015))
    time.advance(milliseconds: 16_000)
    #expect(calls.next(1) == ["last 1016"])
    one.plan(at: nil)
    last.plan(at: Instant(seconds: 1_030))
    time.advance(milliseconds: 16_000)
    #expect(calls.next(1) == ["last 1016", "last 1032"])
  }

  @Test("Setting the clock calls all handlers, including ones without a plan")
  func clockWasSet() {
    let agenda = Agenda(time.clock)
    let (one, other) = (entry(agenda, "one"), entry(agenda, "other"))
    let idle = entry(agenda, "idle")
    one.plan(at: Instant(seconds: 5_000))
    other.plan(at: Instant(seconds: 6_000))
    time.now = Instant(seconds: 500)
    #expect(calls.next(3) == ["one 500 set", "other 500 set", "idle 500 set"])
    withExtendedLifetime(idle) {}
  }

  @Test("A removed entry is neither called nor retained")
  func gone() {
    let agenda = Agenda(time.clock)
    var first: Agenda.Entry? = entry(agenda, "first")
    let last = entry(agenda, "last")
    first?.plan(at: Instant(seconds: 1_005))
    last.plan(at: Instant(seconds: 1_010))
    first = nil
    time.advance(milliseconds: 10_000)
    #expect(calls.next(1) == ["last 1010"])
  }

  @Test("The system alarm fires, also for an instant in the past")
  func system() {
    let agenda = Agenda()
    let entry = agenda.entry()
    let rung = DispatchSemaphore(value: 0)
    entry.whenDue { now, _ in
      #expect(now <= Clock.system.now())
      rung.signal()
    }
    for milliseconds in [-1_000_000_000_000_000, -5, 0, 5] as [Int64] {
      let instant = Clock.system.now().adding(milliseconds: milliseconds)
      entry.plan(at: instant)
      rung.wait()
      #expect(Clock.system.now() >= instant)
    }
  }
}
