import MartletHTTP

/// A route as a value: a method, a path pattern and what it does.
///
/// ``read(_:on:needs:parts:audience:_:)`` creates a `GET` whose result can also be streamed,
/// ``feed(_:needs:parts:audience:_:)`` one whose entries can be followed, and
/// ``write(_:_:needs:parts:_:)`` a change.
public struct Route: Sendable {
  /// Answers a request. The `RequestContext` is only valid during the call.
  public typealias Handler = @Sendable (Request, RequestContext, Context) -> Outcome

  enum Kind: Sendable {
    /// A `GET` whose result can also be streamed.
    case read(ReadRoute)
    /// A `GET` of the entries after a token, as a page or as an event stream without end.
    case feed(FeedRoute)
    case write(WriteRoute)
    case download(Download.Parse)
    /// Several reads on one event stream.
    case bundle
    /// Several changes in one transaction.
    case batch
    /// Makes a live session.
    case liveSession
    /// Makes a pairing code, or trades one for a key.
    case pairing(Pairing)
    /// A change that a token in the body permits.
    case token(TokenRoute)
    /// A request of another protocol.
    case exchange(ExchangeRoute)
    /// Any other route: health, metrics, documents.
    case plain(Handler)
  }

  /// The method of the route.
  public let method: Method
  /// The pattern of its paths, such as `/v1/lists/{id}`.
  public let pattern: String
  let kind: Kind
  /// The rights that callers need; `nil` permits everyone.
  var need: RequiredRights?
  /// The outermost middleware is first.
  var middleware: [Middleware] = []
  /// The largest body in bytes; `nil` for that of the server.
  var bodyLimit: Int?
  /// Whether its body may be as large as ``APISettings/uploadBytes``.
  var isUpload: Bool { if case .write(let route) = kind { route.isUpload } else { false } }

  /// Whether it can be an event stream.
  var isLive: Bool {
    switch kind {
    case .read, .feed, .bundle: true
    case .write, .download, .batch, .liveSession, .pairing, .token, .exchange, .plain: false
    }
  }

  /// A `GET` whose result is sent as JSON or as an event stream. Callers need the scope `scope`.
  ///
  /// `parts` says what the route does for callers that are limited to parts of the data. `audience`
  /// says which callers may share one result. Use ``Audience/everyone`` or ``Audience/parts`` where
  /// that is correct: then the result is read once for all of them.
  public static func read(
    _ pattern: String, on place: ReadRoute.Place = .loop, needs scope: Rights.Scope = .read,
    parts: PartsRule = .refused, audience: Audience = .caller, _ parse: @escaping ReadRoute.Parse
  ) -> Route {
    Route(
      method: .get, pattern: pattern,
      kind: .read(ReadRoute(place: place, audience: audience, parse: parse)),
      need: RequiredRights(scope: scope, parts: parts, isLive: true))
  }

  /// A `GET` of the entries of a feed after a token: a page of them as JSON, or an event stream of
  /// all of them, now and in the future. Callers need the scope `scope`.
  ///
  /// ```
  /// GET /journal?since=41      → {"entries": [{"id": 42, …}, …], "next": "42"}
  ///
  /// GET /journal?since=41
  /// Accept: text/event-stream  → id: 42
  ///                              event: changes
  ///                              data: {"entries": [{"id": 42, …}], "next": "42"}
  /// ```
  ///
  /// The first event is sent at once, even if its page is empty, so that the client knows its
  /// token. Each further event is a page with entries: at once as long as there are more, and then
  /// after each commit that adds some. Its ID is the token after the page. A client that reconnects
  /// with `Last-Event-ID` (or `lastEventID`, or `since`) gets each entry exactly once.
  /// ``FeedSource`` says what a route provides.
  ///
  /// An error of the first page is the response. Later it is a `problem` event and ends the stream.
  /// If the server has no time to read a page, the stream ends with a `bye` event, and the client
  /// reconnects.
  ///
  /// A feed has no `deltas`, and cannot be part of a bundle. `parts` and `audience` are as in
  /// ``read(_:on:needs:parts:audience:_:)``.
  public static func feed(
    _ pattern: String, needs scope: Rights.Scope = .read, parts: PartsRule = .refused,
    audience: Audience = .caller,
    _ parse: @escaping @Sendable (Request, Context) throws -> FeedSource
  ) -> Route {
    Route(
      method: .get, pattern: pattern, kind: .feed(FeedRoute(audience, parse)),
      need: RequiredRights(scope: scope, parts: parts, isLive: true))
  }

  /// A change: `POST`, `PUT`, `PATCH` or `DELETE`.
  ///
  /// Callers need the scope `scope`: `admin` for what a key for changes must not do. `parts` says
  /// what the route does for callers that are limited to parts of the data.
  public static func write(
    _ method: Method, _ pattern: String, needs scope: Rights.Scope = .write,
    parts: PartsRule = .refused, _ parse: @escaping WriteRoute.Parse
  ) -> Route {
    Route(
      method: method, pattern: pattern, kind: .write(WriteRoute(parse: parse)),
      need: RequiredRights(scope: scope, parts: parts))
  }

  /// A `POST` of a file of up to ``APISettings/uploadBytes``, which cannot be part of a batch.
  ///
  /// `parse` runs on a background thread, one upload at a time, and does all the work that does not
  /// need the database. Callers need the scope `scope` and a key that is not limited to parts of
  /// the data.
  public static func upload(
    _ pattern: String, needs scope: Rights.Scope, _ parse: @escaping WriteRoute.Parse
  ) -> Route {
    let route = WriteRoute(isPart: false, isUpload: true) { request, context in
      try Body.checkCoding(request)
      return try parse(request, context)
    }
    return Route(
      method: .post, pattern: pattern, kind: .write(route),
      need: RequiredRights(scope: scope, parts: .refused))
  }

  /// A `GET` of a file, which is produced in constant memory. Callers need the scope `scope`.
  /// `parts` says what the route does for callers that are limited to parts of the data.
  public static func download(
    _ pattern: String, needs scope: Rights.Scope = .read, parts: PartsRule = .refused,
    _ parse: @escaping Download.Parse
  ) -> Route {
    Route(
      method: .get, pattern: pattern, kind: .download(parse),
      need: RequiredRights(scope: scope, parts: parts))
  }

  /// A `GET` of several reads on one event stream: `?name=/v1/…&name=/v1/…`. Each read is
  /// authorized separately.
  public static func bundle(_ pattern: String) -> Route {
    Route(
      method: .get, pattern: pattern, kind: .bundle,
      need: RequiredRights(scope: .read, parts: .respected, isLive: true))
  }

  /// A `POST` of several changes in one transaction. Each change is authorized separately.
  ///
  /// ```json
  /// {"operations": [
  ///   {"name": "attic", "method": "POST", "path": "/rooms", "body": {"name": "Attic"}},
  ///   {"method": "DELETE", "path": "/rooms/7", "ifMatch": "\"3f0c…\""}
  /// ]}
  /// ```
  ///
  /// Later operations refer to the row that `attic` creates as `/rooms/{attic}` in a path and as
  /// `{"$id": "attic"}` in a body.
  public static func batch(_ pattern: String) -> Route {
    Route(
      method: .post, pattern: pattern, kind: .batch,
      need: RequiredRights(scope: .write, parts: .respected))
  }

  /// A `POST` that creates a live session: a secret for the query parameter `access` of event
  /// streams, because an `EventSource` cannot send header fields.
  ///
  /// The session permits what its key permits to read. It ends with its key, after
  /// ``Gate/Settings/sessionLifetime`` at the latest.
  public static func liveSessions(_ pattern: String) -> Route {
    Route(
      method: .post, pattern: pattern, kind: .liveSession,
      need: RequiredRights(scope: .read, parts: .respected))
  }

  /// A `POST` that needs no key, because its body has a token that permits what it asks for.
  ///
  /// Pages of every origin may use it: it depends on nothing that a browser adds to a request.
  /// Wrong tokens are counted like wrong keys (``Gate/Settings/failuresPerMinute``).
  public static func token(_ pattern: String, _ parse: @escaping TokenRoute.Parse) -> Route {
    Route(method: .post, pattern: pattern, kind: .token(TokenRoute(parse: parse)), need: nil)
  }

  /// A route that `answer` handles directly, on the event loop. The response has only the fields
  /// that `answer` gives it.
  ///
  /// By default callers need a key with the scope `read` for a method that only reads, and `write`
  /// for others. ``KeyNeed/noKey`` opens the route to everyone, also to pages of other origins.
  public static func plain(
    _ method: Method, _ pattern: String, needs need: KeyNeed? = nil, parts: PartsRule = .refused,
    _ answer: @escaping Handler
  ) -> Route {
    let scope = need.map(\.scope) ?? (method.isSafe ? .read : .write)
    return Route(
      method: method, pattern: pattern, kind: .plain(answer),
      need: scope.map { RequiredRights(scope: $0, parts: parts) })
  }
}

extension Route {
  /// A route of another protocol. Callers need the scope `scope`, and may send a key as the
  /// password of the Basic scheme (RFC 7617), with any user name.
  ///
  /// Browsers send such passwords by themselves. So a request that a page of another origin has
  /// caused is refused, reads as well.
  ///
  /// - Parameters:
  ///   - method: The method. One that is not safe is forwarded to the primary of a cluster.
  ///   - pattern: The path, with names in braces: `/dav/lists/{name}`.
  ///   - scope: The scope that a key needs.
  ///   - parts: What the route does for callers that are limited to parts of the data.
  ///   - isOpenToSessions: Whether a live session suffices, in the query parameter `access`.
  ///   - bodyLimit: The largest body in bytes; `nil` for that of the server.
  ///   - parse: Reads the request and returns its work.
  public static func exchange(
    _ method: Method, _ pattern: String, needs scope: Rights.Scope = .read,
    parts: PartsRule = .refused, isOpenToSessions: Bool = false, bodyLimit: Int? = nil,
    _ parse: @escaping ExchangeRoute.Parse
  ) -> Route {
    let exchange = ExchangeRoute(isChange: !method.isSafe, parse: parse)
    var route = Route(
      method: method, pattern: pattern, kind: .exchange(exchange),
      need: RequiredRights(scope: scope, parts: parts, isLive: isOpenToSessions))
    route.bodyLimit = bodyLimit
    return route
  }

  /// Whether a key may come as a password.
  var takesPasswords: Bool { if case .exchange = kind { true } else { false } }
}
