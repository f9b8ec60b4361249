import MartletHTTP
import MartletLiveQueries
import MartletStore
import MartletTime

/// Answers requests with ``Route`` values, using a database, its live queries, a response cache and
/// an optional ``Gate``.
///
/// ``register(_:on:)`` adds routes to a router. ``Service`` creates an `API` with everything else
/// that a server needs.
public final class API: Sendable {
  /// The limits and options of an API.
  public typealias Settings = APISettings

  let context: Context
  let gate: Gate?
  let routes = RouteTable()
  private let database: any ServerDatabase
  let streams: LiveStreams
  let reads: ReadAnswers
  private let writes: WriteAnswers
  private let downloads: DownloadSlots
  /// Of other protocols. Clients make many of them, so they take no places of exports.
  private let documents: DownloadSlots

  /// Creates an API without routes.
  ///
  /// `translate` converts the errors of the service into problems; it returns `nil` for errors that
  /// it does not know. Without a `gate` every caller has the scope `admin`. With a `cluster`, other
  /// machines serve the same data. `onEvent` is called on any thread for each fault, each refused
  /// request and each cache hit. By default faults and refusals are written to standard error.
  public init(
    database: any ServerDatabase, live: LiveQueries, clock: MartletTime.Clock = .system,
    settings: Settings = Settings(), gate: Gate? = nil,
    cluster: (any ServiceCluster)? = nil,
    translate: @escaping @Sendable (any Error) -> APIProblem? = { _ in nil },
    onEvent: @escaping @Sendable (APIEvent) -> Void = APIEvent.log
  ) {
    self.database = database
    self.gate = gate
    context = Context(
      clock: clock, settings: settings, database: database, cluster: cluster, translate: translate,
      onEvent: onEvent)
    streams = LiveStreams(live, context)
    let cache =
      settings.responseCacheBytes > 0
      ? ResponseCache(
        database.invalidation, loops: database.loops, bytes: settings.responseCacheBytes,
        onEvent: onEvent)
      : nil
    reads = ReadAnswers(database, context, routes, streams, cache)
    writes = WriteAnswers(database, context, routes)
    downloads = DownloadSlots(most: settings.downloads)
    documents = DownloadSlots(most: settings.documents, perClient: settings.documentsPerClient)
  }

  /// Adds routes to `router`. Throws a `RouteError` if a route's pattern is invalid, or if the
  /// router already has a route for the same method and paths.
  public func register(_ routes: [Route], on router: inout Router) throws(RouteError) {
    for route in routes {
      let pattern = try PathPattern(route.pattern)
      try self.routes.add(route, pattern)
      let limit = route.isUpload ? context.settings.uploadBytes : route.bodyLimit
      var admission: Router.Handler?
      if route.need != nil {
        admission = { [self] request, loop in
          admit(named(request), to: route, loop, isBeforeBody: true)
        }
      }
      router.on(route.method, pattern, bodyLimit: limit, admit: admission) {
        [self] request, loop in
        if isStillAdmitted(request) { return answer(request, route, loop) }
        return admit(
          request.id.isEmpty ? named(request) : request, to: route, loop, isBeforeBody: false)
      }
    }
    router.missed = { [self] miss, request, _ in missed(miss, request) }
  }

  /// Whether the caller was admitted earlier, such as before the body was read, and its key was not
  /// revoked since.
  func isStillAdmitted(_ request: Request) -> Bool {
    request.caller != nil && !request.access.isEnded && gate?.isStale != true
  }

  /// Answers a request whose caller has been admitted.
  func answer(_ request: Request, _ route: Route, _ loop: RequestContext) -> Outcome {
    detour(request, route) ?? answerHere(request, route, loop)
  }

  /// Answers a request on this machine.
  func answerHere(_ request: Request, _ route: Route, _ loop: RequestContext) -> Outcome {
    var outcome = outcome(request, route, loop)
    if route.middleware.isEmpty { return outcome }
    for middleware in route.middleware.reversed() {
      outcome = middleware.after(request, outcome, context)
    }
    return outcome
  }

  private func outcome(_ request: Request, _ route: Route, _ loop: RequestContext) -> Outcome {
    switch route.kind {
    case .read(let read): reads.answer(request, read, loop)
    case .feed(let feed): reads.answer(request, feed, loop)
    case .write(let write): writes.answer(request, write)
    case .bundle: reads.answerBundle(request)
    case .batch: writes.answerBatch(request)
    case .download(let parse):
      DownloadAnswer.outcome(request, parse, downloads, database, context)
    case .liveSession: LiveSession.answer(request, gate, writes, loop, context)
    case .pairing(let pairing): pairing.answer(request, gate, writes, loop, context)
    case .token(let token): token.answer(request, gate, writes, loop, context)
    case .exchange(let exchange):
      ExchangeAnswers(
        database: database, context: context, writes: writes, documents: documents
      ).answer(request, exchange)
    case .plain(let answer): answer(request, loop, context)
    }
  }

  private func named(_ request: Request) -> Request {
    var request = request
    request.id = context.requestID(request)
    request.jsonDepth = context.settings.jsonDepth
    return request
  }

  private func missed(_ miss: Router.Miss, _ request: Request) -> Response {
    let id = context.requestID(request)
    switch miss {
    case .notFound:
      var detail = "There is nothing at this path."
      if let near = routes.suggestion(for: request.path) {
        detail += " Did you mean \(near)?"
      } else if let description = context.settings.description {
        detail += " \(description) lists all paths."
      }
      return context.answer(APIProblem.notFound(detail), id)
    case .methodNotAllowed(let allow):
      var response = context.answer(
        APIProblem(.methodNotAllowed, "This path supports \(allow)."), id)
      response.fields.append("Allow", allow)
      return response
    case .options(let allow):
      var fields = AnswerFields.done
      fields.append("Allow", allow)
      fields.append("X-Request-ID", id)
      return Response(.noContent, fields)
    }
  }
}
