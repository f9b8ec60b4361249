import MartletHTTP
import MartletLiveQueries

/// A `GET` route, which answers with a JSON result or with an event stream of that result and its
/// changes.
public struct ReadRoute: Sendable {
  /// Where a read runs.
  public enum Place: Sendable {
    /// On the event loop within its time budget, and then on a worker.
    case loop
    /// On a worker from the start, for statements that can run long before they can be interrupted
    /// (FTS5, aggregates).
    case worker
  }

  /// Converts a request into the source of its result. All ways to read the result use the same
  /// function.
  public typealias Parse = @Sendable (Request, Context) throws -> LiveSource

  let place: Place
  let audience: Audience
  private let parse: Parse

  init(place: Place, audience: Audience, parse: @escaping Parse) {
    self.place = place
    self.audience = audience
    self.parse = parse
  }

  /// The source that a request asks for. A query that the route has not read is refused.
  func understand(_ request: Request, _ context: Context) throws -> LiveSource {
    let source = try parse(request, context)
    try QueryParameters.checkUnread(request, QueryParameters.ofRead)
    return source
  }

  /// The source of an event stream, with its audience and the client that it is charged to.
  func source(_ request: Request, _ context: Context) throws -> LiveSource {
    var source = try understand(request, context)
    source.key.audience = audience.members(request)
    source.client = request.clientNumber
    source.isSlow = place == .worker
    return source
  }
}
