import MartletStore
import MartletTime

/// The live queries, their subscribers, and which queries have to run. Every change is a transition
/// of this state machine:
///
///     idle ──touched──▶ dirty ──taken──▶ running ──finished──▶ idle
///                         ▲                 │
///                         └── touched while it ran ──┘
struct Registry {
  typealias ID = DependencyIndex.ID
  typealias Update = @Sendable (LiveState) -> Void

  private enum Phase {
    case idle
    /// Waiting to run since the first commit that it will run for, in nanoseconds.
    case dirty(since: UInt64?)
    case running(RunUnderWay)
  }

  private struct RunUnderWay {
    /// The number of commits notified when the run was taken.
    let commitsBefore: UInt64
    /// When the first commit that it runs for arrived, in nanoseconds.
    let since: UInt64?
    /// Whether another run must follow, the first commit that requires it, and when that commit
    /// arrived.
    var isTouched = false
    var touch: UInt64?
    var touchedAt: UInt64?
  }

  private struct LiveQuery {
    let work: LiveWork
    /// The client that the query is charged to.
    var client: Int
    var phase = Phase.dirty(since: nil)
    var state: LiveState?
    var runs: UInt64 = 0
    /// The last run whose state was delivered. Later runs gave an equal state.
    var deliveredRun: UInt64 = 0
    var subscribers: [UInt64: Update] = [:]
    /// The duration of the last run in nanoseconds.
    var cost: UInt64 = 0
    /// The bytes of its result that ``LiveMemory`` counts.
    var size = 0
    /// Whether a subscriber waits for the end of a run, even if the result is unchanged.
    var isAwaited = true
    /// The first commit that touched the query and is in neither its state nor the run in progress,
    /// and the last commit that touched it.
    var firstTouch: UInt64?
    var lastTouch: UInt64 = 0

    /// The first commit that touched the query and is not in its state.
    var firstUnseen: UInt64? {
      if firstTouch == nil, case .running(let run) = phase { run.touch } else { firstTouch }
    }

    /// Marks the query as changed by a commit that arrived at `now`, in nanoseconds. Returns
    /// whether it just became dirty. Commits that arrived during a run may be marked later than
    /// newer ones.
    mutating func touch(_ commit: UInt64, at now: UInt64) -> Bool {
      lastTouch = max(lastTouch, commit)
      switch phase {
      case .idle:
        firstTouch = min(firstTouch ?? commit, commit)
        phase = .dirty(since: now)
        return true
      case .dirty(let since):
        firstTouch = min(firstTouch ?? commit, commit)
        phase = .dirty(since: since ?? now)
      case .running(var run):
        run.isTouched = true
        run.touch = min(run.touch ?? commit, commit)
        run.touchedAt = run.touchedAt ?? now
        phase = .running(run)
      }
      return false
    }

    /// Makes the query run again without a commit. Returns whether it just became dirty.
    mutating func refresh() -> Bool {
      switch phase {
      case .idle:
        phase = .dirty(since: nil)
        return true
      case .dirty: break
      case .running(var run):
        run.isTouched = true
        phase = .running(run)
      }
      return false
    }

    /// Ends a run whose result contains every commit up to `commit`.
    mutating func finish(_ run: RunUnderWay, _ commit: UInt64) {
      runs += 1
      let isCovered = run.touch.map { $0 <= commit } ?? true
      firstTouch = isCovered ? lastTouch > commit ? commit + 1 : nil : run.touch
      // Subscribers that wait for the next run are notified by that run.
      isAwaited = run.isTouched && isAwaited
      phase = run.isTouched ? .dirty(since: run.touchedAt) : .idle
    }

    /// Ends a run that did not take place.
    mutating func giveBack(_ run: RunUnderWay) {
      // Subscribers may already wait for the number of the next run, so this run counts as well.
      if run.isTouched { runs += 1 }
      firstTouch = [firstTouch, run.touch].compactMap { $0 }.min()
      phase = .dirty(since: [run.since, run.touchedAt].compactMap { $0 }.min())
    }
  }

  private var queries: [ID: LiveQuery] = [:]
  private var ids: [LiveWork.Identity: ID] = [:]
  /// Dirty queries whose last run was quick, in order.
  private var quick: [ID] = []
  /// Dirty queries that have never run, and slow ones, each in turns of their clients.
  private var new = FairQueue<Int, ID>()
  private var slow = FairQueue<Int, ID>()
  private var memory: LiveMemory
  private var runningCount = 0
  /// The newest commit that a state may contain.
  private var latestSnapshot: UInt64 = 0
  /// Counts the calls of ``touch(_:_:at:)``.
  private var commits: UInt64 = 0
  /// When the clock next changes a result, for the queries that depend on the clock.
  private var changes: [ID: Instant] = [:]
  private var lastID: UInt64 = 0
  /// When the last commit arrived, in nanoseconds.
  private var now: UInt64 = 0
  /// The arrival time of the first commit that the last finished runs were for.
  private(set) var oldestFinished: UInt64?

  init(limits: LiveLimits = LiveLimits()) {
    memory = LiveMemory(limits)
  }

  var count: Int { queries.count }

  /// Adds a subscriber. `wakes` says whether there is something to run.
  mutating func subscribe(
    _ work: LiveWork, _ update: @escaping Update
  ) -> (query: ID, subscriber: UInt64, wakes: Bool) {
    lastID += 1
    let subscriber = lastID
    if let id = ids[work.identity] {
      queries[id]?.subscribers[subscriber] = update
      // A run delivers the existing state, so that all updates come from one place in order.
      return (id, subscriber, refresh(id))
    }
    lastID += 1
    let id = lastID
    ids[work.identity] = id
    var query = LiveQuery(work: work, client: work.client)
    query.subscribers[subscriber] = update
    queries[id] = query
    enqueue(id)
    return (id, subscriber, true)
  }

  /// Makes the query run and deliver its state even if nothing has touched it. Returns whether it
  /// just became dirty.
  mutating func refresh(_ id: ID) -> Bool {
    let wakes = markDirty(id)
    queries[id]?.isAwaited = true
    return wakes
  }

  /// Removes a subscriber, and the query if it was the last one. Returns what was removed, to be
  /// released outside the lock: it may hold the last reference to another subscription.
  mutating func cancel(
    _ id: ID, _ subscriber: UInt64
  ) -> (update: Update?, query: Any?) {
    let update = queries[id]?.subscribers.removeValue(forKey: subscriber)
    guard let query = queries[id], query.subscribers.isEmpty else { return (update, nil) }
    queries[id] = nil
    _ = memory.replace(query.size, by: 0, of: query.client)
    ids[query.work.identity] = nil
    changes[id] = nil
    return (update, query)
  }

  /// Charges the query to another of its clients. An existing result is never refused.
  mutating func charge(_ id: ID, to client: Int) {
    guard let query = queries[id], query.client != client else { return }
    memory.move(query.size, from: query.client, to: client)
    queries[id]?.client = client
  }

  mutating func firstFreshRun(_ id: ID) -> UInt64 {
    guard let query = queries[id] else { return 0 }
    if case .idle = query.phase { return query.deliveredRun }
    queries[id]?.isAwaited = true
    guard case .running(let run) = query.phase, run.isTouched || run.commitsBefore != commits else {
      return query.runs + 1
    }
    // Whether a commit since then touched the query is known only after the run.
    _ = queries[id]?.refresh()
    return query.runs + 2
  }

  /// Marks the queries touched by a commit that arrived at `now`, in nanoseconds. Called for every
  /// commit, even if it touched no query.
  mutating func touch(_ ids: Set<ID>, _ commit: UInt64, at now: UInt64 = 0) {
    commits += 1
    self.now = now
    for id in ids { markTouched(id, commit) }
  }

  /// Marks the queries whose results the clock has changed by `now`.
  mutating func touch(at now: Instant) -> Bool {
    let due = changes.filter { $0.value <= now }
    return touchByClock(due.keys)
  }

  /// Marks the queries that depend on the clock, and all running ones, because those may depend on
  /// it.
  mutating func clockWasSet() -> Bool {
    let running = queries.filter { if case .running = $0.value.phase { true } else { false } }
    return touchByClock(Set(changes.keys).union(running.keys))
  }

  private mutating func touchByClock(_ ids: some Sequence<ID>) -> Bool {
    var wakes = false
    for id in ids {
      changes[id] = nil
      wakes = markDirty(id) || wakes
    }
    return wakes
  }

  /// The first instant at which the clock changes a result.
  var nextChange: Instant? { changes.values.min() }

  private mutating func markTouched(_ id: ID, _ commit: UInt64) {
    if queries[id]?.touch(commit, at: now) == true { enqueue(id) }
  }

  /// Whether a commit that other queries' states may contain has touched the query since its last
  /// run. If so, the end of its next run is delivered.
  mutating func isBehind(_ id: ID) -> Bool {
    guard let query = queries[id],
      let touch = query.firstUnseen, touch <= latestSnapshot
    else { return false }
    queries[id]?.isAwaited = true
    return true
  }

  /// The runs whose states were delivered last, which all show one moment; `nil` while a query is
  /// behind.
  mutating func deliveredRuns(_ ids: [ID]) -> [UInt64]? {
    // Checks every query, so that the next run of each one that is behind is delivered.
    let behind = ids.filter { isBehind($0) }
    return behind.isEmpty ? ids.map { queries[$0]?.deliveredRun ?? 0 } : nil
  }

  private mutating func markDirty(_ id: ID) -> Bool {
    guard queries[id]?.refresh() == true else { return false }
    enqueue(id)
    return true
  }

  /// A query whose last run took this many nanoseconds or longer runs in the slow lane, so that
  /// quick queries do not wait for it.
  static let slow: UInt64 = 50_000_000

  /// The budget of one batch of quick queries in nanoseconds, by the cost of their last runs. Then
  /// the finished results are delivered.
  static let turn: UInt64 = 100_000_000
  /// The maximum number of new queries in one batch.
  private static let mostNew = 512

  /// The lanes of queries: quick and new ones run in batches, slow ones run singly beside them.
  enum Priority: CaseIterable, Sendable { case quick, slow }

  /// Queues a query by the cost of its last run.
  private mutating func enqueue(_ id: ID) {
    guard let query = queries[id] else { return }
    if query.cost >= Registry.slow {
      slow.append(id, of: query.client)
    } else if query.state != nil {
      quick.append(id)
    } else if query.work.isSlow {
      slow.append(id, of: query.client)
    } else {
      new.append(id, of: query.client)
    }
  }

  /// Takes the queries that run next in a lane, quick ones before new ones. Canceled queries are
  /// skipped.
  mutating func takeDirty(_ lane: Priority) -> [Run] {
    var taken: [Run] = []
    if lane == .slow {
      while taken.isEmpty, let (_, id) = slow.popFirst() {
        if let run = start(id) { taken = [run] }
      }
      return taken
    }
    var cost: UInt64 = 0
    var count = 0
    for id in quick where cost <= Registry.turn {
      count += 1
      guard let run = start(id) else { continue }
      cost += queries[id]?.cost ?? 0
      taken.append(run)
    }
    quick.removeFirst(count)
    var newcomers = 0
    while newcomers < Registry.mostNew, let (_, id) = new.popFirst() {
      guard var run = start(id) else { continue }
      run.isNew = true
      newcomers += 1
      taken.append(run)
    }
    return taken
  }

  /// Queues queries again that were taken but not run to the end. `cost` is their known cost in
  /// nanoseconds.
  mutating func giveBack(_ runs: [(id: ID, cost: UInt64?)]) {
    runningCount -= runs.count
    for (id, cost) in runs {
      guard var query = queries[id], case .running(let run) = query.phase else { continue }
      query.giveBack(run)
      if let cost { query.cost = cost }
      queries[id] = query
      enqueue(id)
    }
  }

  private mutating func start(_ id: ID) -> Run? {
    guard let query = queries[id], case .dirty(let since) = query.phase else { return nil }
    queries[id]?.phase = .running(RunUnderWay(commitsBefore: commits, since: since))
    runningCount += 1
    var last: LiveResult?
    if case .result(let result)? = query.state?.outcome { last = result }
    return Run(id: id, work: query.work, last: last)
  }

  var isIdle: Bool { busyPriorities.isEmpty && runningCount == 0 }

  /// The lanes that have queries to run.
  var busyPriorities: [Priority] {
    Priority.allCases.filter { $0 == .slow ? !slow.isEmpty : !quick.isEmpty || !new.isEmpty }
  }

  /// Stores the outcomes of runs. Returns the states to deliver, each with its subscribers.
  /// `missed` are commits that arrived during the runs and may have changed what they read
  /// (``Invalidation``).
  mutating func finish(
    _ finished: [FinishedRun], missed: [(id: ID, commit: UInt64)]
  ) -> [(LiveState, [Update])] {
    runningCount -= finished.count
    for (id, commit) in missed { markTouched(id, commit) }
    var updates: [(LiveState, [Update])] = []
    oldestFinished = nil
    for run in finished {
      guard var query = queries[run.id], case .running(let underWay) = query.phase else { continue }
      if let start = underWay.since { oldestFinished = min(oldestFinished ?? start, start) }
      let isAwaited = query.isAwaited
      query.finish(underWay, run.commit)
      latestSnapshot = max(latestSnapshot, run.snapshot)
      let outcome = keep(run.outcome, of: &query)
      let state = LiveState(outcome: outcome, run: query.runs, commit: run.commit)
      if run.isChanged || isAwaited || query.state == nil {
        updates.append((state, Array(query.subscribers.values)))
        query.deliveredRun = query.runs
      }
      query.state = state
      query.cost = run.cost
      changes[run.id] = run.nextChange
      queries[run.id] = query
      if underWay.isTouched { enqueue(run.id) }
    }
    return updates
  }

  /// The outcome, or an error if its result exceeds the memory limits.
  private mutating func keep(
    _ outcome: LiveState.Outcome, of query: inout LiveQuery
  ) -> LiveState.Outcome {
    var size = 0
    if case .result(let result) = outcome { size = result.body.count }
    if memory.replace(query.size, by: size, of: query.client) {
      query.size = size
      return outcome
    }
    _ = memory.replace(query.size, by: 0, of: query.client)
    query.size = 0
    return .failed(LiveQueryError.tooLargeTogether)
  }

  /// The queries that have no subscribers anymore.
  func gone(_ ids: [ID]) -> [ID] { ids.filter { queries[$0] == nil } }
}
