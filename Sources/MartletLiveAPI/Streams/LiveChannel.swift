import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletStore
import Synchronization

/// One live query and all the event streams that follow it: its state is made an event once, and every
/// stream sends the same bytes.
final class LiveChannel: Sendable {
  /// A state, and the event that tells it: one object for all who follow.
  final class Published: Sendable {
    let state: LiveState
    let event: EventFrame?
    /// What changed since the result before, for those who have that and want no more.
    let delta: (base: ETag, change: SharedBytes, event: EventFrame)?

    init(
      state: LiveState, event: EventFrame?,
      delta: (base: ETag, change: SharedBytes, event: EventFrame)?
    ) {
      self.state = state
      self.event = event
      self.delta = delta
    }
  }

  private struct Content {
    var published: Published?
    var waiting: [UInt64: (run: UInt64, body: @Sendable (Published) -> Void)] = [:]
    var lastWaiting: UInt64 = 0
  }

  /// A place among those who wait for a state, which holds them alive until it is given up.
  struct Waiting: Sendable {
    fileprivate let channel: LiveChannel
    fileprivate let number: UInt64

    /// Nobody waits any more. Without effect when the state has come.
    func cancel() { channel.stopWaiting(number) }
  }

  let key: ResultKey
  private let problem: @Sendable (any Error) -> EventFrame
  let broadcast = Broadcast()
  private let content = Mutex(Content())
  private let subscription = Mutex<Subscription?>(nil)
  /// Someone wants differences; without, none are made.
  private let makesDeltas = Atomic(false)
  /// Told of each state, before the streams are woken.
  private let observers = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

  /// `problem` makes the event that tells of a failure.
  init(
    _ source: LiveSource, _ live: LiveQueries,
    problem: @escaping @Sendable (any Error) -> EventFrame
  ) {
    key = source.key
    self.problem = problem
    let subscription = live.subscribe(source) { [weak self] in self?.publish($0) }
    self.subscription.withLock { $0 = subscription }
  }

  var published: Published? { content.withLock { $0.published } }

  func observe(_ owner: AnyObject, _ body: @escaping @Sendable () -> Void) {
    observers.withLock { $0[ObjectIdentifier(owner)] = body }
  }
  func stopObserving(_ owner: AnyObject) {
    _ = observers.withLock { $0.removeValue(forKey: ObjectIdentifier(owner)) }
  }

  func wantDeltas() { makesDeltas.store(true, ordering: .relaxed) }

  /// Its place among the live queries; `nil` when it has ended.
  var place: Subscription? { subscription.withLock { $0 } }

  /// The first run that a newcomer may be shown.
  var firstFreshRun: UInt64 {
    subscription.withLock { $0 }?.firstFreshRun ?? 0
  }

  /// Calls `body` with the first state of run `run` or later, now or when it comes, unless the waiting
  /// is cancelled first.
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
    // Let go outside of the lock: what waits may be the last to hold this channel.
    let given = content.withLock { $0.waiting.removeValue(forKey: number) }
    _ = consume given
  }

  func end() {
    subscription.withLock {
      $0?.cancel()
      $0 = nil
    }
  }

  /// On the refresher's queue, in order: nobody else stores a state, so that event and difference are
  /// made without the lock that the streams read under.
  private func publish(_ state: LiveState) {
    let last = published
    let published = Published(
      state: state, event: event(of: state, after: last), delta: delta(to: state, after: last))
    let ready = content.withLock { content -> [@Sendable (Published) -> Void] in
      content.published = published
      let ready = content.waiting.filter { $0.value.run <= state.run }.sorted { $0.key < $1.key }
      for (number, _) in ready { content.waiting[number] = nil }
      return ready.map(\.value.body)
    }
    for body in ready { body(published) }
    for body in observers.withLock({ Array($0.values) }) { body() }
    broadcast.wake()
  }
}

extension LiveChannel {
  private func event(of state: LiveState, after last: Published?) -> EventFrame? {
    switch state.outcome {
    case .result(let result):
      if case .result(let same)? = last?.state.outcome, same === result { return last?.event }
      return Event.frame(
        id: result.etag.description, event: "result", data: result.body.bytes
      ).forMany
    case .failed(let error): return problem(error)
    case .absent: return nil
    }
  }
}

extension LiveChannel {
  private func delta(
    to state: LiveState, after last: Published?
  ) -> (base: ETag, change: SharedBytes, event: EventFrame)? {
    guard case .result(let new) = state.outcome, case .result(let old)? = last?.state.outcome else {
      return nil
    }
    // The same result again: what led to it is still what led to it.
    if new === old { return last?.delta }
    guard makesDeltas.load(ordering: .relaxed), let delta = Delta.between(old.body, new.body)
    else { return nil }
    return (
      old.etag, delta,
      Event.frame(id: new.etag.description, event: "delta", data: delta.bytes).forMany
    )
  }
}

/// The channels that somebody follows, by their query's key.
final class ChannelRegistry: Sendable {
  private struct Entry {
    let channel: LiveChannel
    /// How many followers each client has, and which client the query is counted for.
    var followers: [Int: Int]
    var charged: Int
  }

  private let live: LiveQueries
  private let entries = Mutex<[ResultKey: Entry]>([:])

  init(_ live: LiveQueries) { self.live = live }

  /// A place in the channel of `source`, which is there as long as anyone has one.
  func join(
    _ source: LiveSource, problem: @escaping @Sendable (any Error) -> EventFrame
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
      // Those that stay answer for it.
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

/// A follower's hold on a channel; given up with its last reference, however the follower ended.
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
