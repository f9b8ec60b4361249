import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletSQLite
import MartletStore
import Synchronization

/// Reads the pages of one feed for all its followers, on workers. Followers at the same token share
/// a read and the bytes of its event.
final class FeedPages: Sendable {
  /// A page as an event.
  struct Page: Sendable {
    let event: EventFrame
    let next: String
    let isEmpty: Bool
    let hasMore: Bool
  }

  private struct Content {
    /// The reads in flight by their tokens.
    var flights: [String?: Flight] = [:]
    var lastNumber: UInt64 = 0
    /// The last page at the end of the feed, for the followers that have not taken it yet.
    var last: FeedRead?
  }

  /// A read in flight. Only its followers hold it.
  private struct Flight {
    let number: UInt64
    weak var read: FeedRead?
  }

  private let page: FeedSource.ReadPage
  private let context: Context
  private let content = Mutex(Content())

  init(_ page: @escaping FeedSource.ReadPage, _ context: Context) {
    self.page = page
    self.context = context
  }

  /// The read of the page after `token` that has the entries of a run of the head. It is done, in
  /// flight, or started now for `client`.
  func read(after token: String?, run: UInt64, client: Int) -> FeedRead {
    // `replaced` is released outside the lock.
    let (read, number, replaced) = content.withLock {
      content -> (FeedRead, number: UInt64?, replaced: FeedRead?) in
      if let last = content.last, last.token == token, last.run >= run { return (last, nil, nil) }
      let flying = content.flights[token]?.read
      if let flying, flying.run >= run { return (flying, nil, nil) }
      let read = FeedRead(token, run: run)
      content.lastNumber += 1
      content.flights[token] = Flight(number: content.lastNumber, read: read)
      return (read, content.lastNumber, flying)
    }
    _ = consume replaced
    if let number { start(read, number, client) }
    return read
  }

  private func start(_ read: FeedRead, _ number: UInt64, _ client: Int) {
    let token = read.token
    do throws(ReadError) {
      try context.database.onWorker(budget: context.settings.readTimeout, client: client) {
        [self, weak read] db in
        // Its followers may have left while it was waiting.
        guard read != nil else { throw CancellationError() }
        return try event(after: token, db)
      } completion: { [self, weak read] result in
        finish(read, token, number, result)
      }
    } catch {
      finish(read, token, number, .failure(error))
    }
  }

  private func event(after token: String?, _ db: Connection) throws -> Page {
    let body = ByteBuffer(capacity: 1 << 12)
    let page = try page(token, db, body)
    let limit = context.database.largestResult
    guard body.count <= limit else { throw ReadError.tooLarge(limit: limit) }
    return Page(
      event: Event.frame(id: page.next, event: "changes", data: body.bytes).forMany,
      next: page.next, isEmpty: page.isEmpty,
      // A page that does not move would be read forever.
      hasMore: page.hasMore && page.next != token)
  }

  private func finish(
    _ read: FeedRead?, _ token: String?, _ number: UInt64, _ result: Result<Page, any Error>
  ) {
    read?.finish(result)
    // Released outside the lock.
    let replaced = content.withLock { content -> FeedRead? in
      if content.flights[token]?.number == number { content.flights[token] = nil }
      guard let read, case .success(let page) = result, !page.hasMore,
        read.run >= content.last?.run ?? 0
      else { return nil }
      defer { content.last = read }
      return content.last
    }
    _ = consume replaced
  }

  /// Whether an error says only that the server had no time for the read.
  func isRefused(_ error: any Error) -> Bool {
    guard let type = context.refusal(of: error)?.type else { return false }
    return type == .overloaded || type == .queryTimeout
  }

  /// The event for a failed page. It is reported, so call it once for each failure.
  func problem(of error: any Error) -> EventFrame { context.queryProblem(of: error).event() }
}
