import MartletStore
import MartletTime

/// A query that is to be run.
struct Run: Sendable {
  let id: Registry.ID
  let work: LiveWork
  /// What it gave last: an equal result is not made anew.
  let last: LiveResult?
  /// It has never run: nothing is known of its cost.
  var isNew = false
}

/// What running it gave.
struct FinishedRun: Sendable {
  let id: Registry.ID
  let outcome: LiveState.Outcome
  let isChanged: Bool
  /// Of a run that failed they are unknown: the next commit has it tried again.
  var dependencies: Dependencies
  let nextChange: Instant?
  var commit: UInt64
  /// The newest commit that the outcome may hold.
  var snapshot: UInt64 = 0
  /// In nanoseconds.
  var cost: UInt64 = 0
}
