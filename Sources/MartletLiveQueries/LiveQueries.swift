import Dispatch
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// The queries that somebody follows. Equal queries are one; each is run again when a commit has touched
/// what it reads, and only then.
public final class LiveQueries: Sendable {
  private let database: any ObservableDatabase
  private let invalidation: Invalidation
  private let registry: Mutex<Registry>
  private let refreshers: [Registry.Priority: Refresher]
  /// Where states are told, one turn after the other.
  private let telling = DispatchQueue(label: "live.telling", qos: .userInitiated)
  /// The first instant at which the clock changes a result.
  private let clockChange: Agenda.Entry
  private let foreign = Throttle(milliseconds: 250)
  private let onEvent: @Sendable (LiveQueryEvent) -> Void
  private let turnListeners = Mutex<[@Sendable () -> Void]>([])

  public init(
    _ database: any ObservableDatabase, agenda: Agenda = Agenda(),
    limits: LiveLimits = LiveLimits(),
    onEvent: @escaping @Sendable (LiveQueryEvent) -> Void = LiveQueryEvent.log
  ) {
    self.database = database
    self.onEvent = onEvent
    invalidation = database.invalidation
    registry = Mutex(Registry(limits: limits))
    refreshers = Dictionary(
      uniqueKeysWithValues: Registry.Priority.allCases.map {
        ($0, Refresher(database, $0, clock: agenda.clock, onEvent: onEvent))
      })
    clockChange = agenda.entry()
    clockChange.whenDue { [weak self] in self?.clockMoved($0, $1) }
    invalidation.watch(self) { $0.committed($1, $2) }
    database.onCommit(while: self) { _, _ in
    } answered: {
      $0.refreshInTime()
    }
  }

  deinit { invalidation.stopWatching(self) }

  /// Has a connection's statements learn what they read, from its first one on. Where this was not done,
  /// a connection learns it when the first live query runs on it.
  public static func prepare(_ connection: Connection) {
    connection.authorizer.collects = true
  }

  /// The number of different queries that are followed.
  public var count: Int { registry.withLock { $0.count } }

  /// Whether nothing runs or is to run.
  var isIdle: Bool { registry.withLock { $0.isIdle } }

  /// Calls `body` after each turn, when all its states have been told; on the queue that tells them.
  public func onTurn(_ body: @escaping @Sendable () -> Void) {
    turnListeners.withLock { $0.append(body) }
  }

  /// Follows a query. `update` gets each new state, in order and one at a time; the first one as
  /// soon as there is one. A state may be announced again when nothing changed.
  ///
  /// First registered, then run: no commit can fall between the first result and the first update.
  public func subscribe(
    _ source: LiveSource, _ update: @escaping @Sendable (LiveState) -> Void
  ) -> Subscription { subscribe(LiveWork(source), update) }

  func subscribe(
    _ work: LiveWork, _ update: @escaping @Sendable (LiveState) -> Void
  ) -> Subscription {
    database.hasListeners = true
    let (query, subscriber, wakes) = registry.withLock { $0.subscribe(work, update) }
    if wakes { refresh() }
    return Subscription(query: query, subscriber: subscriber, queries: self)
  }

  func charge(_ query: DependencyIndex.ID, to client: Int) {
    registry.withLock { $0.charge(query, to: client) }
  }

  func cancel(_ query: DependencyIndex.ID, _ subscriber: UInt64) {
    if registry.withLock({ $0.cancel(query, subscriber) }) {
      invalidation.remove([query], of: self)
    }
  }

  func firstFreshRun(_ query: DependencyIndex.ID) -> UInt64 {
    registry.withLock { $0.firstFreshRun(query) }
  }

  /// The numbers of the runs whose states, together, are those of one moment: read at once, because a turn may
  /// end between two looks. `nil` while one of the queries is behind what the others hold; when it has run, its
  /// state is told.
  public func consistentRuns(of subscriptions: [Subscription]) -> [UInt64]? {
    registry.withLock { $0.toldRuns(subscriptions.map(\.query)) }
  }

  /// Runs the query although no commit has touched it; gives the number of that run.
  func refresh(_ query: DependencyIndex.ID) -> UInt64 {
    let (run, wakes) = registry.withLock { registry in
      let wakes = registry.refresh(query)
      return (registry.firstFreshRun(query), wakes)
    }
    if wakes { refresh() }
    return run
  }

  /// On the writer's thread, before the commit's writes are answered: whoever has its answer and then
  /// follows a query gets a result that holds its write.
  private func committed(_ touched: Set<DependencyIndex.ID>, _ notice: CommitNotification) {
    let now = DispatchTime.now().uptimeNanoseconds
    registry.withLock { $0.touch(touched, notice.number, at: now) }
    if notice.everything { foreign.begin { [weak self] in self?.refresh() } }
  }

  /// Runs what is to be run, unless all is going to run soon: what is followed together moves in one step.
  private func refreshInTime() {
    if !foreign.isWaiting { refresh() }
  }

  private func refresh() {
    for lane in registry.withLock({ $0.busyPriorities }) {
      refreshers[lane]?.schedule { [weak self] in
        self?.registry.withLock { $0.takeDirty(lane) }
      } finished: { [weak self] turn in
        guard let self else { return }
        telling.sync { self.finish(turn) }
      }
    }
  }

  private func finish(_ turn: Refresher.Turn) {
    let missed = invalidation.set(
      turn.finished.map { ($0.id, $0.dependencies, $0.commit) }, of: self)
    let (updates, again, start, gone) = registry.withLock { registry in
      let updates = registry.finish(turn.finished, missed: missed)
      registry.giveBack(turn.givenBack)
      return (
        updates, !registry.busyPriorities.isEmpty, registry.oldestFinished,
        registry.gone(turn.finished.map(\.id))
      )
    }
    // They have ended while they ran.
    invalidation.remove(gone, of: self)
    for (state, subscribers) in updates {
      for update in subscribers { update(state) }
    }
    for body in turnListeners.withLock({ $0 }) { body() }
    if let start {
      onEvent(.delivered(after: .nanoseconds(DispatchTime.now().uptimeNanoseconds - start)))
    }
    if again { refreshInTime() }
    planClockChange()
  }

  private func planClockChange() { clockChange.plan(at: registry.withLock { $0.nextChange }) }

  /// A clock that was set may show another day to all that depend on it.
  private func clockMoved(_ now: Instant, _ reason: AlarmReason) {
    let wakes = registry.withLock {
      reason == .isDue ? $0.touch(at: now) : $0.clockWasSet()
    }
    if wakes { refresh() } else { planClockChange() }
  }
}

extension ObservableDatabase {
  /// The live queries of the database: the same for all who ask, as long as any of them holds it.
  public var liveQueries: LiveQueries { attachment { LiveQueries(self) } }
}

/// Somebody's interest in a live query. Ends with ``cancel()``, or with its last reference; the query
/// ends with its last subscription.
public final class Subscription: Sendable {
  let query: DependencyIndex.ID
  private let subscriber: UInt64
  private let queries: LiveQueries
  private let isCancelled = Atomic(false)

  init(query: DependencyIndex.ID, subscriber: UInt64, queries: LiveQueries) {
    self.query = query
    self.subscriber = subscriber
    self.queries = queries
  }

  deinit { cancel() }

  /// The number of the first run whose state holds every commit that anybody was told of by now.
  public var firstFreshRun: UInt64 { queries.firstFreshRun(query) }

  /// Has the query run now; gives the number of that run, whose state is announced to all who follow it.
  func refresh() -> UInt64 { queries.refresh(query) }

  /// Counts the query for another one of those that follow it, as ``LiveSource/client``: the first one has left.
  public func charge(to client: Int) { queries.charge(query, to: client) }

  public func cancel() {
    guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queries.cancel(query, subscriber)
  }
}
