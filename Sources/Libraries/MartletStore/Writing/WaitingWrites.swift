import Synchronization

/// The write queue behind a lock, shared by the submitting threads, the writer's thread and the
/// timeout queue. State changes under the lock; the resulting work is done outside it.
final class WaitingWrites: Sendable {
  typealias Entry = WriteQueue<PendingWrite>.Entry

  /// The next step of the submitter of a write.
  struct Admission {
    /// The submitter must schedule a group, because none is scheduled.
    let mustSchedule: Bool
    /// The submitter must start the timeout timer, because it is not running.
    let mustTime: Bool
    /// The write that was evicted to make room; its submitter must be notified.
    let evicted: Entry?
  }

  private struct State {
    var queue: WriteQueue<PendingWrite>
    var isScheduled = false
    /// Why no writes are accepted; `nil` if they are.
    var refusal: WriteError?
    var isTimed = false
  }

  private let state: Mutex<State>

  init(limits: WriteQueue<PendingWrite>.Limits) {
    state = Mutex(State(queue: .init(limits: limits)))
  }

  var count: Int { state.withLock { $0.queue.count } }
  var isEmpty: Bool { state.withLock { $0.queue.isEmpty } }
  /// The admission time of the oldest write; with a client, of the oldest one of other clients.
  func oldest(besides client: Int?) -> UInt64? {
    state.withLock { $0.queue.oldest(besides: client) }
  }
  /// Whether writes are refused now.
  var isRefusing: Bool { state.withLock { $0.refusal != nil } }
  var isStopped: Bool { state.withLock { $0.refusal == .stopped } }

  func admit(
    _ write: PendingWrite, of client: Int, at now: UInt64
  ) throws(WriteError) -> Admission {
    let result: Result<Admission, WriteError> = state.withLock { state in
      if let refusal = state.refusal { return .failure(refusal) }
      let (isAdmitted, evicted) = state.queue.admit(write, of: client, at: now)
      guard isAdmitted else { return .failure(.overloaded(waiting: state.queue.count)) }
      defer {
        state.isScheduled = true
        state.isTimed = true
      }
      return .success(
        Admission(mustSchedule: !state.isScheduled, mustTime: !state.isTimed, evicted: evicted))
    }
    return try result.get()
  }

  func take(at now: UInt64) -> (expired: [Entry], group: [Entry]) {
    state.withLock { $0.queue.take(at: now) }
  }

  /// Removes the writes that have timed out, and returns them with the admission time of the oldest
  /// remaining write.
  func takeExpired(at now: UInt64) -> (expired: [Entry], oldest: UInt64?) {
    state.withLock { state in
      let expired = state.queue.takeExpired(at: now)
      state.isTimed = !state.queue.isEmpty
      return (expired, state.queue.oldest)
    }
  }

  func takeAll() -> [Entry] { state.withLock { $0.queue.takeAll() } }

  /// How long a write of a client may delay other clients, in nanoseconds.
  func allowance(of client: Int, at now: UInt64) -> UInt64 {
    state.withLock { $0.queue.debts.allowance(of: client, at: now) }
  }

  /// Charges a client for a write of a group (``WriteQueue/charge(_:from:to:wasShared:)``).
  func charge(_ client: Int, from start: UInt64, to end: UInt64, wasShared: Bool) {
    state.withLock { $0.queue.charge(client, from: start, to: end, wasShared: wasShared) }
  }

  /// Puts back writes that must run again, and sets one apart. Returns whether the timeout timer
  /// must be started.
  func putBack(
    _ entries: some Collection<Entry>, proven: Int, apart: Entry?, at now: UInt64
  ) -> Bool {
    // Copied before taking the lock, so that no foreign code runs under it.
    let entries = Array(entries)
    return state.withLock { state in
      state.queue.putBack(entries, proven: proven, apart: apart, at: now)
      defer { state.isTimed = true }
      return !state.isTimed
    }
  }

  /// Marks the end of a group. Returns whether another group must be scheduled.
  func endRun() -> Bool {
    state.withLock { state in
      state.isScheduled = !state.queue.isEmpty
      return state.isScheduled
    }
  }

  /// Refuses all further writes. Returns whether the queue was stopped already.
  @discardableResult
  func stop() -> Bool {
    state.withLock { state in
      defer { state.refusal = .stopped }
      return state.refusal == .stopped
    }
  }

  /// Refuses further writes with an error, or accepts them again: `nil`. Has no effect after
  /// ``stop()``.
  func refuse(_ error: WriteError?) {
    state.withLock { state in
      if state.refusal != .stopped { state.refusal = error }
    }
  }
}
