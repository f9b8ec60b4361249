import MartletHTTP
import MartletLiveQueries

/// A `GET` route of a feed, which answers with a page as JSON or with an event stream of pages.
struct FeedRoute: Sendable {
  typealias Parse = @Sendable (Request, Context) throws -> FeedSource

  /// The same route for JSON: the page after the request's token is an ordinary result.
  let page: ReadRoute
  private let audience: Audience
  private let parse: Parse

  init(_ audience: Audience, _ parse: @escaping Parse) {
    self.audience = audience
    self.parse = parse
    page = ReadRoute(place: .loop, audience: audience) { request, context in
      let feed = try FeedRoute.understand(request, context, parse)
      return LiveSource(request, nextChange: feed.head.nextChange) { db, body in
        _ = try feed.page(feed.since, db, body)
        return true
      }
    }
  }

  /// The source of an event stream, with its audience and the client that it is charged to.
  func source(_ request: Request, _ context: Context) throws -> FeedSource {
    var source = try FeedRoute.understand(request, context, parse)
    source.head.key.audience = audience.members(request)
    source.head.client = request.clientNumber
    return source
  }

  private static func understand(
    _ request: Request, _ context: Context, _ parse: Parse
  ) throws -> FeedSource {
    guard !request.queryItems.contains(where: { $0.name == "deltas" }) else { throw noDeltas }
    let source = try parse(request, context)
    try QueryParameters.checkUnread(request, QueryParameters.ofLog)
    return source
  }

  private static let noDeltas = APIProblem(
    .invalidParameter, "Invalid query parameter.",
    errors: [
      FieldError(.parameter("deltas"), "a feed is streamed as pages, it has no deltas")
    ])

  /// Why a feed cannot be part of a bundle, whose events are states.
  static let notInBundles = APIProblem(
    .invalidParameter, "this is a feed, whose event stream cannot be part of another one")
}

/// The end of a page that a ``FeedSource`` has read.
public struct FeedPage: Sendable {
  /// The token after the page, from which the next page starts.
  ///
  /// It consists of visible ASCII characters, because clients send it in a header field.
  public let next: String
  /// Whether the page has no entries. A stream then sends nothing and goes on from ``next``.
  public let isEmpty: Bool
  /// Whether entries may follow after ``next``. A stream then reads the next page at once.
  public let hasMore: Bool

  /// The end of a page. `hasMore` is ignored if `next` is the token that the page started from.
  public init(next: String, isEmpty: Bool, hasMore: Bool) {
    self.next = next
    self.isEmpty = isEmpty
    self.hasMore = hasMore
  }
}
