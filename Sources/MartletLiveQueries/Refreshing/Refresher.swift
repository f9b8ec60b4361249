import Dispatch
import MartletJSON
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// Runs queries, all that are to be run at one time in one read transaction: a commit's changes reach
/// all results in one step. Commits that come while it runs are answered by one further run.
///
/// `@unchecked Sendable`: `reader` and `buffer` are used on the queue alone.
final class Refresher: @unchecked Sendable {
  /// What became of the queries that were taken together.
  struct Turn {
    var finished: [FinishedRun] = []
    /// Those that did not run to their end, with what is known of their cost by now.
    var givenBack: [(id: Registry.ID, cost: UInt64?)] = []
  }

  private let queue = DispatchQueue(label: "live.refresher", qos: .userInitiated)
  private let lane: Registry.Priority
  private let database: any ObservableDatabase
  private let onEvent: @Sendable (LiveQueryEvent) -> Void
  private let isScheduled = Atomic(false)
  private let reader = DependencyReader()
  private let clock: Clock
  private let buffer = ByteBuffer(capacity: 1 << 14)

  init(
    _ database: any ObservableDatabase, _ lane: Registry.Priority, clock: Clock,
    onEvent: @escaping @Sendable (LiveQueryEvent) -> Void
  ) {
    self.database = database
    self.lane = lane
    self.clock = clock
    self.onEvent = onEvent
  }

  /// Soon takes what is to be run, runs it, and hands it over. At most one such turn waits.
  func schedule(
    _ take: @escaping @Sendable () -> [Run]?,
    finished: @escaping @Sendable (Turn) -> Void
  ) {
    guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async { [self] in
      // First, so that what becomes dirty from here on is seen by a further turn.
      isScheduled.store(false, ordering: .sequentiallyConsistent)
      guard let runs = take(), !runs.isEmpty else { return }
      let start = DispatchTime.now().uptimeNanoseconds
      let turn = run(runs)
      onEvent(
        .refreshed(
          queries: turn.finished.count, changed: turn.finished.count { $0.isChanged },
          duration: .nanoseconds(DispatchTime.now().uptimeNanoseconds - start)))
      finished(turn)
    }
  }

  private func run(_ runs: [Run]) -> Turn {
    // Before the snapshot begins: the results hold for this commit at least.
    let commit = database.commitNumber
    do {
      var (turn, begun) = try database.read { connection, limit in
        // Reads, and so takes the snapshot.
        try reader.learnSchema(connection)
        let begun = database.begunCommitNumber
        return (run(runs, on: connection, limit, commit: commit), begun)
      }
      // What may be in the snapshot has been told of when these are.
      database.waitForNotice()
      let snapshot = min(begun, database.commitNumber)
      for index in turn.finished.indices { turn.finished[index].snapshot = snapshot }
      return turn
    } catch {
      return Turn(finished: runs.map { failed($0, error, commit: commit) })
    }
  }

  /// Runs them one after the other. In the quick lane one that turns out to be slow is interrupted and given back, and so
  /// is what the turn has no time for: what is done is told, and what was touched meanwhile has its turn.
  private func run(
    _ runs: [Run], on connection: Connection, _ limit: ReadLimit, commit: UInt64
  ) -> Turn {
    var turn = Turn()
    var end = DispatchTime.now().uptimeNanoseconds + Registry.turn
    var isNew = false
    for run in runs {
      let start = DispatchTime.now().uptimeNanoseconds
      if run.isNew, !isNew {
        // New ones have half a turn, whatever those before them took.
        isNew = true
        end = start + Registry.turn / 2
      } else if lane == .quick, start > end {
        turn.givenBack.append((run.id, nil))
        continue
      }
      if let finished = self.run(run, on: connection, limit, commit: commit) {
        turn.finished.append(finished)
      } else {
        let cost = DispatchTime.now().uptimeNanoseconds - start
        turn.givenBack.append((run.id, max(cost, Registry.slow)))
      }
    }
    return turn
  }

  /// A query that takes longer is interrupted, and its followers are told.
  private static let longest: UInt64 = 5_000_000_000

  /// `nil` where it is too slow for the lane.
  private func run(
    _ run: Run, on connection: Connection, _ limit: ReadLimit, commit: UInt64
  ) -> FinishedRun? {
    let start = DispatchTime.now().uptimeNanoseconds
    var finished = limited(run, on: connection, limit, commit: commit)
    finished?.cost = DispatchTime.now().uptimeNanoseconds - start
    return finished
  }

  private func limited(
    _ run: Run, on connection: Connection, _ limit: ReadLimit, commit: UInt64
  ) -> FinishedRun? {
    buffer.removeAll()
    do {
      let ((result, nextChange), dependencies) = try reader.collect(connection) {
        try limit.within(
          .nanoseconds(lane == .quick ? Registry.slow : Refresher.longest),
          ownWork: lane == .quick
        ) {
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
    } catch ReadError.overBudget where lane == .quick {
      return nil
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
    onEvent(.failed(key: run.work.name, error))
    return FinishedRun(
      id: run.id, outcome: .failed(error), isChanged: true, dependencies: .unknown,
      nextChange: nil, commit: commit)
  }
}
