import MartletSQLite
import MartletStore
import Observation
import Synchronization

/// The state of a property wrapper's query: its value, whether it is loading, and the last error.
/// `$users` returns it.
///
/// The value follows the database as long as the object lives. It is updated on a thread of the
/// live queries. Reading is thread-safe and never waits. `withObservationTracking` reports changes,
/// and it does so after the new value has been set.
public final class FetchState<Value: Sendable>: Sendable, Observable {
  private struct Content {
    var value: Value
    var loadError: (any Error)?
    var isLoading = true
    var source: ValueSource<Value>
    /// `nil` if the observation has ended.
    var following: Following?
    var position = StreamPosition()
    /// Calls of ``load()`` that wait for the state of a run.
    var waiting: [(run: UInt64, latch: Latch)] = []
    var readers: [UInt64: AsyncStream<Value>.Continuation] = [:]
    var lastID: UInt64 = 0
  }

  /// The observation of one query.
  private struct Following {
    let id: UInt64
    let subscription: Subscription
    let ended: Latch

    func end() {
      subscription.cancel()
      ended.open()
    }
  }

  private let registrar = ObservationRegistrar()
  private let live: LiveQueries
  private let content: Mutex<Content>

  init(_ value: Value, _ source: ValueSource<Value>, _ database: any ObservableDatabase) {
    live = database.liveQueries
    content = Mutex(Content(value: value, source: source))
    content.withLock { _ = follow(source, in: &$0) }
  }

  deinit { content.withLock { $0.following }?.end() }

  /// The value that was fetched last, or the declared default until then.
  public var value: Value {
    registrar.access(self, keyPath: \.value)
    return content.withLock { $0.value }
  }

  /// The error of the last fetch; `nil` if it succeeded.
  ///
  /// After an error the value stays, and the query is tried again with each commit that may concern
  /// it.
  public var loadError: (any Error)? {
    registrar.access(self, keyPath: \.loadError)
    return content.withLock { $0.loadError }
  }

  /// Whether the first value is being fetched, or one requested by ``load()``.
  public var isLoading: Bool {
    registrar.access(self, keyPath: \.isLoading)
    return content.withLock { $0.isLoading }
  }

  /// The current value and each later value. A slow reader skips intermediate values and receives
  /// the newest.
  ///
  /// ```swift
  /// for await users in $users.values { … }
  /// ```
  ///
  /// The query is followed as long as the sequence is in use.
  public var values: AsyncStream<Value> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let id = content.withLock { content in
        content.lastID += 1
        content.readers[content.lastID] = continuation
        if content.position.held != nil { continuation.yield(content.value) }
        return content.lastID
      }
      // Retains this object until the sequence ends.
      continuation.onTermination = { _ in
        self.content.withLock { content in
          _ = content.readers.removeValue(forKey: id)
        }
      }
    }
  }

  // MARK: Loading

  /// Fetches again. Returns when ``value`` is the fetched value, and throws if the fetch fails.
  /// Also resumes an observation that was canceled.
  public func load() async throws {
    let latch = Latch()
    content.withLock { content in
      let run: UInt64
      if let following = content.following {
        run = following.subscription.refresh()
      } else {
        run = follow(content.source, in: &content).firstRun
      }
      content.isLoading = true
      content.waiting.append((run, latch))
    }
    announce(\.isLoading)
    try await latch.wait()
  }

  /// Follows another query from now on. Returns with its first value.
  func load(_ source: ValueSource<Value>) async throws -> FetchSubscription {
    let latch = Latch()
    let (old, subscription) = content.withLock { content in
      let old = content.following
      let (following, firstRun) = follow(source, in: &content)
      // Calls that wait for the previous query now wait for this one.
      content.waiting = content.waiting.map { (firstRun, $0.latch) } + [(firstRun, latch)]
      return (
        old,
        FetchSubscription(ended: following.ended) { [weak self] in self?.end(following.id) }
      )
    }
    old?.end()
    announce(\.isLoading)
    try await latch.wait()
    return subscription
  }

  /// Subscribes to a query. Called under the lock, so that no state arrives before the first valid
  /// run is known.
  private func follow(
    _ source: ValueSource<Value>, in content: inout Content
  ) -> (following: Following, firstRun: UInt64) {
    content.lastID += 1
    let id = content.lastID
    let subscription = live.subscribe(source.work) { [weak self] in self?.take($0, of: id) }
    let following = Following(id: id, subscription: subscription, ended: Latch())
    let firstRun = subscription.firstFreshRun
    content.source = source
    content.following = following
    content.position = StreamPosition(firstRun: firstRun)
    content.isLoading = true
    return (following, firstRun)
  }

  private func end(_ id: UInt64) {
    let (ended, waiting) = content.withLock { content -> (Following?, [Latch]) in
      guard content.following?.id == id else { return (nil, []) }
      defer {
        content.following = nil
        content.waiting = []
        content.isLoading = false
      }
      return (content.following, content.waiting.map(\.latch))
    }
    guard let ended else { return }
    ended.end()
    announce(\.isLoading)
    for latch in waiting { latch.open(.failure(CancellationError())) }
  }

  // MARK: Following

  /// The changes of this object by a new state.
  private struct Updates {
    var value = false
    var loadError = false
    var isLoading = false
    var ready: [Latch] = []
    var outcome: Result<Void, any Error> = .success(())
  }

  /// Receives states in order, on the live queries' thread.
  private func take(_ state: LiveState, of id: UInt64) {
    let changes = content.withLock { content -> Updates? in
      guard content.following?.id == id else { return nil }
      var changes = Updates()
      var problem: (any Error)?
      switch content.position.next(state) {
      case .wait: return nil
      case .unchanged, .current: problem = content.loadError
      case .result(let result, _):
        let value = result.value(as: Value.self)
        content.value = value
        changes.value = true
        for reader in content.readers.values { reader.yield(value) }
      case .gone: problem = NotFound()
      case .problem(let error): problem = error
      }
      if let problem { changes.outcome = .failure(problem) }
      changes.loadError = problem != nil || content.loadError != nil
      content.loadError = problem
      changes.ready = content.waiting.filter { $0.run <= state.run }.map(\.latch)
      content.waiting.removeAll { $0.run <= state.run }
      changes.isLoading = content.isLoading && content.waiting.isEmpty
      content.isLoading = !content.waiting.isEmpty
      return changes
    }
    guard let changes else { return }
    if changes.value { announce(\.value) }
    if changes.loadError { announce(\.loadError) }
    if changes.isLoading { announce(\.isLoading) }
    for latch in changes.ready { latch.open(changes.outcome) }
  }

  /// Notifies observers after the change. An observer notified earlier could read the old value on
  /// another thread, start tracking again and miss the change.
  private func announce<Member>(_ path: KeyPath<FetchState, Member>) {
    registrar.withMutation(of: self, keyPath: path) {}
  }
}

/// The observation that loading another query into a ``FetchState`` has started.
///
/// ```swift
/// try await $users.load(User.order(by: \.name)).task  // follows as long as this task runs
/// ```
///
/// The observation continues even if this value is discarded.
public struct FetchSubscription: Sendable {
  let ended: Latch
  let end: @Sendable () -> Void

  /// Suspends as long as the query is followed. If the waiting task is canceled, the observation
  /// ends and this throws `CancellationError`.
  public var task: Void {
    get async throws {
      do { try await ended.wait() } catch {
        end()
        throw error
      }
    }
  }

  /// Ends the observation. The last value stays, and other observations are not affected.
  public func cancel() { end() }
}

/// A request that fetches a value with several queries in one read transaction.
///
/// ```swift
/// struct Overview: FetchKeyRequest {
///   struct Value { var users: [User] = []; var posts = 0 }
///   func fetch(_ db: Connection) throws -> Value {
///     Value(users: try User.all.fetchAll(db), posts: try Post.all.fetchCount(db))
///   }
/// }
/// ```
///
/// Equal requests share one live query. `fetch` must have no side effects, and its value must
/// depend only on the request and the database. If the value is `Equatable`, an equal value is not
/// delivered again.
public protocol FetchKeyRequest<Value>: Hashable, Sendable {
  /// The type of the result.
  associatedtype Value: Sendable
  /// Fetches the value. Called in a read transaction, again after each commit that changes what it
  /// read.
  func fetch(_ db: Connection) throws -> Value
}
