import MartletHTTP
import MartletJSON
import MartletSQLite
import MartletStore

/// A `POST`, `PUT`, `PATCH` or `DELETE`: a change in the writer's transaction, answered when it is
/// durable.
public struct WriteRoute: Sendable {
  /// Writes what `GET` of an URL answers; false where there is nothing.
  public typealias Current = @Sendable (Connection, ByteBuffer) throws -> Bool

  /// What a request asks for, as a value that can run more than once.
  public struct Change: Sendable {
    /// What `If-Match` and `If-None-Match` are compared with: what `GET` of the URL without parameters
    /// answers.
    var current: Current?
    /// Members of the body that may only say what is stored.
    var readOnly: [JSONObject.Member]
    /// For a change that is too large for one transaction: does a portion of it that can stand by itself. False where
    /// ``perform`` can do what is left.
    var portion: (@Sendable (Connection) throws -> Bool)?
    var perform: @Sendable (Connection) throws -> Done

    public init(
      current: Current? = nil, readOnly: [JSONObject.Member] = [],
      portion: (@Sendable (Connection) throws -> Bool)? = nil,
      perform: @escaping @Sendable (Connection) throws -> Done
    ) {
      self.current = current
      self.readOnly = readOnly
      self.portion = portion
      self.perform = perform
    }
  }

  /// What was done, and what the answer shows of it.
  public enum Done: Sendable {
    /// 201, with the row as it is stored.
    case created(location: String, Current)
    /// 200, with the row as it is stored.
    case changed(Current)
    /// 200, with what was made of it.
    case results(SharedBytes)
    /// 204
    case done
  }

  public typealias Parse = @Sendable (Request, API) throws -> Change

  let parse: Parse
  /// Whether it can be part of a batch.
  var isPart = true
  /// Whether its requests are understood on a thread apart, because their bodies are large.
  var isUpload = false

  func answer(_ request: Request, _ context: RequestContext, _ api: API) -> Outcome {
    do {
      try Origins.check(request, allowed: api.settings.allowedOrigins)
      if isUpload { return .later { UploadLane.take(request, self, api, $0) } }
      let change = try parse(request, api)
      let preconditions = Preconditions(request)
      let key = api.settings.keepsAnswers ? try IdempotencyKey(request) : nil
      return .later { responder in
        write(change, preconditions, key, request, api, responder)
      }
    } catch {
      return .respond(api.answer(to: error, request.id))
    }
  }

  /// Understands an upload, and does it. `slot` is held until it is done.
  func upload(_ request: Request, _ api: API, _ responder: Responder, _ slot: AnyObject & Sendable)
  {
    do {
      var change = try parse(request, api)
      let perform = change.perform
      change.perform = { connection in
        try withExtendedLifetime(slot) { try perform(connection) }
      }
      let key = api.settings.keepsAnswers ? try IdempotencyKey(request) : nil
      write(change, Preconditions(request), key, request, api, responder)
    } catch {
      responder.respond(api.answer(to: error, request.id))
    }
  }

  /// Does a change, or a portion of it and then the next: other writes come between them.
  private func write(
    _ change: Change, _ preconditions: Preconditions, _ key: IdempotencyKey?, _ request: Request,
    _ api: API, _ responder: Responder, hasBegun: Bool = false
  ) {
    api.submit(for: request, responder, hasBegun: hasBegun) { connection -> Response? in
      try once(key, connection, api) {
        try check(preconditions, change, connection)
        if try change.portion?(connection) == true { return nil }
        return try run(change, connection, request, api)
      }?.response(request)
    } next: { (response: Response?) in
      if let response { return responder.respond(response) }
      // It has had its time.
      guard !responder.isCancelled else { return }
      // What is there now is not what the client has seen any more.
      write(change, .none, key, request, api, responder, hasBegun: true)
    }
  }

  /// Gives the answer that the request had before, if it had one; otherwise runs `body`, and keeps its answer.
  private func once(
    _ key: IdempotencyKey?, _ connection: Connection, _ api: API,
    _ body: () throws -> WrittenAnswer?
  ) throws -> WrittenAnswer? {
    guard let key else { return try body() }
    let kept = KeptAnswers(connection, api.clock, most: api.settings.keptAnswers)
    if var answer = try kept.find(key) {
      answer.isReplayed = true
      return answer
    }
    let answer = try body()
    if let answer { try kept.keep(answer, key) }
    return answer
  }

  /// Does what the request asks for, inside of another change.
  func perform(_ request: Request, on connection: Connection, _ api: API) throws -> WrittenAnswer {
    let change = try parse(request, api)
    try check(Preconditions(request), change, connection)
    return try run(change, connection, request, api)
  }

  /// On the writer's connection, inside the change's own savepoint.
  private func run(
    _ change: Change, _ connection: Connection, _ request: Request, _ api: API
  ) throws -> WrittenAnswer {
    let answer: WrittenAnswer? =
      switch try change.perform(connection) {
      case .created(let location, let current):
        try stored(.created, current, connection, location: location)
      case .changed(let current): try stored(.ok, current, connection)
      case .results(let body): WrittenAnswer(status: .ok, body: body)
      case .done: WrittenAnswer(status: .noContent)
      }
    guard let answer else { throw APIProblem.missing(request, api.settings.nouns) }
    return answer
  }

  private func check(
    _ preconditions: Preconditions, _ change: Change, _ connection: Connection
  ) throws {
    guard !preconditions.isEmpty || !change.readOnly.isEmpty, let current = change.current else {
      return
    }
    let body = ByteBuffer(capacity: 1024)
    let isThere = try current(connection, body)
    try preconditions.check(isThere ? ETag(hashing: body.bytes) : nil)
    if isThere { try checkReadOnly(change.readOnly, body) }
  }

  /// The row as it is stored now: read again, because `RETURNING` shows it before the triggers. `nil` where it is gone.
  private func stored(
    _ status: Status, _ current: Current, _ connection: Connection, location: String? = nil
  ) throws -> WrittenAnswer? {
    let body = ByteBuffer(capacity: 1024)
    guard try current(connection, body) else { return nil }
    let tag = ETag(hashing: body.bytes).description
    return WrittenAnswer(status: status, location: location, tag: tag, body: body.share())
  }

  private func checkReadOnly(_ members: [JSONObject.Member], _ body: ByteBuffer) throws {
    guard !members.isEmpty, case .object(let stored) = try JSONValue.parse(body.bytes) else {
      return
    }
    let wrong = members.filter { member in
      stored[member.name].map { !$0.isEquivalent(to: member.value) } ?? true
    }
    guard !wrong.isEmpty else { return }
    throw APIProblem(
      .invalidBody, "The body would change members that cannot be changed.",
      errors: wrong.map {
        FieldError(
          .pointer("/\($0.name)"),
          "is read-only; it may be left out, or be what is stored: \(stored[$0.name]?.description ?? "nothing")"
        )
      })
  }
}
