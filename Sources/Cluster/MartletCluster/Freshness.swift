import Dispatch
import Synchronization

/// Reads that wait until this node's file has everything that was acknowledged before they came.
///
/// The node's thread takes all that wait, looks at the log once, and lets them go on.
final class Freshness: Sendable {
  struct Read: Sendable {
    let deadline: ContinuousClock.Instant
    /// The entry that the primary must show first; 0 for none.
    let entry: Int64
    let completion: @Sendable (Bool) -> Void
  }

  private struct State {
    var reads: [Read] = []
    /// Whether the node's thread was woken for reads that it has not taken yet.
    var hasWoken = false
    var hasTimer = false
    var isClosed = false

    mutating func remove(where isDone: (Read) -> Bool) -> [Read] {
      let done = reads.filter(isDone)
      if !done.isEmpty { reads.removeAll(where: isDone) }
      return done
    }
  }

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)
  private let queue = DispatchQueue(label: "cluster.freshness", qos: .userInitiated)

  /// Adds a read. Its completion gets false at the deadline. `wakes` is whether the node's thread
  /// has to find something out for it.
  func add(_ read: Read, wakes: Bool = true) {
    let (mustWake, isClosed) = state.withLock { state in
      if !state.isClosed { state.reads.append(read) }
      defer { if wakes { state.hasWoken = true } }
      return (wakes && !state.hasWoken, state.isClosed)
    }
    if isClosed { return read.completion(false) }
    if mustWake { wake.signal() }
    startTimer(read.deadline)
  }

  /// Removes and returns the reads that wait.
  func take() -> [Read] {
    state.withLock { state in
      defer { (state.reads, state.hasWoken) = ([], false) }
      return state.reads
    }
  }

  /// Whether reads wait.
  var hasReads: Bool { state.withLock { !$0.reads.isEmpty } }

  /// Lets the reads go on that wait for an entry up to this one.
  func release(upTo entry: Int64) {
    let reads = state.withLock { $0.remove { $0.entry <= entry } }
    for read in reads { read.completion(true) }
  }

  /// Lets reads wait again, because nothing was found out.
  func putBack(_ reads: [Read]) {
    guard let deadline = reads.map(\.deadline).min() else { return }
    let isClosed = state.withLock { state in
      if !state.isClosed { state.reads += reads }
      return state.isClosed
    }
    if isClosed {
      for read in reads { read.completion(false) }
      return
    }
    startTimer(deadline)
  }

  /// Blocks the node's thread for some time, or until a read comes.
  func pause(_ time: Duration) {
    _ = wake.wait(timeout: .now() + .nanoseconds(Int(time / .nanoseconds(1))))
  }

  /// Ends the pause of the node's thread.
  func wakeUp() { wake.signal() }

  /// Answers all reads with false, now and in the future.
  func close() {
    state.withLock { $0.isClosed = true }
    for read in take() { read.completion(false) }
  }

  private func startTimer(_ deadline: ContinuousClock.Instant) {
    let mustStart = state.withLock { state in
      defer { state.hasTimer = true }
      return !state.hasTimer
    }
    guard mustStart else { return }
    let wait = max(deadline - .now, .milliseconds(1))
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait / .nanoseconds(1)))) { [weak self] in
      self?.expire()
    }
  }

  private func expire() {
    let now = ContinuousClock.now
    let (expired, next) = state.withLock { state in
      state.hasTimer = false
      let expired = state.remove { $0.deadline <= now }
      return (expired, state.reads.map(\.deadline).min())
    }
    for read in expired { read.completion(false) }
    if let next { startTimer(next) }
  }
}
