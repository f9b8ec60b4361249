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

  private enum Phase {
    case idle
    /// It is to be run; `since`: when the first commit came that it is to be run for, in nanoseconds.
    case dirty(since: UInt64?)
    case running(RunUnderWay)
  }

  private struct RunUnderWay {
    /// The number of commits that were told of when the run was taken.
    let commitsBefore: UInt64
    /// When the first commit came that it runs for, in nanoseconds.
    let since: UInt64?
    /// Whether another run follows; the first commit that asks for it, and when that came.
    var isTouched = false
    var touch: UInt64?
    var touchedAt: UInt64?
  }

  private struct LiveQuery {
    let work: LiveWork
    /// Whom it is counted for.
    var client: Int
    var phase = Phase.dirty(since: nil)
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
    /// The first commit that touched it and is not in its state, nor in what the run under way will give; the last
    /// one of all.
    var firstTouch: UInt64?
    var lastTouch: UInt64 = 0

    /// The first commit that touched it and is not in its state.
    var firstUnseen: UInt64? {
      if firstTouch == nil, case .running(let run) = phase { run.touch } else { firstTouch }
    }

    /// Marks it as changed by a commit that came at `now`, in nanoseconds; gives whether it is to be run now, and was not
    /// before. Commits need not come in order: those that came while other queries ran are looked at again.
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

    /// Has it run again for another reason than a commit; gives what ``touch(_:at:)`` gives.
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

    /// The run has ended, and has seen everything up to `commit`.
    mutating func finish(_ run: RunUnderWay, _ commit: UInt64) {
      runs += 1
      let isCovered = run.touch.map { $0 <= commit } ?? true
      firstTouch = isCovered ? lastTouch > commit ? commit + 1 : nil : run.touch
      // Someone who waits for the run after this one is told then.
      isAwaited = run.isTouched && isAwaited
      phase = run.isTouched ? .dirty(since: run.touchedAt) : .idle
    }

    /// The run did not take place.
    mutating func giveBack(_ run: RunUnderWay) {
      // A follower may wait for the run after this one, which this one was counted as.
      if run.isTouched { runs += 1 }
      firstTouch = [firstTouch, run.touch].compactMap { $0 }.min()
      phase = .dirty(since: [run.since, run.touchedAt].compactMap { $0 }.min())
    }
  }

  private var queries: [ID: LiveQuery] = [:]
  private var ids: [LiveWork.Identity: ID] = [:]
  /// Queries to be run whose last run was quick, in order.
  private var quick: [ID] = []
  /// Those that have never run, and those that are slow, in turns of their clients.
  private var new = FairQueue<Int, ID>()
  private var slow = FairQueue<Int, ID>()
  private var memory: LiveMemory
  private var runningCount = 0
  /// The newest commit that a state may hold.
  private var latestSnapshot: UInt64 = 0
  /// Counts the calls of ``touch(_:_:at:)``.
  private var commits: UInt64 = 0
  /// When the clock changes a result, if nothing else does before: the few queries that depend on it.
  private var changes: [ID: Instant] = [:]
  private var lastID: UInt64 = 0
  /// When the last commit came, in nanoseconds.
  private var now: UInt64 = 0
  /// When the first commit came of those that the last finished runs are for.
  private(set) var oldestFinished: UInt64?

  init(limits: LiveLimits = LiveLimits()) {
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

  /// Gives whether nobody follows the query any more: it is gone.
  mutating func cancel(_ id: ID, _ subscriber: UInt64) -> Bool {
    queries[id]?.subscribers[subscriber] = nil
    guard let query = queries[id], query.subscribers.isEmpty else { return false }
    queries[id] = nil
    _ = memory.replace(query.size, by: 0, of: query.client)
    ids[query.work.identity] = nil
    changes[id] = nil
    return true
  }

  /// Counts the query for another one of the clients that follow it. What is there is not refused any more.
  mutating func charge(_ id: ID, to client: Int) {
    guard let query = queries[id], query.client != client else { return }
    memory.move(query.size, from: query.client, to: client)
    queries[id]?.client = client
  }

  mutating func firstFreshRun(_ id: ID) -> UInt64 {
    guard let query = queries[id] else { return 0 }
    if case .idle = query.phase { return query.toldRun }
    queries[id]?.isAwaited = true
    guard case .running(let run) = query.phase, run.isTouched || run.commitsBefore != commits else {
      return query.runs + 1
    }
    // Whether a commit since then touched what it reads is known when it has run.
    _ = queries[id]?.refresh()
    return query.runs + 2
  }

  /// Marks the queries that a commit has touched, which came at `now`, in nanoseconds. Each commit is told, also one that
  /// has touched none.
  mutating func touch(_ ids: Set<ID>, _ commit: UInt64, at now: UInt64 = 0) {
    commits += 1
    self.now = now
    for id in ids { markTouched(id, commit) }
  }

  /// Marks what the clock has changed by `now`.
  mutating func touch(at now: Instant) -> Bool {
    let due = changes.filter { $0.value <= now }
    return touchByClock(due.keys)
  }

  /// The clock was set: marks what depends on it, and what is being run, of which that is not known.
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

  /// Whether the query's state is older than what the states of others hold: a commit that they may have
  /// seen has touched it, and it has not run since. When it has, that is announced.
  mutating func isBehind(_ id: ID) -> Bool {
    guard let query = queries[id],
      let touch = query.firstUnseen, touch <= latestSnapshot
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
    guard queries[id]?.refresh() == true else { return false }
    enqueue(id)
    return true
  }

  /// From this cost on a query runs apart from the quick ones, whose results do not wait for it.
  static let slow: UInt64 = 50_000_000

  /// How long the quick queries of one turn may take together, by their last runs: then what is done is told.
  static let turn: UInt64 = 100_000_000
  /// How many queries that have never run are taken in one turn.
  private static let mostNew = 512

  /// Where queries run: quick ones and such as have never run, many in one turn; slow ones one by one beside them.
  enum Priority: CaseIterable, Sendable { case quick, slow }

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

  /// Queries that were taken and did not run, or not to their end: they run later. `cost`: what is known of it now, in
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

  /// The lanes that have something to run.
  var busyPriorities: [Priority] {
    Priority.allCases.filter { $0 == .slow ? !slow.isEmpty : !quick.isEmpty || !new.isEmpty }
  }

  /// Takes in what was run; gives whom to tell what. `missed`: commits that came while they ran and may have changed what
  /// they have read (``Invalidation``).
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
        query.toldRun = query.runs
      }
      query.state = state
      query.cost = run.cost
      changes[run.id] = run.nextChange
      queries[run.id] = query
      if underWay.isTouched { enqueue(run.id) }
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

  /// Those of the queries that nobody follows any more.
  func gone(_ ids: [ID]) -> [ID] { ids.filter { queries[$0] == nil } }
}
