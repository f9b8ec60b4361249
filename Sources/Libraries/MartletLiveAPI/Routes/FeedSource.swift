import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// A feed that a request reads or follows: rows in the order in which they were added, each with a
/// position that a token names.
///
/// ```swift
/// Route.feed("/journal", audience: .everyone) { request, _ in
///   FeedSource(request, head: Entry.select { $0.id.max() }) { token, db, body in
///     let last = try Entry.id(of: token)  // throws an `APIProblem` for a text that is no token
///     let rows = try Entry.where { $0.id > last }.order(by: \.id).limit(100).fetchAll(db)
///     let next = String(rows.last?.id ?? last)
///     JSONWriter.object(into: body) { … }
///     return FeedPage(next: next, isEmpty: rows.isEmpty, hasMore: rows.count == 100)
///   }
/// }
/// ```
///
/// The parameter `since` of the request is the token of its first page. Requests that differ in
/// nothing else share their reads: the streams of a thousand clients at the end of the feed read
/// each new page once.
public struct FeedSource: Sendable {
  /// Appends the page after a token as JSON; `nil` is the beginning of the feed.
  ///
  /// The page depends only on the database, the token and the request's other parameters. The
  /// closure may run more than once and on any thread. It throws an ``APIProblem`` if it cannot
  /// start from the token, such as a 400 for a text that is no token, or a 410 for a position whose
  /// entries have been deleted.
  public typealias ReadPage =
    @Sendable (_ token: String?, _ db: Connection, _ body: ByteBuffer) throws -> FeedPage

  /// The token of the first page: the request's `since`, or `nil` for the beginning.
  public var since: String?
  /// The live query whose states say that there may be new entries.
  var head: LiveSource
  let page: ReadPage

  static let sinceParameter = "since"

  /// The feed that `request` asks for.
  ///
  /// `head` appends a value that changes whenever the feed may have new entries for the caller,
  /// such as the last position. It is read after each commit that may have changed it, so it should
  /// be quick. `nextChange` is needed only if it also changes with the time
  /// (`MartletLiveQueries.LiveSource.nextChange`).
  public init(
    _ request: Request, nextChange: (@Sendable (Connection) throws -> Instant?)? = nil,
    head: @escaping @Sendable (Connection, ByteBuffer) throws -> Void, page: @escaping ReadPage
  ) {
    let name = FeedSource.sinceParameter
    since = request.queryItems.first { $0.name == name }?.value
    self.head = LiveSource(
      key: LiveSource.key(of: request, without: name), nextChange: nextChange
    ) { db, body in
      try head(db, body)
      return true
    }
    self.page = page
  }

  /// The feed that `request` asks for, with the first row of a statement as its head.
  public init(_ request: Request, head: some Statement, page: @escaping ReadPage) {
    let row = WriteRoute.row(head)
    self.init(request, head: { db, body in _ = try row(db, body) }, page: page)
  }
}
