import Glibc
import MartletHTTP
import MartletLiveQueries
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// What routes need to answer: the database, its live queries, the clock. Routes are added to a router
/// by ``register(_:on:)``.
public final class API: Sendable {
  public let database: EmbeddedDatabase
  public let live: LiveQueries
  public let clock: MartletTime.Clock
  public let settings: Settings
  let channels: ChannelRegistry
  let bundles: BundleRegistry
  private let reads = Mutex(RegisteredRoutes<ReadRoute>())
  private let writes = Mutex(RegisteredRoutes<WriteRoute>())
  /// Those of all routes.
  private let patterns = Mutex<[Suggestion.Pattern]>([])
  /// The settings' times in nanoseconds, as each request needs them.
  let loopBudget: UInt64
  let readBudget: UInt64
  let slowReads = SlowReads()
  /// `nil` where no results are kept.
  let hot: HotReads?
  let downloads: DownloadLane
  let uploads = UploadLane()
  /// Where large answers are compressed: each that waits has its body in memory, which has a bound
  /// (`MartletStore.Settings.resultBytes`).
  let compressor = Verifier(width: 2, waiting: 16)
  private let translate: @Sendable (any Error) -> APIProblem?
  private let onEvent: @Sendable (APIEvent) -> Void
  let gate: Gate?
  let ids: RequestIDs
  private let refusals = Mutex<[ProblemType: RefusalCount]>([:])

  public struct Settings: Sendable {
    /// How long a read may keep its event loop before it goes to a worker.
    public var loopBudget: Duration = .milliseconds(4)
    /// How long a read may take in all; longer ones are interrupted.
    public var readTimeout: Duration = .seconds(5)
    /// How long a stream of several queries waits for one that is behind the others.
    public var bundlePatience: Duration = .seconds(1)
    /// How deep arrays and objects of a body may lie inside each other.
    public var jsonDepth = 64
    /// Bodies from this size on are compressed for those who like it.
    public var gzipFrom = 1024
    /// Whether a `POST` with an `Idempotency-Key` that comes again within a day gets the answer that it had.
    /// The database then has the table ``APITables/keptAnswers``.
    public var keepsAnswers = false
    /// How many answers are kept; the oldest go first.
    public var keptAnswers = 10_000
    /// How many bytes of results are kept for those who ask again; 0: none.
    public var keptResultBytes = 8 << 20
    /// How many large files may wait for their clients at once, on the disk.
    public var downloads = 4
    /// How large a file may be that is imported.
    public var uploadBytes = 4 << 20
    /// The path of the document that describes the API, which an unknown path is answered with: `/openapi.yaml`.
    public var description: String?
    /// The zone that decides what today is for requests that name none.
    public var timeZone = ZoneInfo.utc
    /// What a word of a path calls one of what lies behind it: with `["lists": "list"]` a 404 of `/v1/lists/7` says that
    /// there is no list 7.
    public var nouns: [String: String] = [:]
    /// A sentence behind the `detail` of a kind of problems: which setting an operator may turn.
    public var hints: [ProblemType: String] = [:]
    /// Origins whose pages may write, besides the server's own.
    public var allowedOrigins: Set<String> = []

    public init() {}
  }

  /// `translate` says what the domain's errors are in terms of problems. Without a `gate` everybody may do
  /// everything. `onEvent` hears of faults and limits at work, on any thread; by default standard error has them.
  public init(
    database: EmbeddedDatabase, live: LiveQueries, clock: MartletTime.Clock = .system,
    settings: Settings = Settings(), gate: Gate? = nil,
    translate: @escaping @Sendable (any Error) -> APIProblem? = { _ in nil },
    onEvent: @escaping @Sendable (APIEvent) -> Void = APIEvent.tell
  ) {
    self.database = database
    self.live = live
    self.clock = clock
    self.settings = settings
    loopBudget = settings.loopBudget.wholeNanoseconds
    readBudget = settings.readTimeout.wholeNanoseconds
    self.gate = gate
    self.translate = translate
    self.onEvent = onEvent
    hot =
      settings.keptResultBytes > 0
      ? HotReads(
        HotResults(database), loops: database.loops, bytes: settings.keptResultBytes,
        onEvent: onEvent)
      : nil
    downloads = DownloadLane(most: settings.downloads)
    channels = ChannelRegistry(live)
    bundles = BundleRegistry(live)
    ids = RequestIDs(start: UInt64(clock.now().milliseconds))
  }

  public func register(_ routes: [Route], on router: inout Router) {
    for route in routes {
      let pattern = PathPattern(route.pattern)
      patterns.withLock { $0.append(Suggestion.Pattern(route.pattern)) }
      switch route.kind {
      case .read(let read): reads.withLock { $0.add(route, pattern, read) }
      case .write(let write):
        if write.isPart { writes.withLock { $0.add(route, pattern, write) } }
      case .plain: break
      }
      let limit = route.isUpload ? settings.uploadBytes : nil
      var admission: Router.Handler?
      if route.need != nil {
        admission = { [self] request, context in
          admit(named(request), to: route, context, isBeforeBody: true)
        }
      }
      router.on(route.method, pattern, bodyLimit: limit, admit: admission) {
        [self] request, context in
        // Let in before its body was read; unless the key was revoked meanwhile.
        if request.caller != nil, !request.access.isEnded {
          return route.answer(request, context, self)
        }
        return admit(
          request.id.isEmpty ? named(request) : request, to: route, context, isBeforeBody: false)
      }
    }
    router.missed = { [self] miss, request, _ in missed(miss, request) }
  }

  /// What a `GET` of `target` would be answered with; `nil` where no route reads it.
  func source(_ target: String, for request: Request) throws -> LiveSource? {
    var sub: Request
    do throws(ProtocolError) {
      sub = try Request(.get, target: target, peer: request.peer)
    } catch {
      return nil
    }
    sub.caller = request.caller
    guard let route = try reads.withLock({ $0 }).best(for: sub) else { return nil }
    var source = try route.source(sub, self)
    source.client = request.clientNumber
    return source
  }

  /// Does what a part of a batch asks for.
  func write(_ request: Request, on connection: Connection) throws -> WrittenAnswer {
    let routes = writes.withLock { $0 }
    guard let route = try routes.best(for: request) else {
      throw routes.isThere(request)
        ? APIProblem(.methodNotAllowed, "This path is not there for \(request.method).")
        : APIProblem.notFound("There is nothing at this path that could be changed.")
    }
    return try route.perform(request, on: connection, self)
  }

  /// Answers with what `body` gives in the writer's transaction, when that is durable.
  func submit(
    for request: Request, _ responder: Responder,
    _ body: @escaping @Sendable (Connection) throws -> Response
  ) {
    submit(for: request, responder, body) { responder.respond($0) }
  }

  /// Runs `body` in the writer's transaction and `next` on the writer's thread when that is durable; where it fails, the
  /// request is answered with what it was. It may have waited, and its key been revoked meanwhile: that is asked in
  /// the same transaction. A request that was given up (``Limits/handlerTimeout``, a client that is gone) is not
  /// done.
  ///
  /// `hasBegun`: an earlier part of the change is durable already, which the answer to a failure says.
  func submit<T: Sendable>(
    for request: Request, _ responder: Responder, hasBegun: Bool = false,
    _ body: @escaping @Sendable (Connection) throws -> T,
    next: @escaping @Sendable (T) -> Void
  ) {
    let access = request.access
    do throws(WriteError) {
      try database.submit(client: request.clientNumber) { [clock] connection in
        guard !responder.isCancelled else { throw CancellationError() }
        try access.check(at: clock.now(), in: connection)
        let value = try body(connection)
        guard responder.commit() else { throw CancellationError() }
        return value
      } completion: { result in
        switch result {
        case .success(let value): next(value)
        // Nobody waits for an answer.
        case .failure(is CancellationError): break
        case .failure(let error): responder.respond(failure(error, hasBegun))
        }
      }
    } catch {
      responder.respond(failure(error, hasBegun))
    }
    @Sendable func failure(_ error: any Error, _ hasBegun: Bool) -> Response {
      var problem = problem(of: error, request.id)
      if hasBegun { problem.detail = "A part of the change was done. Repeat the request to go on." }
      return document(problem, request.id)
    }
  }

  private func named(_ request: Request) -> Request {
    var request = request
    request.id = requestID(request)
    request.jsonDepth = settings.jsonDepth
    return request
  }

  /// The client's own id where it is a token, else a new one.
  private func requestID(_ request: Request) -> String {
    if let id = request.fields["X-Request-ID"], (1...128).contains(id.utf8.count),
      id.utf8.allSatisfy({ isNameCharacter($0) || $0 == UInt8(ascii: ".") })
    {
      return id
    }
    return ids.next()
  }

  private func missed(_ miss: Router.Miss, _ request: Request) -> Response {
    let id = requestID(request)
    switch miss {
    case .notFound:
      var detail = "There is nothing at this path."
      if let near = Suggestion.path(for: request.path, among: patterns.withLock { $0 }) {
        detail += " Did you mean \(near)?"
      } else if let description = settings.description {
        detail += " \(description) describes what there is."
      }
      return answer(to: APIProblem.notFound(detail), id)
    case .methodNotAllowed(let allow):
      var response = answer(
        to: APIProblem(.methodNotAllowed, "This path is there for \(allow)."), id)
      response.fields.append("Allow", allow)
      return response
    case .options(let allow):
      var fields = AnswerFields.done
      fields.append("Allow", allow)
      fields.append("X-Request-ID", id)
      return Response(.noContent, fields)
    }
  }

  // MARK: Problems

  /// The problem that an error is, where it is one that the client can be told.
  func refusal(of error: any Error) -> APIProblem? {
    guard var problem = translate(error) ?? APIProblem.of(error) else { return nil }
    if let hint = settings.hints[problem.type] { problem.detail += " " + hint }
    return problem
  }

  /// What a client is told of a fault: nothing internal.
  static let fault = APIProblem(
    .internalError,
    "Something went wrong here. The server's log has the reason, under this instance.")

  /// The problem that an error is; faults are told to the operator and kept from the client.
  func problem(of error: any Error, _ id: String) -> APIProblem {
    if let problem = refusal(of: error) {
      if problem.type.status.rawValue >= 500 {
        onEvent(
          problem.type.isRefusal
            ? .refused(problem.type, toTell: count(problem.type))
            : .failed(request: id, problem.type, error))
      }
      return problem
    }
    onEvent(.failed(request: id, .internalError, error))
    return API.fault
  }

  private func count(_ type: ProblemType) -> Int? {
    let now = clock.monotonic()
    return refusals.withLock { $0[type, default: RefusalCount()].add(at: now) }
  }

  /// A problem as the answer to a request.
  public func answer(_ problem: APIProblem, to request: Request) -> Response {
    answer(to: problem, request.id)
  }

  func answer(to error: any Error, _ id: String) -> Response {
    document(problem(of: error, id), id)
  }

  private func document(_ problem: APIProblem, _ id: String) -> Response {
    var response = problem.document(instance: id).response()
    response.fields.append("X-Request-ID", id)
    return response
  }
}

/// Letters, digits, `-` and `_`: what names that clients make up consist of.
func isNameCharacter(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
    true
  default: false
  }
}

/// Something that happened while requests were answered.
public enum APIEvent: Sendable {
  /// An answer of 500 or above: what the client is told, and the error behind it, which it is not.
  case failed(request: String, ProblemType, any Error)
  /// An answer of 500 or above that is a limit at work (``ProblemType/isRefusal``). `toTell`: how many of its kind there
  /// were since the last number; `nil` within a second of that.
  case refused(ProblemType, toTell: Int?)
  /// A result was there from an earlier request.
  case answeredFromKept

  /// Tells on standard error what went wrong, with the request's id, and how often limits worked.
  @Sendable public static func tell(_ event: APIEvent) {
    switch event {
    case .failed(let request, let type, let error):
      StandardError.tell("request \(request) failed (\(type.slug)): \(error)")
    case .refused(let type, let count?):
      StandardError.tell("refused (\(type.slug)): \(count) requests")
    case .refused(_, nil), .answeredFromKept: break
    }
  }
}

/// The fields that all answers of a kind have.
enum AnswerFields {
  static let json = Fields([
    "Content-Type": "application/json",
    "Vary": "Accept, Accept-Encoding",
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
  ])
  /// The same without content: 304.
  static let unchanged = Fields([
    "Vary": "Accept, Accept-Encoding",
    "Cache-Control": "no-cache",
  ])
  static let download = Fields([
    "Vary": "Accept, Accept-Encoding",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  ])
  static let written = Fields([
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  ])
  /// Without content: 204.
  static let done = Fields(["Cache-Control": "no-store"])
  static let varies = "Accept, Accept-Encoding"
}
