import Dispatch
import SQLite
import Synchronization

/// A few readers with a queue each, for reads that are too long for an event loop, and one bounded
/// line of jobs before them.
final class Workers: Sendable {
  private typealias Job = @Sendable (Reader) -> Void

  private struct State {
    var waiting: [Job] = []
    /// Jobs before this one have been taken.
    var first = 0
    var idle: [Int]
    var count: Int { waiting.count - first }

    mutating func next() -> Job? {
      guard first < waiting.count else { return nil }
      defer { first += 1 }
      if first > 64, first > waiting.count / 2 {
        waiting.removeFirst(first)
        first = 0
      }
      return waiting[first]
    }
  }

  private enum Place { case worker(Int), line, nowhere(Int) }

  private let readers: [Reader]
  private let queues: [DispatchQueue]
  private let limit: Int
  private let patienceMilliseconds: Int
  private let state: Mutex<State>

  init(_ readers: [Reader], limit: Int, patienceMilliseconds: Int) {
    self.patienceMilliseconds = patienceMilliseconds
    self.readers = readers
    self.limit = limit
    queues = readers.indices.map { DispatchQueue(label: "store.worker.\($0)") }
    state = Mutex(State(idle: Array(readers.indices)))
  }

  /// Runs `body` on a worker when one is free; `completion` is called there. Throws when too many
  /// wait. A job that has waited too long is refused, one that runs longer than `budget` nanoseconds
  /// is interrupted.
  func submit<T: Sendable>(
    budget: UInt64?, _ body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(ReadError) {
    let patience = patienceMilliseconds
    let latest = steadyNanoseconds() + UInt64(max(patience, 0)) * 1_000_000
    let job: Job = { reader in
      completion(
        Result {
          guard steadyNanoseconds() <= latest else {
            throw ReadError.expired(milliseconds: patience)
          }
          return try reader.read(budget: budget, body)
        })
    }
    let place: Place = state.withLock { state in
      if let worker = state.idle.popLast() { return .worker(worker) }
      guard state.count < limit else { return .nowhere(state.count) }
      state.waiting.append(job)
      return .line
    }
    switch place {
    case .worker(let worker): queues[worker].async { self.work(worker, job) }
    case .line: return
    case .nowhere(let waiting): throw .overloaded(waiting: waiting)
    }
  }

  private func work(_ worker: Int, _ first: @escaping Job) {
    var job = first
    while true {
      job(readers[worker])
      let next: Job? = state.withLock { state in
        if let next = state.next() { return next }
        state.idle.append(worker)
        return nil
      }
      guard let next else { return }
      job = next
    }
  }
}
