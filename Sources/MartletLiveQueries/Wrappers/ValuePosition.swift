import MartletStore

/// Where a reader of a query's values stands: a pure function of what it was told.
struct ValuePosition<Value: Sendable>: Sendable {
  enum Step {
    /// Not news: an older state, or one from before the reader came.
    case wait
    /// The value that the reader has.
    case same
    case value(Value)
    case problem(any Error)
  }

  /// No state of an earlier run is new enough: a commit from before the reader came may be missing.
  private let firstRun: UInt64
  private var lastRun: UInt64 = 0
  private var held: LiveResult?

  init(firstRun: UInt64) { self.firstRun = firstRun }

  /// The reader has a value.
  var hasValue: Bool { held != nil }

  mutating func take(_ state: LiveState) -> Step {
    guard state.run >= firstRun, state.run > lastRun else { return .wait }
    lastRun = state.run
    switch state.outcome {
    case .result(let result):
      if result === held { return .same }
      guard let value = result.value(as: Value.self) else {
        preconditionFailure("a query's result is not what was asked for")
      }
      held = result
      return .value(value)
    case .absent: return .problem(NotFound())
    case .failed(let error): return .problem(error)
    }
  }
}
