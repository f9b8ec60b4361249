import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletSQLite
import MartletTime

extension LiveSource {
  /// The result that a request asks for. Requests for the same path with the same parameters, in any
  /// order, ask for the same thing. Which callers share the result is said by the route (``Audience``).
  public init(
    _ request: Request, nextChange: (@Sendable (Connection) throws -> Instant?)? = nil,
    write: @escaping @Sendable (Connection, ByteBuffer) throws -> Bool
  ) {
    self.init(key: LiveSource.key(of: request), nextChange: nextChange, write: write)
  }

  private static func key(of request: Request) -> String {
    let given = request.queryItems
    if given.isEmpty { return request.path }
    // A NUL cannot come in a path or parameter, so it keeps the pieces apart. Repeated parameters keep
    // their order.
    var items: [(offset: Int, item: QueryItem)] = []
    for (offset, item) in given.enumerated()
    where !streamParameters.contains(item.name) {
      items.append((offset, item))
    }
    items.sort { ($0.item.name, $0.offset) < ($1.item.name, $1.offset) }
    let pieces = [request.path] + items.flatMap { [$0.item.name, $0.item.value] }
    return pieces.joined(separator: "\0")
  }

  /// Parameters that say how a result is followed, not what is asked for.
  static let streamParameters: Set<String> = ["lastEventID", "deltas", "access"]
}

extension QueryParameters {
  /// A read's parameters: those of following it are taken out.
  public static func ofRead(_ request: Request) -> QueryParameters {
    var parameters = QueryParameters(request)
    _ = parameters.string("lastEventID")
    _ = parameters.bool("deltas")
    _ = parameters.string("access")
    return parameters
  }
}

extension Request {
  /// The path's `{name}` as an id. Throws an ``APIProblem`` where it is none, and a `RouteError` where the route's pattern
  /// has no parameter of that name.
  public func id(_ name: String) throws -> Int {
    guard let text = parameter(name) else {
      throw RouteError.noParameter(name, pattern: route ?? path)
    }
    // One way to write a number: other ones would be other URLs, and other live queries, for one thing.
    guard let id = integer(name), id > 0, String(id) == text else {
      throw APIProblem(
        .invalidParameter, "The path has an id that is none.",
        errors: [
          FieldError(
            .parameter(name),
            "expected a whole number from 1, got \(shown(text))")
        ])
    }
    return Int(id)
  }
}
