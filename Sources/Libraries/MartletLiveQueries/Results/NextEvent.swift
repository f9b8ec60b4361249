import MartletStore

/// The next event for a subscriber. It depends only on the subscriber's position and the state of
/// the query.
public enum NextEvent: Sendable {
  /// Nothing: there is no newer state.
  case wait
  /// Nothing: the newer state equals the one the subscriber has.
  case unchanged
  /// The state that the subscriber named when it reconnected is current.
  case current(ETag)
  /// A new result. `after` identifies the result that the subscriber has, so that a difference may
  /// be sent instead.
  case result(LiveResult, after: ETag?)
  /// The object no longer exists. This is the last event.
  case gone
  /// The query failed.
  case problem(any Error)
}

/// The position of a subscriber: which result it has. Event streams and sequences of values both
/// use it.
///
/// It stores a version instead of a queue, so a slow subscriber costs no more memory than a fast
/// one.
public struct StreamPosition: Sendable {
  /// The result that a reconnecting subscriber says it has.
  public enum Known: Sendable {
    /// It has no state.
    case nothing
    /// It has the result with this tag.
    case result(ETag)
    /// It knows that the object does not exist.
    case absence
  }

  private enum State {
    case new
    /// The subscriber says that it has this result, and has not received an event yet.
    case named(ETag)
    case sent(ETag)
    case gone
    /// The subscriber received an error, and still has this result.
    case failed(ETag?)
  }

  private var state: State
  /// States of earlier runs are ignored, because they may lack a commit made before the
  /// subscription.
  private let firstRun: UInt64
  private var lastRun: UInt64 = 0

  /// A subscriber that knows `known` and needs the state of `firstRun` or a later run. Tags that
  /// are unknown here are allowed.
  public init(_ known: Known = .nothing, firstRun: UInt64 = 0) {
    state =
      switch known {
      case .nothing: .new
      case .result(let tag): .named(tag)
      case .absence: .gone
      }
    self.firstRun = firstRun
  }

  /// The tag of the result that the subscriber has; `nil` if it has none.
  public var held: ETag? {
    switch state {
    case .named(let tag), .sent(let tag): tag
    case .failed(let tag): tag
    case .new, .gone: nil
    }
  }

  /// Whether the subscriber knows that the object does not exist.
  public var isGone: Bool { if case .gone = state { true } else { false } }

  /// Moves the subscriber to the state `next` and returns the event to send.
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
      // After an error the result is sent again, which shows that the query has recovered.
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
