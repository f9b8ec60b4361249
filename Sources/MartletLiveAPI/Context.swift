import MartletHTTP
import MartletTime
import Synchronization

/// What a route is given of its service: the clock, the settings, and how an error becomes an answer.
///
/// Who asks is a part of the request (``MartletHTTP/Request/access``).
public final class Context: Sendable {
  public let clock: MartletTime.Clock
  public let settings: APISettings
  let ids: RequestIDs
  private let translate: @Sendable (any Error) -> APIProblem?
  private let onEvent: @Sendable (APIEvent) -> Void
  private let refusals = Mutex<[ProblemType: RefusalCount]>([:])

  init(
    clock: MartletTime.Clock, settings: APISettings,
    translate: @escaping @Sendable (any Error) -> APIProblem?,
    onEvent: @escaping @Sendable (APIEvent) -> Void
  ) {
    self.clock = clock
    self.settings = settings
    self.translate = translate
    self.onEvent = onEvent
    ids = RequestIDs(start: UInt64(clock.now().milliseconds))
  }

  /// The client's own id where it is a token, else a new one.
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

  /// What a client is told of a fault: nothing internal.
  static let fault = APIProblem(
    .internalError,
    "Something went wrong here. The server's log has the reason, under this instance.")

  /// The problem that an error is, where it is one that the client can be told; `nil` for a fault.
  public func refusal(of error: any Error) -> APIProblem? {
    guard var problem = translate(error) ?? APIProblem.of(error) else { return nil }
    if let hint = settings.hints[problem.type] { problem.detail += " " + hint }
    return problem
  }

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
    return Context.fault
  }

  private func count(_ type: ProblemType) -> Int? {
    let now = clock.monotonic()
    return refusals.withLock { $0[type, default: RefusalCount()].add(at: now) }
  }

  /// An error as the answer to a request: a problem document (RFC 9457).
  public func answer(_ error: any Error, to request: Request) -> Response {
    answer(error, request.id)
  }

  func answer(_ error: any Error, _ id: String) -> Response {
    document(problem(of: error, id), id)
  }

  func document(_ problem: APIProblem, _ id: String) -> Response {
    var response = problem.document(instance: id).response()
    response.fields.append("X-Request-ID", id)
    return response
  }

  /// The same for a resource that has several representations.
  func varied(_ error: any Error, to request: Request) -> Response {
    var response = answer(error, to: request)
    response.fields.append("Vary", AnswerFields.varies)
    return response
  }
}
