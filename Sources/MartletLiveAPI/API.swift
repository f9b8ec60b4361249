import MartletHTTP
import MartletLiveQueries
import MartletStore
import MartletTime

/// Answers requests by routes that are values: the database, its live queries, its cache and its gate, put together.
/// Routes are added to a router by ``register(_:on:)``.
public final class API: Sendable {
  public typealias Settings = APISettings

  let context: Context
  let gate: Gate?
  private let routes = RouteTable()
  private let database: any ServerDatabase
  let streams: LiveStreams
  let reads: ReadAnswers
  private let writes: WriteAnswers
  private let downloads: DownloadSlots

  /// `translate` says what the domain's errors are in terms of problems. Without a `gate` everybody may do
  /// everything. `onEvent` hears of faults and limits at work, on any thread; by default standard error has them.
  public init(
    database: any ServerDatabase, live: LiveQueries, clock: MartletTime.Clock = .system,
    settings: Settings = Settings(), gate: Gate? = nil,
    translate: @escaping @Sendable (any Error) -> APIProblem? = { _ in nil },
    onEvent: @escaping @Sendable (APIEvent) -> Void = APIEvent.log
  ) {
    self.database = database
    self.gate = gate
    context = Context(clock: clock, settings: settings, translate: translate, onEvent: onEvent)
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
  }

  /// Throws where a route's path is none, or there is a route for it already.
  public func register(_ routes: [Route], on router: inout Router) throws(RouteError) {
    for route in routes {
      let pattern = try PathPattern(route.pattern)
      try self.routes.add(route, pattern)
      let limit = route.isUpload ? context.settings.uploadBytes : nil
      var admission: Router.Handler?
      if route.need != nil {
        admission = { [self] request, loop in
          admit(named(request), to: route, loop, isBeforeBody: true)
        }
      }
      router.on(route.method, pattern, bodyLimit: limit, admit: admission) {
        [self] request, loop in
        // Let in before its body was read; unless the key was revoked meanwhile.
        if request.caller != nil, !request.access.isEnded {
          return answer(request, route, loop)
        }
        return admit(
          request.id.isEmpty ? named(request) : request, to: route, loop, isBeforeBody: false)
      }
    }
    router.missed = { [self] miss, request, _ in missed(miss, request) }
  }

  /// A request that was let in.
  func answer(_ request: Request, _ route: Route, _ loop: RequestContext) -> Outcome {
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
    case .write(let write): writes.answer(request, write)
    case .bundle: reads.answerBundle(request)
    case .batch: writes.answerBatch(request)
    case .download(let parse):
      DownloadAnswer.outcome(request, parse, downloads, database, context)
    case .liveSession: LiveSession.answer(request, gate, writes, loop, context)
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
        detail += " \(description) describes what there is."
      }
      return context.answer(APIProblem.notFound(detail), id)
    case .methodNotAllowed(let allow):
      var response = context.answer(
        APIProblem(.methodNotAllowed, "This path is there for \(allow)."), id)
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
