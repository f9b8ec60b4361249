import MartletStore
import MartletTime

/// The live queries, who follows them, and which of them have to run. Every change of it is a step of
/// this state machine:
///
///     idle ──touched──▶ dirty ──taken──▶ running ──finished──▶ idle
///                         ▲                 │
///                         └── touched while it ran ──┘
struct Registry {
  typealias ID = DependencyIndex.ID
  typealias Update = @Sendable (LiveState) -> Void

  private enum Phase { case idle, dirty, running, runningTouched }

  private struct LiveQuery {
    let work: LiveWork
    /// Whom it is counted for.
    var client: Int
    var phase = Phase.dirty
    var state: LiveState?
    var runs: UInt64 = 0
    /// The last run whose state was told: later ones gave the same.
    var toldRun: UInt64 = 0
    var subscribers: [UInt64: Update] = [:]
    /// How long the last run took, in nanoseconds.
    var cost: UInt64 = 0
    /// How many bytes of its result are counted.
    var size = 0
    /// Someone waits for the end of a run, whatever it gives.
    var isAwaited = true
    /// The number of commits that were told of when the run under way was taken.
    var commitsBefore: UInt64 = 0
    /// The first commit that touched it and is not in its state; the first one since the run under way was
    /// taken; the last one of all.
    var firstTouch: UInt64?
    var touchWhileRunning: UInt64?
    var lastTouch: UInt64 = 0
    /// When the first commit came that is to be run for; the one that is being run for. In nanoseconds.
    var touchedAt: UInt64?
    var runsFor: UInt64?

    /// Commits need not come in order: those that came while other queries ran are looked at again.
    mutating func touch(_ commit: UInt64) {
      lastTouch = max(lastTouch, commit)
      if phase == .idle || phase == .dirty {
        firstTouch = min(firstTouch ?? commit, commit)
      } else {
        touchWhileRunning = min(touchWhileRunning ?? commit, commit)
      }
    }

    /// The run under way has seen everything up to `commit`.
    mutating func caughtUp(with commit: UInt64) {
      let isCovered = touchWhileRunning.map { $0 <= commit } ?? true
      firstTouch = isCovered ? lastTouch > commit ? commit + 1 : nil : touchWhileRunning
      touchWhileRunning = nil
    }
  }

  private var queries: [ID: LiveQuery] = [:]
  private var ids: [LiveWork.Identity: ID] = [:]
  private var index: DependencyIndex
  /// Queries to be run whose last run was quick, in order.
  private var quick: [ID] = []
  /// Those that have never run, and those that are slow, in turns of their clients.
  private var new = FairQueue<Int, ID>()
  private var slow = FairQueue<Int, ID>()
  private var memory: LiveMemory
  /// What was committed while queries run: their dependencies are known when they have run, and a commit
  /// that came in between may have touched what they have read.
  private var meanwhile: [CommitNotice] = []
  private var meanwhileRows = 0
  private var runningCount = 0
  /// The newest commit that a state may hold.
  private var latestSnapshot: UInt64 = 0
  /// Counts the calls of ``touch(_:)``.
  private var commits: UInt64 = 0
  /// When the clock changes a result, if nothing else does before: the few queries that depend on it.
  private var changes: [ID: Instant] = [:]
  private var lastID: UInt64 = 0
  /// When the last commit came, in nanoseconds.
  private var now: UInt64 = 0
  /// When the first commit came of those that the last finished runs are for.
  private(set) var oldestFinished: UInt64?

  init(_ watch: Watch, limits: LiveLimits = LiveLimits()) {
    index = DependencyIndex(watch)
    memory = LiveMemory(limits)
  }

  var count: Int { queries.count }

  /// `wakes`: there is something to run.
  mutating func subscribe(
    _ work: LiveWork, _ update: @escaping Update
  ) -> (query: ID, subscriber: UInt64, wakes: Bool) {
    lastID += 1
    let subscriber = lastID
    if let id = ids[work.identity] {
      queries[id]?.subscribers[subscriber] = update
      // The state that is there is announced by a run, so that updates come from one place in order.
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

  /// Has the query run and its state announced, also where nothing has touched it; gives whether that
  /// wakes.
  mutating func refresh(_ id: ID) -> Bool {
    let wakes = markDirty(id)
    queries[id]?.isAwaited = true
    return wakes
  }

  mutating func cancel(_ id: ID, _ subscriber: UInt64) {
    queries[id]?.subscribers[subscriber] = nil
    guard let query = queries[id], query.subscribers.isEmpty else { return }
    queries[id] = nil
    _ = memory.replace(query.size, by: 0, of: query.client)
    ids[query.work.identity] = nil
    changes[id] = nil
    index.remove(id)
  }

  /// Counts the query for another one of the clients that follow it. What is there is not refused any more.
  mutating func charge(_ id: ID, to client: Int) {
    guard let query = queries[id], query.client != client else { return }
    memory.move(query.size, from: query.client, to: client)
    queries[id]?.client = client
  }

  mutating func firstFreshRun(_ id: ID) -> UInt64 {
    guard let query = queries[id] else { return 0 }
    if query.phase != .idle { queries[id]?.isAwaited = true }
    switch query.phase {
    case .idle: return query.toldRun
    case .dirty: return query.runs + 1
    case .running where query.commitsBefore == commits: return query.runs + 1
    // Whether a commit since then touched what it reads is known when it has run.
    case .running:
      queries[id]?.phase = .runningTouched
      return query.runs + 2
    case .runningTouched: return query.runs + 2
    }
  }

  /// More commits than this, while queries run, count as a change of everything.
  private static let mostMeanwhile = 256
  private static let mostRowsMeanwhile = 100_000

  /// Marks what the commit touched, which came at `now`, in nanoseconds.
  mutating func touch(_ notice: CommitNotice, at now: UInt64 = 0) {
    commits += 1
    self.now = now
    if runningCount > 0 {
      meanwhileRows += notice.tables.values.reduce(0) { $0 + ($1.rows?.count ?? 0) }
      if meanwhile.count < Registry.mostMeanwhile, meanwhileRows < Registry.mostRowsMeanwhile {
        meanwhile.append(notice)
      } else {
        meanwhile = [CommitNotice(number: notice.number, everything: true)]
        meanwhileRows = 0
      }
    }
    for id in index.touched(by: notice) { markTouched(id, notice.number) }
  }

  /// Marks what the clock has changed by `now`.
  mutating func touch(at now: Instant) -> Bool {
    var wakes = false
    for (id, change) in changes where change <= now {
      changes[id] = nil
      wakes = markDirty(id) || wakes
    }
    return wakes
  }

  /// The first instant at which the clock changes a result.
  var nextChange: Instant? { changes.values.min() }

  private mutating func markTouched(_ id: ID, _ commit: UInt64) {
    queries[id]?.touch(commit)
    if let query = queries[id], query.touchedAt == nil { queries[id]?.touchedAt = now }
    _ = markDirty(id)
  }

  /// Whether the query's state is older than what the states of others hold: a commit that they may have
  /// seen has touched it, and it has not run since. When it has, that is announced.
  mutating func isBehind(_ id: ID) -> Bool {
    guard let query = queries[id],
      let touch = query.firstTouch ?? query.touchWhileRunning, touch <= latestSnapshot
    else { return false }
    queries[id]?.isAwaited = true
    return true
  }

  /// The runs whose states were told last, all of one moment; `nil` while one of the queries is behind.
  mutating func toldRuns(_ ids: [ID]) -> [UInt64]? {
    // Of all that are, the end is to be told.
    let behind = ids.filter { isBehind($0) }
    return behind.isEmpty ? ids.map { queries[$0]?.toldRun ?? 0 } : nil
  }

  private mutating func markDirty(_ id: ID) -> Bool {
    switch queries[id]?.phase {
    case .idle?:
      queries[id]?.phase = .dirty
      enqueue(id)
      return true
    case .running?:
      queries[id]?.phase = .runningTouched
      return false
    case .dirty?, .runningTouched?, nil: return false
    }
  }

  /// From this cost on a query runs apart from the quick ones, whose results do not wait for it.
  static let slow: UInt64 = 50_000_000

  /// How long the quick queries of one turn may take together, by their last runs: then what is done is told.
  static let turn: UInt64 = 100_000_000
  /// How many queries that have never run are taken in one turn.
  private static let mostNew = 512

  /// Where queries run: quick ones and such as have never run, many in one turn; slow ones one by one beside them.
  enum Lane: CaseIterable, Sendable { case quick, slow }

  /// Its last run says how much the next one will cost.
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

  /// The queries that run next in a lane, quick ones first. Those that nobody follows any more are passed over.
  mutating func takeDirty(_ lane: Lane) -> [Run] {
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

  /// Queries that were taken and did not run, or not to their end: they run later. `cost`: what is known of it now, in
  /// nanoseconds.
  mutating func giveBack(_ runs: [(id: ID, cost: UInt64?)]) {
    runningCount -= runs.count
    for (id, cost) in runs {
      guard var query = queries[id] else { continue }
      // A follower may wait for the run after this one, which this one was counted as.
      if query.phase == .runningTouched { query.runs += 1 }
      query.phase = .dirty
      if let start = query.runsFor { query.touchedAt = min(query.touchedAt ?? start, start) }
      query.runsFor = nil
      if let touch = query.touchWhileRunning {
        query.firstTouch = min(query.firstTouch ?? touch, touch)
        query.touchWhileRunning = nil
      }
      if let cost { query.cost = cost }
      queries[id] = query
      enqueue(id)
    }
    forgetMeanwhile()
  }

  private mutating func forgetMeanwhile() {
    guard runningCount == 0 else { return }
    meanwhile.removeAll()
    meanwhileRows = 0
  }

  private mutating func start(_ id: ID) -> Run? {
    guard let query = queries[id] else { return nil }
    queries[id]?.phase = .running
    queries[id]?.commitsBefore = commits
    queries[id]?.runsFor = query.touchedAt
    queries[id]?.touchedAt = nil
    runningCount += 1
    var last: LiveResult?
    if case .result(let result)? = query.state?.outcome { last = result }
    return Run(id: id, work: query.work, last: last)
  }

  var isIdle: Bool { busyLanes.isEmpty && runningCount == 0 }

  /// The lanes that have something to run.
  var busyLanes: [Lane] {
    Lane.allCases.filter { $0 == .slow ? !slow.isEmpty : !quick.isEmpty || !new.isEmpty }
  }

  /// Takes in what was run; gives whom to tell what.
  mutating func finish(_ finished: [FinishedRun]) -> [(LiveState, [Update])] {
    markTouchedMeanwhile(finished)
    var updates: [(LiveState, [Update])] = []
    oldestFinished = nil
    for run in finished {
      guard var query = queries[run.id] else { continue }
      query.runs += 1
      if let start = query.runsFor { oldestFinished = min(oldestFinished ?? start, start) }
      query.runsFor = nil
      query.caughtUp(with: run.commit)
      latestSnapshot = max(latestSnapshot, run.snapshot)
      let outcome = keep(run.outcome, of: &query)
      let state = LiveState(outcome: outcome, run: query.runs, commit: run.commit)
      if run.isChanged || query.isAwaited || query.state == nil {
        updates.append((state, Array(query.subscribers.values)))
        query.toldRun = query.runs
      }
      query.state = state
      query.cost = run.cost
      changes[run.id] = run.nextChange
      // Someone who waits for the run after this one is told then.
      query.isAwaited = query.phase == .runningTouched && query.isAwaited
      if query.phase == .runningTouched {
        query.phase = .dirty
      } else {
        query.phase = .idle
      }
      queries[run.id] = query
      if query.phase == .dirty { enqueue(run.id) }
    }
    return updates
  }

  /// The outcome, or that there is no room for it.
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

  /// Learns what the runs have read, and which of the commits that came while they ran they may have
  /// missed.
  private mutating func markTouchedMeanwhile(_ finished: [FinishedRun]) {
    runningCount -= finished.count
    defer { forgetMeanwhile() }
    var commits: [ID: UInt64] = [:]
    for run in finished where queries[run.id] != nil {
      if index.set(run.dependencies, for: run.id) { commits[run.id] = run.commit }
    }
    guard let first = commits.values.min() else { return }
    for notice in meanwhile where notice.number > first {
      for id in index.touched(by: notice) {
        if let commit = commits[id], notice.number > commit { markTouched(id, notice.number) }
      }
    }
  }
}
