import MartletHTTP
import MartletLiveQueries

/// A `GET`: its result as JSON now, or as an event stream now and whenever it changes.
public struct ReadRoute: Sendable {
  public enum Place: Sendable {
    /// On the event loop, as far as its budget goes.
    case loop
    /// On a worker from the start: what works long between two looks at the time (FTS5, totals).
    case worker
  }

  /// Understands a request; the same function for all ways to ask.
  public typealias Parse = @Sendable (Request, Context) throws -> LiveSource

  let place: Place
  let audience: Audience
  private let parse: Parse

  init(place: Place, audience: Audience, parse: @escaping Parse) {
    self.place = place
    self.audience = audience
    self.parse = parse
  }

  /// What a request asks for. A query that the route has not looked at is refused.
  func understand(_ request: Request, _ context: Context) throws -> LiveSource {
    let source = try parse(request, context)
    try QueryParameters.checkUnread(request, isRead: true)
    return source
  }

  /// What a stream follows: which callers share its result, and whom its runs are counted for.
  func source(_ request: Request, _ context: Context) throws -> LiveSource {
    var source = try understand(request, context)
    source.key.audience = audience.members(request)
    source.client = request.clientNumber
    source.isSlow = place == .worker
    return source
  }
}
