import Dispatch
import MartletJSON
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// Runs the dirty queries of a lane together in one read transaction, so that all results move to a
/// commit in one step. Commits during a batch are covered by a single further batch.
///
/// `@unchecked Sendable`: `reader` and `buffer` are used only on the queue.
final class Refresher: @unchecked Sendable {
  /// The outcome of a batch of queries.
  struct Turn {
    var finished: [FinishedRun] = []
    /// Queries that did not run to the end, with their known cost.
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

  /// Schedules a batch that takes the dirty queries, runs them and passes on the outcome. At most
  /// one batch is pending.
  func schedule(
    _ take: @escaping @Sendable () -> [Run]?,
    finished: @escaping @Sendable (Turn) -> Void
  ) {
    guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async { [self] in
      // Reset first: queries that become dirty from here on need another batch.
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
    // Read before the snapshot begins, so that the results contain at least this commit.
    let commit = database.commitNumber
    do {
      var (turn, begun) = try database.read { connection, limit in
        // This reads and thereby takes the snapshot.
        try reader.learnSchema(connection)
        let begun = database.startedCommitNumber
        return (run(runs, on: connection, limit, commit: commit), begun)
      }
      // Every commit that the snapshot may contain must have been notified.
      database.waitForCommitNotification()
      let snapshot = min(begun, database.commitNumber)
      for index in turn.finished.indices { turn.finished[index].snapshot = snapshot }
      return turn
    } catch {
      return Turn(finished: runs.map { failed($0, error, commit: commit) })
    }
  }

  /// Runs queries one after the other.
  ///
  /// In the quick lane, a query that turns out to be slow is interrupted and given back, and so are
  /// the queries that the batch has no time for. The finished results are delivered and newly
  /// touched queries get their turn.
  private func run(
    _ runs: [Run], on connection: Connection, _ limit: ReadLimit, commit: UInt64
  ) -> Turn {
    var turn = Turn()
    var end = DispatchTime.now().uptimeNanoseconds + Registry.turn
    var isNew = false
    for run in runs {
      let start = DispatchTime.now().uptimeNanoseconds
      if run.isNew, !isNew {
        // New queries get half of the budget, however long the others took.
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

  /// The time limit in nanoseconds. A query that exceeds it is interrupted and fails.
  private static let longest: UInt64 = 5_000_000_000

  /// Runs a query; `nil` if it is too slow for the lane.
  private func run(
    _ run: Run, on connection: Connection, _ limit: ReadLimit, commit: UInt64
  ) -> FinishedRun? {
    let (start, use) = (DispatchTime.now().uptimeNanoseconds, ThreadUse.now)
    var finished = limited(run, on: connection, limit, commit: commit)
    // A quick query that was held up by other work of the machine stays quick: in the slow lane it
    // would wait for all slow ones.
    finished?.cost = ThreadUse.now.cost(
      since: use, of: DispatchTime.now().uptimeNanoseconds - start)
    return finished
  }

  private func limited(
    _ run: Run, on connection: Connection, _ limit: ReadLimit, commit: UInt64
  ) -> FinishedRun? {
    buffer.removeAll()
    // Read before the result. An instant that passes meanwhile is then in the past, and the query
    // runs once more.
    let second = nextSecond
    do {
      let ((result, nextChange), dependencies) = try reader.collect(connection) {
        try limit.within(
          .nanoseconds(lane == .quick ? Registry.slow : Refresher.longest),
          ownWork: lane == .quick
        ) {
          let nextChange = try run.work.nextChange?(connection)
          return (try run.work.evaluate(connection, buffer, run.last), nextChange)
        }
      }
      return FinishedRun(
        id: run.id, outcome: result.map { .result($0) } ?? .absent, isChanged: result !== run.last,
        dependencies: dependencies,
        nextChange: nextChange ?? (dependencies.readsClock ? second : nil), commit: commit)
    } catch ReadError.overBudget where lane == .quick {
      return nil
    } catch {
      return failed(run, error, commit: commit)
    }
  }

  /// The next full second, when a result that reads SQLite's clock without a `nextChange` may
  /// change.
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
