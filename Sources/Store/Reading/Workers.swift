import Dispatch
import SQLite
import Synchronization

/// A few readers with a queue each, for reads that are too long for an event loop, and one bounded queue of jobs before
/// them, in which clients have their turns.
final class Workers: Sendable {
  private struct Job: Sendable {
    let client: Int
    /// Runs it; false where it made room for another client's and is to run again.
    let run: @Sendable (Reader, _ mustYield: @escaping () -> Bool, _ isAgain: Bool) -> Bool
    let refuse: @Sendable (ReadError) -> Void
    var isAgain = false
  }

  private struct State {
    var waiting = FairQueue<Int, Job>()
    var idle: [Int]
    /// Whose job each worker runs, and which of them was begun last.
    var running: [Int: (client: Int, number: UInt64)] = [:]
    var lastNumber: UInt64 = 0
    /// Jobs that made room. They run where nothing else waits, and none of their client's others runs.
    var yielded = FairQueue<Int, Job>()
    var count: Int { waiting.count + yielded.count }

    mutating func begin(_ job: Job, on worker: Int) {
      lastNumber += 1
      running[worker] = (job.client, lastNumber)
    }

    mutating func next(for worker: Int) -> Job? {
      running[worker] = nil
      let busy = Set(running.values.map(\.client))
      let next = waiting.popFirst() ?? yielded.popFirst { busy.contains($0) }
      guard let job = next?.element else {
        idle.append(worker)
        return nil
      }
      begin(job, on: worker)
      return job
    }

    mutating func putBack(_ job: Job) {
      var job = job
      job.isAgain = true
      yielded.append(job, of: job.client)
    }

    /// Whether the job on a worker has to make room: one client has all workers, another one waits, and of the
    /// client's jobs this one was begun last.
    func mustYield(_ worker: Int) -> Bool {
      guard let mine = running[worker], running.count > 1, idle.isEmpty,
        waiting.hasOther(than: mine.client) || yielded.hasOther(than: mine.client)
      else { return false }
      return running.values.allSatisfy { $0.client == mine.client && $0.number <= mine.number }
    }
  }

  private enum Place { case worker(Int), queue(evicted: Job?), nowhere(Int) }

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
    budget: UInt64?, client: Int, _ body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(ReadError) {
    let patience = patienceMilliseconds
    let latest = steadyNanoseconds() + UInt64(max(patience, 0)) * 1_000_000
    let job = Job(client: client) { reader, mustYield, isAgain in
      let result = Result {
        guard isAgain || steadyNanoseconds() <= latest else {
          throw ReadError.expired(milliseconds: patience)
        }
        return try reader.read(budget: budget, mustYield: mustYield, body)
      }
      if case .failure(is ReadBudget.Yielded) = result { return false }
      completion(result)
      return true
    } refuse: {
      completion(.failure($0))
    }
    let place: Place = state.withLock { state in
      if let worker = state.idle.popLast() {
        state.begin(job, on: worker)
        return .worker(worker)
      }
      var evicted: Job?
      if state.count >= limit {
        evicted = state.waiting.makeRoom(for: client)
        guard evicted != nil else { return .nowhere(state.count) }
      }
      state.waiting.append(job, of: client)
      return .queue(evicted: evicted)
    }
    switch place {
    case .worker(let worker): queues[worker].async { self.work(worker, job) }
    case .queue(let evicted): evicted?.refuse(.overloaded(waiting: limit))
    case .nowhere(let waiting): throw .overloaded(waiting: waiting)
    }
  }

  private func work(_ worker: Int, _ first: Job) {
    var job = first
    while true {
      let isDone = job.run(
        readers[worker], { self.state.withLock { $0.mustYield(worker) } }, job.isAgain)
      let next: Job? = state.withLock { [job] state in
        if !isDone { state.putBack(job) }
        return state.next(for: worker)
      }
      guard let next else { return }
      job = next
    }
  }
}
