import MartletStore

/// What a subscriber is told next: a pure function of where it stands and of what is known.
public enum NextEvent: Sendable {
  /// Nothing; there is no newer state than the one it has.
  case wait
  /// The state that it named when it came is still the one.
  case current(ETag)
  /// The result, and the one that the subscriber has: between the two a difference may be sent.
  case result(LiveResult, after: ETag?)
  /// What it followed is not there any more; the last event.
  case gone
  case problem(any Error)
}

/// Where a subscriber stands. It remembers a version, not a queue: how far behind it is costs nothing.
public struct StreamPosition: Sendable {
  /// The state that the subscriber has, by its own word at first.
  public private(set) var held: ETag?
  /// The subscriber has named its state, and was not answered yet.
  private var isResuming: Bool
  /// No state of an earlier run is new enough: a commit from before the subscription may be missing.
  private let firstRun: UInt64
  private var lastRun: UInt64 = 0
  private var hasProblem = false
  private var isGone = false

  /// `lastEvent` is what the subscriber says it has; unknown ones are no error.
  public init(lastEvent: ETag? = nil, firstRun: UInt64 = 0) {
    held = lastEvent
    isResuming = lastEvent != nil
    self.firstRun = firstRun
  }

  /// The event that takes the subscriber to `state`.
  public mutating func next(_ state: LiveState?) -> NextEvent {
    guard let state, state.run >= firstRun, state.run > lastRun else { return .wait }
    lastRun = state.run
    switch state.outcome {
    case .result(let result):
      let before = isResuming || hasProblem ? nil : held
      isGone = false
      defer {
        held = result.etag
        isResuming = false
        hasProblem = false
      }
      // After a problem the result is said again: it tells that the query has recovered.
      if result.etag == held, !hasProblem { return isResuming ? .current(result.etag) : .wait }
      return .result(result, after: before)
    case .absent:
      guard !isGone else { return .wait }
      isGone = true
      held = nil
      isResuming = false
      return .gone
    case .failed(let error):
      hasProblem = true
      return .problem(error)
    }
  }
}
