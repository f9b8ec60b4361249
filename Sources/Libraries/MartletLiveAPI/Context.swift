import MartletHTTP
import MartletStore
import MartletTime
import Synchronization

/// The parts of a service that routes use: the clock, the settings, the database, and the
/// conversion of errors into responses.
///
/// The caller is part of the request (`MartletHTTP.Request.access`).
public final class Context: Sendable {
  /// The clock of the service.
  public let clock: MartletTime.Clock
  /// The settings of the API.
  public let settings: APISettings
  /// The database, for routes that an `async` function answers
  /// (``Route/async(_:_:needs:parts:_:)``).
  ///
  /// Other routes return what to read or to change, so that their results are cached and followed.
  /// Do not use it in them: they run on an event loop, which must not block.
  public let database: any ServerDatabase
  /// The other machines of the service; `nil` for a service on one machine.
  let cluster: (any ServiceCluster)?
  let ids: RequestIDs
  private let translate: @Sendable (any Error) -> APIProblem?
  private let onEvent: @Sendable (APIEvent) -> Void
  private let refusals = Mutex<[ProblemType: RefusalCount]>([:])

  init(
    clock: MartletTime.Clock, settings: APISettings, database: any ServerDatabase,
    cluster: (any ServiceCluster)? = nil,
    translate: @escaping @Sendable (any Error) -> APIProblem?,
    onEvent: @escaping @Sendable (APIEvent) -> Void
  ) {
    self.clock = clock
    self.settings = settings
    self.database = database
    self.cluster = cluster
    self.translate = translate
    self.onEvent = onEvent
    ids = RequestIDs(start: UInt64(clock.now().milliseconds))
  }

  /// The client's `X-Request-ID` if it is a token of at most 128 characters, else a new ID.
  func requestID(_ request: Request) -> String {
    if let id = request.fields["X-Request-ID"], (1...128).contains(id.utf8.count),
      id.utf8.allSatisfy({ isNameCharacter($0) || $0 == UInt8(ascii: ".") })
    {
      return id
    }
    return ids.next()
  }

  func report(_ event: APIEvent) { onEvent(event) }

  // MARK: Problems

  /// The problem that a client receives for a fault. It reveals nothing internal.
  static let fault = APIProblem(
    .internalError,
    "Internal error. The server's log has the details under this request ID.")

  /// The problem that describes `error` to the client, including the hint for its type
  /// (``APISettings/hints``); `nil` for a fault.
  public func refusal(of error: any Error) -> APIProblem? {
    guard var problem = translate(error) ?? APIProblem.of(error) else { return nil }
    if let hint = settings.hints[problem.type] { problem.detail += " " + hint }
    return problem
  }

  /// The problem for `error`. Reports responses of 500 and above as events; the client learns
  /// nothing about the cause of a fault.
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
    return Context.fault
  }

  private func count(_ type: ProblemType) -> Int? {
    let now = clock.monotonic()
    return refusals.withLock { $0[type, default: RefusalCount()].add(at: now) }
  }

  /// The response to `request` for an error: a problem document (RFC 9457).
  public func answer(_ error: any Error, to request: Request) -> Response {
    answer(error, request.id)
  }

  func answer(_ error: any Error, _ id: String) -> Response {
    if let refusal = error as? ExchangeRefusal {
      var response = refusal.response
      response.fields.append("X-Request-ID", id)
      return response
    }
    return document(problem(of: error, id), id)
  }

  func document(_ problem: APIProblem, _ id: String) -> Response {
    var response = problem.document(instance: id, realm: settings.realm).response()
    response.fields.append("X-Request-ID", id)
    return response
  }

  /// The same, with the `Vary` field of a resource that has several representations.
  func varied(_ error: any Error, to request: Request) -> Response {
    var response = answer(error, to: request)
    response.fields.append("Vary", AnswerFields.varies)
    return response
  }
}
