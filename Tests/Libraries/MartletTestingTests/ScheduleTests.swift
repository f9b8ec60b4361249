import Martlet
import MartletTesting
import Synchronization
import Testing

@Suite("Tasks of a service at instants of its clock", .timeLimit(.minutes(10)))
struct ScheduleTests {
  private struct Boom: Error {}

  /// An alarm that reports the instants to which it is set.
  private final class ObservedAlarm: Alarm {
    private let alarm: any Alarm
    private let tell: @Sendable (Instant?) -> Void

    init(_ alarm: any Alarm, _ tell: @escaping @Sendable (Instant?) -> Void) {
      self.alarm = alarm
      self.tell = tell
    }

    func set(_ instant: Instant?) {
      alarm.set(instant)
      tell(instant)
    }
  }

  /// The instants for which the next run is planned, in seconds.
  private let plans: AsyncStream<Int64>
  private let clock = TestClock(Instant(milliseconds: 0))
  private let made: Service

  init() {
    let (plans, plan) = AsyncStream.makeStream(of: Int64.self)
    self.plans = plans
    let clock = clock.clock
    made = {
      var service = Service(path: "", migrator: Migrator(), routes: [])
      service.clock = Clock(
        now: clock.now, monotonic: clock.monotonic,
        alarm: { ring in
          ObservedAlarm(clock.alarm(ring)) { if let at = $0 { plan.yield(at.milliseconds / 1000) } }
        })
      return service
    }()
  }

  private func planned(_ second: Int64) async {
    for await plan in plans where plan == second { return }
  }

  /// The starts of a task in seconds.
  private func starts() -> (AsyncStream<Int64>, @Sendable (Instant) -> Void) {
    let (stream, continuation) = AsyncStream.makeStream(of: Int64.self)
    return (stream, { continuation.yield($0.milliseconds / 1000) })
  }

  @Test("A task whose write the stopped store refuses has not failed")
  func stopped() async throws {
    let failures = Atomic(0)
    var made = made
    made.onEvent = { if case .taskFailed = $0 { failures.add(1, ordering: .relaxed) } }
    let service = try TestService(made)
    let (all, run) = starts()
    var runs = all.makeAsyncIterator()
    service.running.schedule(every: .seconds(60)) { now in
      run(now)
      throw WriteError.stopped
    }
    #expect(await runs.next() == 0)
    await planned(60)
    #expect(failures.load(ordering: .relaxed) == 0)
  }

  @Test("A task runs at once and in its interval, also after an error and if the clock is set")
  func interval() async throws {
    let errors = Atomic(0)
    var made = made
    made.onEvent = { if case .taskFailed(is Boom) = $0 { errors.add(1, ordering: .relaxed) } }
    let service = try TestService(made)
    let (all, run) = starts()
    var runs = all.makeAsyncIterator()
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    service.running.schedule(every: .seconds(60)) { now in
      run(now)
      for await _ in ends { break }
      throw Boom()
    }
    #expect(await runs.next() == 0)
    clock.advance(milliseconds: 60_000)
    end.yield()
    #expect(await runs.next() == 60)
    // More than two intervals pass during a run, and one run makes up for them.
    clock.advance(milliseconds: 150_000)
    end.yield()
    #expect(await runs.next() == 210)
    // Set back during a run, and then between two.
    clock.now = Instant(milliseconds: 110_000)
    end.yield()
    await planned(170)
    clock.now = Instant(milliseconds: 10_000)
    await planned(70)
    clock.advance(milliseconds: 60_000)
    #expect(await runs.next() == 70)
    end.yield()
    await planned(130)
    clock.now = Instant(milliseconds: 1_000_000)
    #expect(await runs.next() == 1_000)
    #expect(errors.load(ordering: .relaxed) == 4)
  }

  @Test("A task runs at the instants of a function, until there is no further one")
  func instants() async throws {
    let service = try TestService(made)
    let (all, run) = starts()
    var runs = all.makeAsyncIterator()
    // Each full hour of the first two.
    service.running.schedule(at: { now in
      let hour = Instant(milliseconds: (now.milliseconds / 3_600_000 + 1) * 3_600_000)
      return hour.milliseconds > 7_200_000 ? nil : hour
    }) { run($0) }
    await planned(3_600)
    clock.advance(milliseconds: 3_600_000)
    #expect(await runs.next() == 3_600)
    await planned(7_200)
    // An entry that another part plans shows that nothing else was due.
    service.running.schedule(at: { $0.adding(seconds: 10_000) }) { run($0) }
    clock.advance(milliseconds: 3_600_000)
    #expect(await runs.next() == 7_200)
    await planned(13_600)
    clock.advance(milliseconds: 6_400_000)
    #expect(await runs.next() == 13_600)
  }

  @Test("No task runs after its service was closed, and a running one is canceled")
  func closed() async throws {
    var service: TestService? = try TestService(made)
    let running = try #require(service?.running)
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    let (all, run) = starts()
    var runs = all.makeAsyncIterator()
    running.schedule(every: .seconds(1)) { now in
      withExtendedLifetime(running) { run(now) }
      for await _ in AsyncStream<Void>.makeStream().stream {}
      end.yield(Task.isCancelled)
    }
    _ = await runs.next()
    service = nil
    for await isCancelled in ends {
      #expect(isCancelled)
      break
    }
    running.schedule(every: .seconds(1)) { _ in Issue.record("ran after the end") }
  }
}
