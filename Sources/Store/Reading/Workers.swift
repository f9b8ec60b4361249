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
  private let state: Mutex<State>

  init(_ readers: [Reader], limit: Int) {
    self.readers = readers
    self.limit = limit
    queues = readers.indices.map { DispatchQueue(label: "store.worker.\($0)") }
    state = Mutex(State(idle: Array(readers.indices)))
  }

  /// Runs `body` on a worker when one is free; `completion` is called there. Throws when too many
  /// wait.
  func submit<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(ReadError) {
    let job: Job = { reader in completion(Result { try reader.read(body) }) }
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
