import Dispatch
import MartletSQLite
import MartletTime
import Synchronization

/// A worker pool for reads that are too long for an event loop: a few readers with a dispatch queue
/// each, behind one bounded job queue that serves clients round robin.
final class Workers: Sendable {
  private struct Job: Sendable {
    let client: Int
    /// Runs the job. Returns false if it yielded to another client and has to run again.
    let run: @Sendable (Reader, _ mustYield: @escaping () -> Bool) -> Bool
    let refuse: @Sendable (ReadError) -> Void
    /// The steady-clock time by which the job must first start.
    let latest: UInt64
    /// The time at which the job yielded; `nil` if it has not.
    var yieldedAt: UInt64?
  }

  private struct State {
    var waiting = FairQueue<Int, Job>()
    var idle: [Int]
    /// The client of the job on each worker, and a number that increases with each start.
    var running: [Int: (client: Int, number: UInt64)] = [:]
    var lastNumber: UInt64 = 0
    /// Jobs that yielded. One resumes when its client has no other job running and either nothing
    /// else waits or half of the queue timeout has passed since it yielded.
    var yielded = FairQueue<Int, Job>()
    var count: Int { waiting.count + yielded.count }

    mutating func begin(_ job: Job, on worker: Int) {
      lastNumber += 1
      running[worker] = (job.client, lastNumber)
    }

    /// Returns the worker's next job. A job that yielded at or before `early` has waited long
    /// enough to go first.
    mutating func next(for worker: Int, early: UInt64) -> Job? {
      running[worker] = nil
      let busy = Set(running.values.map(\.client))
      let next =
        yielded.popFirst { busy.contains($0) || ($1.yieldedAt ?? 0) > early }
        ?? waiting.popFirst() ?? yielded.popFirst { client, _ in busy.contains(client) }
      guard let job = next?.element else {
        idle.append(worker)
        return nil
      }
      begin(job, on: worker)
      return job
    }

    mutating func putBack(_ job: Job, at now: UInt64) {
      var job = job
      job.yieldedAt = now
      yielded.append(job, of: job.client)
    }

    /// Removes a job of the client that has the most, to make room for one of `client`. A job that
    /// yielded is removed before one that has not run. Returns `nil` unless that client has at
    /// least two jobs more than `client`.
    mutating func makeRoom(for client: Int) -> Job? {
      let clients = waiting.clients.union(yielded.clients)
      func count(of client: Int) -> Int { waiting.count(of: client) + yielded.count(of: client) }
      guard let longest = clients.max(by: { count(of: $0) < count(of: $1) }),
        count(of: longest) > count(of: client) + 1
      else { return nil }
      return yielded.popLast(of: longest) ?? waiting.popLast(of: longest)
    }

    /// Whether the job on a worker must yield: one client occupies all workers, another client
    /// waits, and this job was started last.
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
  /// The queue timeout in nanoseconds.
  private let timeout: UInt64
  private let state: Mutex<State>

  init(_ readers: [Reader], limit: Int, timeout: Duration) {
    self.timeout = timeout.wholeNanoseconds
    self.readers = readers
    self.limit = limit
    queues = readers.indices.map { DispatchQueue(label: "store.worker.\($0)") }
    state = Mutex(State(idle: Array(readers.indices)))
  }

  /// Runs `body` on the next free worker, where `completion` is called. Throws
  /// ``ReadError/overloaded(waiting:)`` if the queue is full. A job that times out in the queue is
  /// not executed; one that runs longer than `budget` is interrupted.
  func submit<T: Sendable>(
    budget: Duration?, client: Int, _ body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(ReadError) {
    let job = Job(
      client: client,
      run: { reader, mustYield in
        let result = Result { try reader.read(budget: budget, mustYield: mustYield, body) }
        if case .failure(is ReadBudget.Yielded) = result { return false }
        completion(result)
        return true
      }, refuse: { completion(.failure($0)) }, latest: steadyNanoseconds() + timeout)
    let place: Place = state.withLock { state in
      if let worker = state.idle.popLast() {
        state.begin(job, on: worker)
        return .worker(worker)
      }
      var evicted: Job?
      if state.count >= limit {
        evicted = state.makeRoom(for: client)
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
      var isDone = true
      if job.yieldedAt == nil, steadyNanoseconds() > job.latest {
        job.refuse(.expired(after: .nanoseconds(timeout)))
      } else {
        isDone = job.run(readers[worker]) { self.state.withLock { $0.mustYield(worker) } }
      }
      let now = steadyNanoseconds()
      let next: Job? = state.withLock { [job, isDone, timeout] state in
        if !isDone { state.putBack(job, at: now) }
        return state.next(for: worker, early: now - min(timeout / 2, now))
      }
      guard let next else { return }
      job = next
    }
  }
}
