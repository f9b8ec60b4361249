import Dispatch
import MartletTime
import Synchronization

/// The requests of a ``Courier`` and the runs of its process.
final class CourierWork: Sendable {
  typealias Completion = @Sendable (CourierResult) -> Void
  typealias KeyCompletion = @Sendable (Result<VAPIDKey, CourierResult.Failure>) -> Void
  typealias CheckCompletion = @Sendable (CourierResult.Failure?) -> Void

  /// A kind of order. Each has its own limits, so that none waits for another one.
  private enum Lane: Equatable {
    case send(CourierLane)
    case key

    /// The most orders of this kind in the process.
    var concurrency: Int {
      switch self {
      case .send(let lane): lane.concurrency
      case .key: CourierLane.request.concurrency
      }
    }

    /// How long an order may take, in nanoseconds.
    func limit(_ settings: CourierSettings) -> UInt64 {
      let most = self == .send(.mail) ? settings.mailTimeout * 2 : settings.timeout
      return (most + settings.reportTimeout).wholeNanoseconds
    }
  }

  /// The caller of an order.
  private enum Caller {
    case result(Completion)
    case key(KeyCompletion)

    /// Answers it. Returns false if the report does not fit the order.
    func answer(_ report: CourierLine.Report, on queue: DispatchQueue) -> Bool {
      switch (self, report) {
      case (.result(let completion), .result(_, let result)):
        queue.async { completion(result) }
      case (.key(let completion), .key(_, let key)):
        queue.async { completion(.success(key)) }
      case (.key, .result(_, let result)):
        guard case .failed(let failure) = result.outcome else { return false }
        fail(failure, nil, on: queue)
      default: return false
      }
      return true
    }

    func fail(
      _ failure: CourierResult.Failure, _ retryAfter: Duration?, on queue: DispatchQueue
    ) {
      queue.async {
        switch self {
        case .result(let completion):
          completion(CourierResult(.failed(failure), retryAfter: retryAfter))
        case .key(let completion): completion(.failure(failure))
        }
      }
    }
  }

  private struct Entry {
    let line: [UInt8]
    let lane: Lane
    let caller: Caller
    /// When it was given to the process, on the monotonic clock.
    var start: UInt64 = 0
  }

  /// One run of the process.
  private struct Run {
    let loop: ProcessLoop
    let start: UInt64
    var isReady = false
    /// Why it cannot work, if it has said so.
    var complaint: String?
  }

  private struct State {
    var lastID: UInt64 = 0
    var waiting: [(id: UInt64, entry: Entry)] = []
    var inFlight: [UInt64: Entry] = [:]
    var checks: [CheckCompletion] = []
    var run: Run?
    var isStopped = false
    /// How often in a row the process has ended without a result.
    var failedRuns = 0
    /// Why, the last time.
    var reason = ""
    /// On the monotonic clock.
    var nextStart: UInt64 = 0

    func hasRoom(in lane: Lane) -> Bool {
      inFlight.values.count { $0.lane == lane } < lane.concurrency
    }
  }

  private let settings: CourierSettings
  private let executable: String
  private let arguments: [String]
  private let clock: Clock
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "courier.results")

  init(
    _ settings: CourierSettings, _ executable: String, _ arguments: [String], _ clock: Clock
  ) {
    self.settings = settings
    self.executable = executable
    self.arguments = arguments
    self.clock = clock
  }

  func send(_ request: CourierRequest, _ completion: @escaping Completion) {
    if let problem = request.problem ?? request.problem(with: settings.rules)?.text {
      return Caller.result(completion).fail(.init(.refused, problem), nil, on: queue)
    }
    enqueue(.send(request), .send(request.lane), .result(completion))
  }

  func makeKey(_ completion: @escaping KeyCompletion) {
    enqueue(.makeKey, .key, .key(completion))
  }

  private func enqueue(_ order: CourierLine.Order, _ lane: Lane, _ caller: Caller) {
    let failure = state.withLock { state -> (CourierResult.Failure, Duration?)? in
      if state.isStopped { return (CourierWork.stopped, nil) }
      if state.run == nil, let wait = timeToNextStart(state) {
        return (.init(.courier, state.reason), wait)
      }
      guard state.waiting.count(where: { $0.entry.lane == lane }) < Courier.waitingLimit else {
        return (.init(.courier, "too many requests wait for the courier"), nil)
      }
      state.lastID += 1
      let line = CourierLine.bytes(order, id: state.lastID)
      state.waiting.append((state.lastID, Entry(line: line, lane: lane, caller: caller)))
      return startAndFill(&state).map { failure in
        state.waiting.removeLast()
        return (failure, nil)
      }
    }
    if let (failure, retryAfter) = failure { caller.fail(failure, retryAfter, on: queue) }
  }

  func check(_ completion: @escaping CheckCompletion) {
    let answer = state.withLock { state -> CourierResult.Failure?? in
      if state.isStopped { return CourierWork.stopped }
      if state.run?.isReady == true { return .some(nil) }
      state.checks.append(completion)
      return startAndFill(&state).map { failure in
        state.checks.removeLast()
        return failure
      }
    }
    if let answer { queue.async { completion(answer) } }
  }

  func stop() {
    let run = state.withLock { state in
      state.isStopped = true
      return state.run
    }
    run?.loop.stop()
  }

  private static let stopped = CourierResult.Failure(.courier, "the courier was stopped")

  // MARK: The process

  /// Starts the process if it does not run, and gives it waiting requests. Returns why it could not
  /// be started.
  private func startAndFill(_ state: inout State) -> CourierResult.Failure? {
    if state.run == nil {
      do {
        let loop = try ProcessLoop()
        state.run = Run(loop: loop, start: clock.monotonic())
        start(loop)
      } catch {
        return .init(.courier, "the courier cannot be started: \(error)")
      }
    }
    fill(&state)
    return nil
  }

  private func start(_ loop: ProcessLoop) {
    loop.write(CourierLine.bytes(settings))
    loop.start(
      executable, arguments,
      ProcessLoop.Events(
        line: { self.take($0) }, timeLeft: { self.timeLeft() }, ended: { self.ended($0) }))
  }

  private func fill(_ state: inout State) {
    guard let run = state.run, !state.isStopped else { return }
    while let place = state.waiting.firstIndex(where: { state.hasRoom(in: $0.entry.lane) }) {
      var (id, entry) = state.waiting.remove(at: place)
      entry.start = clock.monotonic()
      state.inFlight[id] = entry
      run.loop.write(entry.line)
    }
  }

  /// Takes a line of the process. Returns false if it is not one that the process can write.
  private func take(_ line: [UInt8]) -> Bool {
    guard let report = CourierLine.report(line) else { return false }
    switch report {
    case .ready:
      let checks = state.withLock { state in
        state.run?.isReady = true
        defer { state.checks = [] }
        return state.checks
      }
      queue.async { for check in checks { check(nil) } }
    case .unable(let text):
      state.withLock { $0.run?.complaint = text }
    case .result(let id, _), .key(let id, _):
      let entry = state.withLock { state in
        guard let entry = state.inFlight.removeValue(forKey: id) else { return nil as Entry? }
        state.failedRuns = 0
        fill(&state)
        return entry
      }
      guard let entry else { return false }
      if entry.caller.answer(report, on: queue) { return true }
      let failure = CourierResult.Failure(.courier, "the courier's answer fits no such request")
      entry.caller.fail(failure, nil, on: queue)
      return false
    }
    return true
  }

  /// The milliseconds until a result, or the first line of the process, is overdue.
  private func timeLeft() -> Int32 {
    let now = clock.monotonic()
    let deadline = state.withLock { state in
      let results = state.inFlight.values.map { $0.start &+ $0.lane.limit(settings) }
      guard let run = state.run, !run.isReady else { return results.min() }
      return run.start &+ settings.reportTimeout.wholeNanoseconds
    }
    guard let deadline else { return -1 }
    return deadline <= now ? 0 : Int32(clamping: (deadline - now) / 1_000_000 + 1)
  }

  private func ended(_ end: String) {
    let (failed, checks, failure, retryAfter) = state.withLock { state in
      let text =
        state.isStopped
        ? CourierWork.stopped.text
        : state.run?.complaint ?? "the courier's process has ended unexpectedly: \(end)"
      state.run = nil
      state.failedRuns += 1
      state.reason = text
      state.nextStart = clock.monotonic() &+ CourierWork.delay(state.failedRuns).wholeNanoseconds
      var failed = Array(state.inFlight.values)
      state.inFlight = [:]
      let wait = timeToNextStart(state)
      if !state.waiting.isEmpty,
        wait != nil || state.isStopped || startAndFill(&state) != nil
      {
        failed += state.waiting.map(\.entry)
        state.waiting = []
      }
      defer { state.checks = [] }
      return (failed, state.checks, CourierResult.Failure(.courier, text), wait)
    }
    for entry in failed { entry.caller.fail(failure, retryAfter, on: queue) }
    queue.async { for check in checks { check(failure) } }
  }

  /// How long to wait after so many failed runs in a row: nothing after the first, then a second,
  /// and twice as long each time, up to a minute.
  static func delay(_ failedRuns: Int) -> Duration {
    failedRuns < 2 ? .zero : .seconds(min(1 << min(failedRuns - 2, 6), 60))
  }

  private func timeToNextStart(_ state: State) -> Duration? {
    let now = clock.monotonic()
    return state.nextStart > now ? .nanoseconds(Int64(state.nextStart - now)) : nil
  }
}
