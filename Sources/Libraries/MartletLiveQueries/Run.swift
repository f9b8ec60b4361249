import MartletStore
import MartletTime

/// A query about to run.
struct Run: Sendable {
  let id: Registry.ID
  let work: LiveWork
  /// Its previous result, which is reused if the new one is equal.
  let last: LiveResult?
  /// Whether the query has never run, so that its cost is unknown.
  var isNew = false
}

/// The outcome of a run.
struct FinishedRun: Sendable {
  let id: Registry.ID
  let outcome: LiveState.Outcome
  let isChanged: Bool
  /// Unknown for a failed run, so that the next commit makes it run again.
  var dependencies: Dependencies
  let nextChange: Instant?
  var commit: UInt64
  /// The newest commit that the outcome may contain.
  var snapshot: UInt64 = 0
  /// The duration of the run in nanoseconds, without the time that other processes took.
  var cost: UInt64 = 0
}
