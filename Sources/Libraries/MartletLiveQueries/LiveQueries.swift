import Dispatch
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// The live queries of a database and their subscriptions.
///
/// Subscriptions to equal queries share one query. A query is refreshed only when a commit has
/// changed something that it reads.
public final class LiveQueries: Sendable {
  private let database: any ObservableDatabase
  private let invalidation: Invalidation
  private let registry: Mutex<Registry>
  private let refreshers: [Registry.Priority: Refresher]
  /// Delivers states, one batch of refreshes after the other.
  private let telling = DispatchQueue(label: "live.delivery", qos: .userInitiated)
  /// Fires at the first instant at which the clock changes a result.
  private let clockChange: Agenda.Entry
  private let foreign = Throttle(milliseconds: 250)
  private let onEvent: @Sendable (LiveQueryEvent) -> Void
  private let turnListeners = Mutex<[TurnListener]>([])

  private struct TurnListener: Sendable { let body: @Sendable () -> Void }

  /// Observes a database.
  ///
  /// Most callers use `database.liveQueries`, which all callers of a database share.
  ///
  /// - Parameters:
  ///   - database: The database that the queries read.
  ///   - agenda: Schedules the refreshes of results that depend on the clock.
  ///   - limits: The memory limits for results.
  ///   - onEvent: Receives events for logs and metrics. By default failures are printed.
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

  /// Records what a connection's statements read, from the first statement on.
  ///
  /// For a connection that was not prepared, recording starts when the first live query runs on it;
  /// its cached statements are then prepared again.
  public static func prepare(_ connection: Connection) {
    connection.authorizer.collects = true
  }

  /// The number of different queries that have subscribers.
  public var count: Int { registry.withLock { $0.count } }

  /// Whether no query is running or waiting to run.
  var isIdle: Bool { registry.withLock { $0.isIdle } }

  /// Calls `body` after each batch of refreshes, when all its states have been delivered, on the
  /// queue that delivers them.
  public func onTurn(_ body: @escaping @Sendable () -> Void) {
    turnListeners.withLock { $0.append(TurnListener(body: body)) }
  }

  /// Subscribes to a query.
  ///
  /// `update` receives every new state, in order and one at a time, beginning with the first state
  /// as soon as there is one. It may receive a state again although nothing changed.
  ///
  /// The query is registered before it runs, so no commit is lost between the first result and the
  /// first update.
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
    let removed = registry.withLock { $0.cancel(query, subscriber) }
    if removed.query != nil { invalidation.remove([query], of: self) }
  }

  func firstFreshRun(_ query: DependencyIndex.ID) -> UInt64 {
    registry.withLock { $0.firstFreshRun(query) }
  }

  /// The numbers of the runs whose states together show the database at one moment.
  ///
  /// All numbers are read at once, because a batch of refreshes may end between two reads. Returns
  /// `nil` while one of the queries is older than the others. Its state is delivered as soon as it
  /// has been refreshed.
  public func consistentRuns(of subscriptions: [Subscription]) -> [UInt64]? {
    registry.withLock { $0.deliveredRuns(subscriptions.map(\.query)) }
  }

  /// Refreshes the query although no commit has touched it. Returns the number of that run.
  func refresh(_ query: DependencyIndex.ID) -> UInt64 {
    let (run, wakes) = registry.withLock { registry in
      let wakes = registry.refresh(query)
      return (registry.firstFreshRun(query), wakes)
    }
    if wakes { refresh() }
    return run
  }

  /// Runs on the writer's thread before the commit's writes are answered. A client that subscribes
  /// after its write was answered therefore gets a result that contains the write.
  private func committed(_ touched: Set<DependencyIndex.ID>, _ notice: CommitNotification) {
    let now = DispatchTime.now().uptimeNanoseconds
    registry.withLock { $0.touch(touched, notice.number, at: now) }
    if notice.everything { foreign.begin { [weak self] in self?.refresh() } }
  }

  /// Refreshes dirty queries, unless all queries are about to be refreshed: results that are
  /// followed together should change in one step.
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
    // Subscriptions may have ended during the run.
    invalidation.remove(gone, of: self)
    for (state, subscribers) in updates {
      for update in subscribers { update(state) }
    }
    for listener in turnListeners.withLock({ $0 }) { listener.body() }
    if let start {
      onEvent(.delivered(after: .nanoseconds(DispatchTime.now().uptimeNanoseconds - start)))
    }
    if again { refreshInTime() }
    planClockChange()
  }

  /// Plans inside the lock, so that a later plan is never replaced by an earlier one of another
  /// thread.
  private func planClockChange() { registry.withLock { clockChange.plan(at: $0.nextChange) } }

  /// Marks the queries that depend on the time. After the clock was set, this includes all of them,
  /// because the day may have changed.
  private func clockMoved(_ now: Instant, _ reason: AlarmReason) {
    let wakes = registry.withLock {
      reason == .isDue ? $0.touch(at: now) : $0.clockWasSet()
    }
    if wakes { refresh() } else { planClockChange() }
  }
}

extension ObservableDatabase {
  /// The live queries of the database. All callers share one object, which lives as long as one of
  /// them holds it.
  public var liveQueries: LiveQueries { attachment { LiveQueries(self) } }
}

/// A subscription to a live query.
///
/// It ends with ``cancel()`` or when the last reference to it is released. The query ends with its
/// last subscription.
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

  /// The number of the first run whose state contains every commit notified so far.
  public var firstFreshRun: UInt64 { queries.firstFreshRun(query) }

  /// Refreshes the query now. Returns the number of that run, whose state is delivered to all
  /// subscribers.
  func refresh() -> UInt64 { queries.refresh(query) }

  /// Charges the query to another of its subscribing clients (``LiveSource/client``), because the
  /// first client has left.
  public func charge(to client: Int) { queries.charge(query, to: client) }

  /// Ends the subscription. Calling it again has no effect.
  public func cancel() {
    guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queries.cancel(query, subscriber)
  }
}
