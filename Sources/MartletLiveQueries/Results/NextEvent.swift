import MartletStore

/// What a subscriber is told next: a pure function of where it stands and of what is known.
public enum NextEvent: Sendable {
  /// Nothing: there is no newer state than the one it has.
  case wait
  /// Nothing: the newer state is what it was told already.
  case unchanged
  /// The state that it named when it came is still the one.
  case current(ETag)
  /// The result, and the one that the subscriber has: between the two a difference may be sent.
  case result(LiveResult, after: ETag?)
  /// What it followed is not there any more; the last event.
  case gone
  case problem(any Error)
}

/// Where a subscriber stands, a stream as well as a reader of values. It remembers a version, not a queue: how far behind
/// it is costs nothing.
public struct StreamPosition: Sendable {
  /// What a subscriber that comes again says it has.
  public enum Known: Sendable {
    case nothing
    case result(ETag)
    /// That there is nothing any more.
    case absence
  }

  private enum State {
    case new
    /// It has this result by its own word, and was not answered yet.
    case named(ETag)
    case sent(ETag)
    case gone
    /// It was told of a problem, and has this result still.
    case failed(ETag?)
  }

  private var state: State
  /// No state of an earlier run is new enough: a commit from before the subscription may be missing.
  private let firstRun: UInt64
  private var lastRun: UInt64 = 0

  /// What the subscriber says it has may be unknown here; that is no error.
  public init(_ known: Known = .nothing, firstRun: UInt64 = 0) {
    state =
      switch known {
      case .nothing: .new
      case .result(let tag): .named(tag)
      case .absence: .gone
      }
    self.firstRun = firstRun
  }

  /// The result that the subscriber has.
  public var held: ETag? {
    switch state {
    case .named(let tag), .sent(let tag): tag
    case .failed(let tag): tag
    case .new, .gone: nil
    }
  }

  /// Whether it was told that there is nothing.
  public var isGone: Bool { if case .gone = state { true } else { false } }

  /// The event that takes the subscriber to `next`.
  public mutating func next(_ next: LiveState?) -> NextEvent {
    guard let next, next.run >= firstRun, next.run > lastRun else { return .wait }
    lastRun = next.run
    switch next.outcome {
    case .result(let result):
      let before = state
      state = .sent(result.etag)
      switch before {
      case .sent(let tag): return tag == result.etag ? .unchanged : .result(result, after: tag)
      case .named(let tag) where tag == result.etag: return .current(tag)
      // After a problem the result is said again: it tells that the query has recovered.
      case .new, .named, .gone, .failed: return .result(result, after: nil)
      }
    case .absent:
      if case .gone = state { return .unchanged }
      state = .gone
      return .gone
    case .failed(let error):
      state = .failed(held)
      return .problem(error)
    }
  }
}
