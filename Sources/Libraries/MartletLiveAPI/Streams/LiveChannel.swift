import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletStore
import Synchronization

/// One live query and all event streams that subscribe to it. Each state is encoded as an event
/// once, and every stream sends the same bytes.
final class LiveChannel: Sendable {
  /// A state and its event, shared by all subscribers.
  final class Published: Sendable {
    let state: LiveState
    let event: EventFrame?
    /// The problem of a failed query, for streams of several queries.
    let problem: QueryProblem?
    /// The difference from the previous result, for subscribers that have that result and asked for
    /// differences.
    let delta: (base: ETag, change: SharedBytes, event: EventFrame)?

    init(
      state: LiveState, event: EventFrame?, problem: QueryProblem?,
      delta: (base: ETag, change: SharedBytes, event: EventFrame)?
    ) {
      self.state = state
      self.event = event
      self.problem = problem
      self.delta = delta
    }
  }

  private struct Observer: Sendable { let body: @Sendable () -> Void }

  private struct Content {
    var published: Published?
    var waiting: [UInt64: (run: UInt64, body: @Sendable (Published) -> Void)] = [:]
    var lastWaiting: UInt64 = 0
  }

  /// A waiting call of ``whenReady(run:_:)``. It keeps the channel alive until it is canceled or
  /// released.
  struct Waiting: Sendable {
    fileprivate let channel: LiveChannel
    fileprivate let number: UInt64

    /// Cancels the wait. It has no effect once the state has been delivered.
    func cancel() { channel.stopWaiting(number) }
  }

  let key: ResultKey
  private let problem: @Sendable (any Error) -> QueryProblem
  let broadcast = Broadcast()
  private let content = Mutex(Content())
  private let subscription = Mutex<Subscription?>(nil)
  /// Whether a subscriber wants differences. Otherwise none are computed.
  private let makesDeltas = Atomic(false)
  /// Called for each new state, before the streams are woken.
  private let observers = Mutex<[ObjectIdentifier: Observer]>([:])
  /// The pages of a feed, if the query is the head of one.
  private let pages = Mutex<FeedPages?>(nil)

  /// Creates a channel and starts its live query. `problem` reports a failure.
  init(
    _ source: LiveSource, _ live: LiveQueries,
    problem: @escaping @Sendable (any Error) -> QueryProblem
  ) {
    key = source.key
    self.problem = problem
    let subscription = live.subscribe(source) { [weak self] in self?.publish($0) }
    self.subscription.withLock { $0 = subscription }
  }

  var published: Published? { content.withLock { $0.published } }

  func observe(_ owner: AnyObject, _ body: @escaping @Sendable () -> Void) {
    observers.withLock { $0[ObjectIdentifier(owner)] = Observer(body: body) }
  }
  func stopObserving(_ owner: AnyObject) {
    _ = observers.withLock { $0.removeValue(forKey: ObjectIdentifier(owner)) }
  }

  /// The pages of the feed that the query is the head of, which all its followers share.
  func pages(_ make: () -> FeedPages) -> FeedPages {
    pages.withLock { pages in
      if let pages { return pages }
      let made = make()
      pages = made
      return made
    }
  }

  func wantDeltas() { makesDeltas.store(true, ordering: .relaxed) }

  /// The subscription to the live query; `nil` after ``end()``.
  var place: Subscription? { subscription.withLock { $0 } }

  /// The first run whose state a new subscriber may receive.
  var firstFreshRun: UInt64 {
    subscription.withLock { $0 }?.firstFreshRun ?? 0
  }

  /// Calls `body` with the first state of `run` or a later run, now or when it arrives, unless the
  /// returned wait is canceled first.
  func whenReady(run: UInt64, _ body: @escaping @Sendable (Published) -> Void) -> Waiting {
    let (ready, number) = content.withLock { content -> (Published?, UInt64) in
      content.lastWaiting += 1
      let number = content.lastWaiting
      if let published = content.published, published.state.run >= run {
        return (published, number)
      }
      content.waiting[number] = (run, body)
      return (nil, number)
    }
    if let ready { body(ready) }
    return Waiting(channel: self, number: number)
  }

  private func stopWaiting(_ number: UInt64) {
    // Released outside the lock, because the closure may hold the last reference to this channel.
    let given = content.withLock { $0.waiting.removeValue(forKey: number) }
    _ = consume given
  }

  func end() {
    subscription.withLock {
      $0?.cancel()
      $0 = nil
    }
  }

  /// Called on the queue of the refresher, in order. Nothing else stores a state, so the event and
  /// the difference are computed without the lock that streams take to read.
  private func publish(_ state: LiveState) {
    let last = published
    var problem: QueryProblem?
    if case .failed(let error) = state.outcome { problem = self.problem(error) }
    let published = Published(
      state: state, event: problem?.event() ?? event(of: state, after: last), problem: problem,
      delta: delta(to: state, after: last))
    let ready = content.withLock { content -> [@Sendable (Published) -> Void] in
      content.published = published
      let ready = content.waiting.filter { $0.value.run <= state.run }.sorted { $0.key < $1.key }
      for (number, _) in ready { content.waiting[number] = nil }
      return ready.map(\.value.body)
    }
    for body in ready { body(published) }
    for observer in observers.withLock({ Array($0.values) }) { observer.body() }
    broadcast.wake()
  }
}

extension LiveChannel {
  private func event(of state: LiveState, after last: Published?) -> EventFrame? {
    guard case .result(let result) = state.outcome else { return nil }
    if case .result(let same)? = last?.state.outcome, same === result { return last?.event }
    return Event.frame(
      id: result.etag.description, event: "result", data: result.body.bytes
    ).forMany
  }
}

extension LiveChannel {
  private func delta(
    to state: LiveState, after last: Published?
  ) -> (base: ETag, change: SharedBytes, event: EventFrame)? {
    guard case .result(let new) = state.outcome, case .result(let old)? = last?.state.outcome else {
      return nil
    }
    // The result is unchanged, so the difference that led to it is still the right one.
    if new === old { return last?.delta }
    guard makesDeltas.load(ordering: .relaxed), let delta = Delta.between(old.body, new.body)
    else { return nil }
    return (
      old.etag, delta,
      Event.frame(id: new.etag.description, event: "delta", data: delta.bytes).forMany
    )
  }
}

/// The channels that have subscribers, by the key of their query.
final class ChannelRegistry: Sendable {
  private struct Entry {
    let channel: LiveChannel
    /// The number of subscribers of each client, and the client that the query is charged to.
    var followers: [Int: Int]
    var charged: Int
  }

  private let live: LiveQueries
  private let entries = Mutex<[ResultKey: Entry]>([:])

  init(_ live: LiveQueries) { self.live = live }

  /// Joins the channel of `source`, which exists as long as it has members.
  func join(
    _ source: LiveSource, problem: @escaping @Sendable (any Error) -> QueryProblem
  ) -> Membership {
    let channel = entries.withLock { entries in
      if let entry = entries[source.key] {
        entries[source.key]?.followers[source.client, default: 0] += 1
        return entry.channel
      }
      let channel = LiveChannel(source, live, problem: problem)
      entries[source.key] = Entry(
        channel: channel, followers: [source.client: 1], charged: source.client)
      return channel
    }
    return Membership(channel: channel, client: source.client, registry: self)
  }

  fileprivate func leave(_ channel: LiveChannel, _ client: Int) {
    let isLast = entries.withLock { entries -> Bool in
      guard var entry = entries[channel.key], entry.channel === channel else { return false }
      let rest = entry.followers[client, default: 1] - 1
      entry.followers[client] = rest > 0 ? rest : nil
      // Charge the query to a client that stays.
      if rest == 0, entry.charged == client, let next = entry.followers.keys.first {
        entry.charged = next
        channel.place?.charge(to: next)
      }
      entries[channel.key] = entry.followers.isEmpty ? nil : entry
      return entry.followers.isEmpty
    }
    if isLast { channel.end() }
  }
}

/// Membership of a subscriber in a channel. It ends when its last reference is released, however
/// the subscriber ended.
final class Membership: Sendable {
  let channel: LiveChannel
  private let client: Int
  private let registry: ChannelRegistry

  init(channel: LiveChannel, client: Int, registry: ChannelRegistry) {
    self.channel = channel
    self.client = client
    self.registry = registry
  }

  deinit { registry.leave(channel, client) }
}
