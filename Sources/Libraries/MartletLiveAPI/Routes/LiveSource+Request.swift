import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletSQLite
import MartletTime

extension LiveSource {
  /// Creates the source of the result of a request.
  ///
  /// Requests for the same path with the same parameters, in any order, share one result. The
  /// route's ``Audience`` says which callers share it.
  public init(
    _ request: Request, nextChange: (@Sendable (Connection) throws -> Instant?)? = nil,
    write: @escaping @Sendable (Connection, ByteBuffer) throws -> Bool
  ) {
    self.init(key: LiveSource.key(of: request), nextChange: nextChange, write: write)
  }

  /// The key of what a request asks for. Without `other`, requests that differ only in that
  /// parameter have the same key.
  static func key(of request: Request, without other: String? = nil) -> String {
    let given = request.queryItems
    if given.isEmpty { return request.path }
    // NUL cannot occur in a path or parameter, so it separates the pieces. Repeated parameters keep
    // their order.
    var items: [(offset: Int, item: QueryItem)] = []
    for (offset, item) in given.enumerated()
    where !streamParameters.contains(item.name) && item.name != other {
      items.append((offset, item))
    }
    items.sort { ($0.item.name, $0.offset) < ($1.item.name, $1.offset) }
    let pieces = [request.path] + items.flatMap { [$0.item.name, $0.item.value] }
    return pieces.joined(separator: "\0")
  }

  /// Parameters that determine how a result is streamed, not which result it is.
  static let streamParameters: Set<String> = ["lastEventID", "deltas", "access"]
}

extension QueryParameters {
  /// The parameters of a read, except for `lastEventID`, `deltas` and `access`, which concern only
  /// event streams.
  public static func ofRead(_ request: Request) -> QueryParameters {
    var parameters = QueryParameters(request)
    _ = parameters.string("lastEventID")
    _ = parameters.bool("deltas")
    _ = parameters.string("access")
    return parameters
  }

  /// The parameters of a feed: those of a read, and `since`, which ``FeedSource`` reads.
  public static func ofLog(_ request: Request) -> QueryParameters {
    var parameters = ofRead(request)
    _ = parameters.string(FeedSource.sinceParameter)
    return parameters
  }
}

extension Request {
  /// The path parameter `{name}` as an ID: a whole number from 1.
  ///
  /// Throws an ``APIProblem`` if it is not one, and a `RouteError` if the route's pattern has no
  /// parameter of that name.
  public func id(_ name: String) throws -> Int {
    guard let text = parameter(name) else {
      throw RouteError.noParameter(name, pattern: route ?? path)
    }
    // Only the canonical form is accepted, because other forms would be different URLs, and
    // different live queries, for the same item.
    guard let id = integer(name), id > 0, String(id) == text else {
      throw APIProblem(
        .invalidParameter,
        "Invalid ID in the path: expected a whole number from 1, got \(shown(text)).",
        errors: [
          FieldError(
            .parameter(name),
            "expected a whole number from 1, got \(shown(text))")
        ])
    }
    return Int(id)
  }
}
