import Dispatch
import JSON
import SQLite
import Store
import Synchronization
import Time

/// Runs queries, all that are to be run at one time in one read transaction: a commit's changes reach
/// all results in one step. Commits that come while it runs are answered by one further run.
///
/// `@unchecked Sendable`: `reader` and `buffer` are used on the queue alone.
final class Refresher: @unchecked Sendable {
  private let queue = DispatchQueue(label: "live.refresher", qos: .userInitiated)
  private let database: EmbeddedDatabase
  private let occurred: @Sendable (Occurrence) -> Void
  private let isScheduled = Atomic(false)
  private let reader = DependencyReader()
  private let clock: Clock
  private let buffer = ByteBuffer(capacity: 1 << 14)

  init(
    _ database: EmbeddedDatabase, clock: Clock,
    occurred: @escaping @Sendable (Occurrence) -> Void
  ) {
    self.database = database
    self.clock = clock
    self.occurred = occurred
  }

  /// Soon takes what is to be run, runs it, and hands it over. At most one such turn waits.
  func schedule(
    _ take: @escaping @Sendable () -> [Run]?,
    finished: @escaping @Sendable ([FinishedRun]) -> Void
  ) {
    guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async { [self] in
      // First, so that what becomes dirty from here on is seen by a further turn.
      isScheduled.store(false, ordering: .sequentiallyConsistent)
      guard let runs = take(), !runs.isEmpty else { return }
      let start = DispatchTime.now().uptimeNanoseconds
      let done = run(runs)
      occurred(
        .refreshed(
          queries: done.count, changed: done.count { $0.isChanged },
          nanoseconds: DispatchTime.now().uptimeNanoseconds - start))
      finished(done)
    }
  }

  private func run(_ runs: [Run]) -> [FinishedRun] {
    // Before the snapshot begins: the results hold for this commit at least.
    let commit = database.commitNumber
    do {
      var (finished, begun) = try database.read { connection, limit in
        // Reads, and so takes the snapshot.
        try reader.learnSchema(connection)
        let begun = database.begunCommitNumber
        return (runs.map { run($0, on: connection, limit, commit: commit) }, begun)
      }
      // What may be in the snapshot has been told of when these are.
      database.waitForNotice()
      let snapshot = min(begun, database.commitNumber)
      for index in finished.indices { finished[index].snapshot = snapshot }
      return finished
    } catch {
      return runs.map { failed($0, error, commit: commit) }
    }
  }

  /// A query that takes longer is interrupted, and its followers are told.
  private static let longest: UInt64 = 5_000_000_000

  private func run(
    _ run: Run, on connection: Connection, _ limit: ReadLimit, commit: UInt64
  ) -> FinishedRun {
    let start = DispatchTime.now().uptimeNanoseconds
    var finished = limited(run, on: connection, limit, commit: commit)
    finished.cost = DispatchTime.now().uptimeNanoseconds - start
    return finished
  }

  private func limited(
    _ run: Run, on connection: Connection, _ limit: ReadLimit, commit: UInt64
  ) -> FinishedRun {
    buffer.removeAll()
    do {
      let ((result, nextChange), dependencies) = try reader.collect(connection) {
        try limit.within(Refresher.longest) {
          (
            try run.work.evaluate(connection, buffer, run.last),
            try run.work.nextChange?(connection)
          )
        }
      }
      return FinishedRun(
        id: run.id, outcome: result.map { .result($0) } ?? .absent, isChanged: result !== run.last,
        dependencies: dependencies,
        nextChange: nextChange ?? (dependencies.readsClock ? nextSecond : nil), commit: commit)
    } catch {
      return failed(run, error, commit: commit)
    }
  }

  /// When a result changes that asks SQLite for the time and does not say itself.
  private var nextSecond: Instant {
    let milliseconds = clock.now().milliseconds
    return Instant(milliseconds: milliseconds - milliseconds % 1000 + 1000)
  }

  private func failed(_ run: Run, _ error: any Error, commit: UInt64) -> FinishedRun {
    occurred(.failed(key: run.work.name, error))
    return FinishedRun(
      id: run.id, outcome: .failed(error), isChanged: true, dependencies: .unknown,
      nextChange: nil, commit: commit)
  }
}
