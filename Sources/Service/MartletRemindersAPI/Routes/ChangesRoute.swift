import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletSQLite
import MartletStore

/// The route of the change feed, `GET /v1/changes`.
enum ChangesRoute {
  static let changes = Route.feed("/v1/changes", parts: .respected, audience: .parts) {
    request, _ in
    var parameters = QueryParameters.ofLog(request)
    var feed = ChangeFeed()
    feed.limit = parameters.integer("limit", in: ChangeFeed.limits) ?? ChangeFeed.defaultLimit
    feed.kind = parameters.oneOf(
      "kind", ["list": ChangeKind.list, "reminder": .reminder, "smart-list": .smartList])
    feed.isOpenOnly = parameters.bool("open") ?? false
    feed.lists = request.lists
    if let list = parameters.integer("listID", in: 1...Int.max) {
      feed.lists = .only(request.lists.contains(list) ? [list] : [])
    }
    try parameters.finish()
    return FeedSource(request, head: feed.head()) { [feed] text, db, body in
      let token = try text.map { (text) throws(APIProblem) in try ChangesRoute.token(text) }
      return try write(feed, after: token, db, body)
    }
  }

  private static func token(_ text: String) throws(APIProblem) -> FeedToken {
    if let token = FeedToken(text) { return token }
    throw APIProblem(
      .invalidParameter, "Invalid query parameter.",
      errors: [
        FieldError(
          .parameter("since"), "expected the next of an earlier page, got \(shown(text))")
      ])
  }

  /// A page ends when it has this many bytes, even if it could have more items: notes may be long.
  private static let pageBytes = 1 << 20

  /// Appends the page after a token: `{"items": […], "next": "…", "more": false}`.
  private static func write(
    _ feed: ChangeFeed, after token: FeedToken?, _ db: Connection, _ body: ByteBuffer
  ) throws -> FeedPage {
    var count = 0
    body.append("{\"items\":[")
    let end = try feed.page(after: token, in: db) { entry in
      guard count == 0 || body.count < pageBytes else { return false }
      body.append(utf8: count == 0 ? "{\"kind\":\"" : ",{\"kind\":\"")
      count += 1
      body.append(
        utf8: "\(entry.kind.label)\",\"id\":\(entry.id),\"version\":\(entry.version)")
      if entry.isDeleted {
        body.append(",\"deleted\":true}")
      } else {
        body.append(",\"item\":")
        // The row was found in this transaction.
        if try !db.writeJSONObject(entry.query, into: body) { body.append("null") }
        body.append("}")
      }
      return true
    }
    body.append(utf8: "],\"next\":\"\(end.next)\",\"more\":\(end.hasMore)}")
    return FeedPage(next: end.next.description, isEmpty: count == 0, hasMore: end.hasMore)
  }
}
