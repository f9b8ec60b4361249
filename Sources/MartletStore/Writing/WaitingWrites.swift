import Synchronization

/// The writes that wait for the writer, for all threads: those that bring them, the writer's own, and the one that
/// looks after their patience. What each has to do next is decided with the lock held, and done without it.
final class WaitingWrites: Sendable {
  typealias Entry = WriteQueue<PendingWrite>.Entry

  /// What whoever has brought a write has to do.
  struct Admission {
    /// No run of the next group is on its way.
    let mustSchedule: Bool
    /// Nobody looks after the patience of those that wait.
    let mustTime: Bool
    /// One that made room.
    let evicted: Entry?
  }

  private struct State {
    var queue: WriteQueue<PendingWrite>
    var isScheduled = false
    var isStopped = false
    var isTimed = false
  }

  private let state: Mutex<State>

  init(limits: WriteQueue<PendingWrite>.Limits) {
    state = Mutex(State(queue: .init(limits: limits)))
  }

  var count: Int { state.withLock { $0.queue.count } }
  var isEmpty: Bool { state.withLock { $0.queue.isEmpty } }
  /// When the write that waits longest was admitted.
  var oldest: UInt64? { state.withLock { $0.queue.oldest } }
  var isStopped: Bool { state.withLock { $0.isStopped } }

  func admit(
    _ write: PendingWrite, of client: Int, at now: UInt64
  ) throws(WriteError) -> Admission {
    let result: Result<Admission, WriteError> = state.withLock { state in
      if state.isStopped { return .failure(.stopped) }
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

  /// Those whose patience has ended, and when the oldest of the others was admitted.
  func takeExpired(at now: UInt64) -> (expired: [Entry], oldest: UInt64?) {
    state.withLock { state in
      let expired = state.queue.takeExpired(at: now)
      state.isTimed = !state.queue.isEmpty
      return (expired, state.queue.oldest)
    }
  }

  func takeAll() -> [Entry] { state.withLock { $0.queue.takeAll() } }

  /// Puts back what has to run again, and sets one apart. Returns whether their patience is to be looked after.
  func putBack(_ entries: some Collection<Entry>, proven: Int, apart: Entry?) -> Bool {
    // Copied before the lock is held: no code of others runs while it is.
    let entries = Array(entries)
    return state.withLock { state in
      state.queue.putBack(entries, proven: proven, apart: apart)
      defer { state.isTimed = true }
      return !state.isTimed
    }
  }

  /// A group has run. Whether a further one is to be run.
  func endRun() -> Bool {
    state.withLock { state in
      state.isScheduled = !state.queue.isEmpty
      return state.isScheduled
    }
  }

  /// Nothing is admitted any more. Whether that was so before.
  @discardableResult
  func stop() -> Bool {
    state.withLock { state in
      defer { state.isStopped = true }
      return state.isStopped
    }
  }
}
