import MartletHTTP
import Synchronization

/// The read of one page of a feed, and the followers that wait for it.
final class FeedRead: Sendable {
  typealias Outcome = Result<FeedPages.Page, any Error>

  private struct Content {
    var outcome: Outcome?
    var waiting: [@Sendable (Outcome) -> Void] = []
    var problem: EventFrame?
  }

  let token: String?
  /// The run of the head whose entries the page contains.
  let run: UInt64
  /// The streams that wait for the page.
  let broadcast = Broadcast()
  private let content = Mutex(Content())

  init(_ token: String?, run: UInt64) {
    self.token = token
    self.run = run
  }

  /// The page or the error; `nil` while the read is in flight.
  var result: Outcome? { content.withLock { $0.outcome } }

  /// Calls `body` with the result, now or when it arrives.
  func whenDone(_ body: @escaping @Sendable (Outcome) -> Void) {
    let outcome = content.withLock { content in
      if content.outcome == nil { content.waiting.append(body) }
      return content.outcome
    }
    if let outcome { body(outcome) }
  }

  func finish(_ outcome: Outcome) {
    let waiting = content.withLock { content in
      content.outcome = outcome
      defer { content.waiting = [] }
      return content.waiting
    }
    for body in waiting { body(outcome) }
    broadcast.wake()
  }

  /// The event that ends a stream whose page could not be read. The followers share the document of
  /// a problem.
  func lastEvent(of error: any Error, _ pages: FeedPages) -> EventFrame? {
    var problem = content.withLock { $0.problem }
    if problem == nil {
      // Outside the lock, because it reports the error.
      problem = pages.problem(of: error)
      content.withLock { $0.problem = problem }
    }
    // Each stream gets its own time at which to reconnect.
    return pages.isRefused(error) ? Goodbye.frame(.overload) : problem
  }
}
