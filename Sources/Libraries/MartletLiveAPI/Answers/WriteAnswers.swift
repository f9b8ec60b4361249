import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletSQLite
import MartletStore
import MartletTime

/// Answers writes. Each runs in the writer's transaction and is answered when it is durable.
final class WriteAnswers: Sendable {
  private let database: any ServerDatabase
  private let context: Context
  private let routes: RouteTable
  private let uploads = UploadParser()

  init(_ database: any ServerDatabase, _ context: Context, _ routes: RouteTable) {
    self.database = database
    self.context = context
    self.routes = routes
  }

  func answer(_ request: Request, _ route: WriteRoute) -> Outcome {
    do {
      try Origins.check(request, allowed: context.settings.allowedOrigins)
      if route.isUpload { return .later { [self] in takeUpload(request, route, $0) } }
      guard request.isLarge else {
        let change = try route.understand(request, context)
        let key = try idempotencyKey(request)
        return .later { [self] in begin(change, key, request, $0) }
      }
      return .later { [self] responder in
        database.parse(request) { [self] in
          (try route.understand(request, context), try idempotencyKey(request))
        } completion: { [self] result in
          switch result {
          case .success(let (change, key)): begin(change, key, request, responder)
          case .failure(let error): responder.respond(context.answer(error, to: request))
          }
        }
      }
    } catch {
      return .respond(context.answer(error, to: request))
    }
  }

  private func begin(
    _ change: WriteRoute.Work, _ key: IdempotencyKey?, _ request: Request, _ responder: Responder
  ) {
    let preconditions = Preconditions(request)
    guard let before = change.before else {
      return write(change, preconditions, key, request, responder)
    }
    before { [self] problem in
      if let problem { return responder.respond(context.answer(problem, to: request)) }
      write(change, preconditions, key, request, responder)
    }
  }

  /// Answers a batch: several changes in one transaction.
  func answerBatch(_ request: Request) -> Outcome {
    let route = WriteRoute(isPart: false) { [self] request, context in
      let batch = try Batch(request)
      return WriteRoute.Work { [self] connection in
        try batch.run(request, context, mostBytes: database.largestResult, find: part) {
          try perform($0, $1, on: connection)
        }
      }
    }
    return answer(request, route)
  }

  private func idempotencyKey(_ request: Request) throws -> IdempotencyKey? {
    guard context.settings.storesResponses else { return nil }
    return try IdempotencyKey(request) ?? IdempotencyKey(forwarded: request)
  }

  private func takeUpload(_ request: Request, _ route: WriteRoute, _ responder: Responder) {
    let isTaken = uploads.run(responder) { [self] slot in
      do {
        var change = try route.understand(request, context)
        let perform = change.perform
        change.perform = { connection in
          try withExtendedLifetime(slot) { try perform(connection) }
        }
        let key = try idempotencyKey(request)
        write(change, Preconditions(request), key, request, responder)
      } catch {
        responder.respond(context.answer(error, to: request))
      }
    }
    guard !isTaken else { return }
    responder.respond(
      context.answer(
        APIProblem(
          .overloaded, "Too many uploads are waiting. Nothing was done. Try again in 5 s.",
          retryAfter: 5),
        to: request))
  }

  /// Runs a change, or a portion of it and then the next, so that other writes can run in between.
  private func write(
    _ change: WriteRoute.Work, _ preconditions: Preconditions, _ key: IdempotencyKey?,
    _ request: Request,
    _ responder: Responder, hasBegun: Bool = false
  ) {
    submit(for: request, responder, hasBegun: hasBegun) { [self] connection -> Response? in
      try once(key, connection) {
        try check(preconditions, change, connection, request)
        if try change.portion?(connection) == true { return nil }
        return try run(change, connection, request)
      }?.response(request)
    } next: { [self] (response: Response?) in
      if let response { return responder.respond(response) }
      // The request timed out or its client disconnected.
      guard !responder.isCancelled else { return }
      // The state has changed by the first portion, so the client's preconditions no longer apply.
      write(change, .none, key, request, responder, hasBegun: true)
    }
  }

  /// Returns the stored response of an earlier request with the same key. Without one it runs
  /// `body` and stores its response.
  private func once(
    _ key: IdempotencyKey?, _ connection: Connection, _ body: () throws -> WrittenAnswer?
  ) throws -> WrittenAnswer? {
    guard let key else { return try body() }
    let kept = StoredAnswers(connection, context.clock, most: context.settings.keptAnswers)
    if var answer = try kept.find(key) {
      answer.isReplayed = !key.isForwarded
      return answer
    }
    let answer = try body()
    if let answer { try kept.keep(answer, key) }
    return answer
  }

  /// Runs one operation of a batch inside the transaction of the batch.
  private func perform(
    _ request: Request, _ route: WriteRoute, on connection: Connection
  ) throws -> WrittenAnswer {
    let change = try route.understand(request, context)
    try check(Preconditions(request), change, connection, request)
    return try run(change, connection, request)
  }

  /// The route of an operation. The pointers of the errors are relative to the operation.
  private func part(_ request: Request) throws -> WriteRoute {
    func problem(_ type: ProblemType, _ detail: String, _ member: String, _ fault: String)
      -> APIProblem
    {
      APIProblem(type, detail, errors: [FieldError(.pointer("/\(member)"), fault)])
    }
    switch try routes.find(request, context) {
    case .found(let route):
      if case .write(let write) = route.kind, write.isPart { return write }
      throw problem(
        .notFound, "This request cannot be part of a batch. Send it on its own.", "path",
        "cannot be part of a batch")
    case .otherMethods(let allow):
      throw problem(
        .methodNotAllowed, "This path supports \(allow).", "method", "expected one of \(allow)")
    case .nothing:
      let near = routes.suggestion(for: request.path).map { "; did you mean \($0)?" } ?? ""
      throw problem(
        .notFound, "There is nothing at this path.", "path",
        "there is nothing at \(shown(request.path))\(near)")
    }
  }

  /// Runs a change on the writer's connection, inside the change's own savepoint.
  private func run(
    _ change: WriteRoute.Work, _ connection: Connection, _ request: Request
  ) throws -> WrittenAnswer {
    let answer: WrittenAnswer? =
      switch try change.perform(connection) {
      case .created(let location, let current):
        try stored(.created, current, connection, location: location)
      case .changed(let current): try stored(.ok, current, connection)
      case .once(let location, let current, let kept):
        try once(location, current, kept, connection)
      case .results(let body, let kept): WrittenAnswer(status: .ok, body: body, kept: kept)
      case .done: WrittenAnswer(status: .noContent)
      }
    guard let answer else { throw APIProblem.missing(request, context.settings.nouns) }
    return answer
  }

  private func once(
    _ location: String?, _ current: WriteRoute.Current, _ kept: WriteRoute.Current?,
    _ connection: Connection
  ) throws -> WrittenAnswer? {
    let status: Status = location == nil ? .ok : .created
    var answer = try stored(status, current, connection, location: location)?.untagged
    if let kept { answer?.kept = try stored(status, kept, connection)?.body }
    return answer
  }

  private func check(
    _ preconditions: Preconditions, _ change: WriteRoute.Work, _ connection: Connection,
    _ request: Request
  ) throws {
    guard !preconditions.isEmpty || !change.readOnly.isEmpty,
      let current = try change.current ?? self.current(of: request, preconditions)
    else { return }
    let body = ByteBuffer(capacity: 1024)
    let isThere = try current(connection, body)
    try preconditions.check(isThere ? ETag(hashing: body.bytes) : nil)
    if isThere { try checkReadOnly(change.readOnly, body) }
  }

  /// Reads the state of the URL by its `GET` route, for a change without
  /// ``WriteRoute/Work/current``. Returns `nil` for a `POST` without preconditions: the item that
  /// it creates does not exist yet. One with preconditions is refused, because a condition that was
  /// ignored would protect nothing (RFC 9110 section 13.1.1).
  private func current(
    of request: Request, _ preconditions: Preconditions
  ) throws -> WriteRoute.Current? {
    guard request.method != .post else {
      guard !preconditions.isEmpty else { return nil }
      try preconditions.checkForm()
      throw APIProblem(
        .preconditionFailed,
        "A POST here takes no If-Match and no If-None-Match, because it has no state to compare with. Send the request without them."
      )
    }
    var read = try Request(.get, target: request.path, peer: request.peer)
    read.caller = request.caller
    guard case .found(let route) = try routes.find(read, context), case .read(let get) = route.kind
    else {
      throw APIProblem(
        .preconditionFailed,
        "If-Match and If-None-Match are not supported on this path, because it has no GET. Send the request without them."
      )
    }
    let source = try get.understand(read, context)
    return { try source.write($0, $1) }
  }

  /// The stored row. It is read again because `RETURNING` does not include changes by triggers
  /// (https://sqlite.org/lang_returning.html). Returns `nil` if the row no longer exists.
  private func stored(
    _ status: Status, _ current: WriteRoute.Current, _ connection: Connection,
    location: String? = nil
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
      stored[member.name].map { !isSame($0, member.value) } ?? true
    }
    guard !wrong.isEmpty else { return }
    throw APIProblem(
      .invalidBody, "The body changes read-only members.",
      errors: wrong.map {
        FieldError(
          .pointer("/\($0.name)"),
          "is read-only; omit it or send the stored value: \(stored[$0.name]?.description ?? "nothing")"
        )
      })
  }

  /// Whether a member equals the stored value, in any form: an instant may have another offset.
  private func isSame(_ stored: JSONValue, _ value: JSONValue) -> Bool {
    if stored.isEquivalent(to: value) { return true }
    guard let stored = stored.string, let text = value.string,
      let instant = try? RFC3339.parse(stored)
    else { return false }
    return (try? RFC3339.parse(text)) == instant
  }

  // MARK: The transaction

  /// Runs `body` in the writer's transaction and sends its response when the transaction is
  /// durable.
  func submit(
    for request: Request, _ responder: Responder,
    _ body: @escaping @Sendable (Connection) throws -> Response
  ) {
    submit(for: request, responder, body) { responder.respond($0) }
  }

  /// Runs `body` in the writer's transaction, and `next` on the writer's thread when the
  /// transaction is durable.
  ///
  /// If the write fails, the request is answered with the problem. The write may have waited in the
  /// queue, so the transaction first checks that the caller's key is still valid. A request that
  /// was given up, because of ``Limits/handlerTimeout`` or because its client disconnected, is not
  /// executed.
  ///
  /// `hasBegun` means that an earlier portion of the change is already durable. The response to a
  /// failure then says so.
  func submit<T: Sendable>(
    for request: Request, _ responder: Responder, hasBegun: Bool = false,
    _ body: @escaping @Sendable (Connection) throws -> T,
    next: @escaping @Sendable (T) -> Void
  ) {
    let access = request.access
    do throws(WriteError) {
      try database.submit(client: request.clientNumber) { [context] connection in
        guard !responder.isCancelled else { throw CancellationError() }
        try access.check(at: context.clock.now(), in: connection)
        let value = try body(connection)
        guard responder.commit() else { throw CancellationError() }
        return value
      } completion: { result in
        switch result {
        case .success(let value): next(value)
        // The request was given up, so no response is needed.
        case .failure(is CancellationError): break
        case .failure(let error): fail(error)
        }
      }
    } catch { fail(error) }
    /// Answers with the problem, or lets the primary do the change.
    @Sendable func fail(_ error: any Error) {
      guard !hasBegun, context.isElsewhere(error, request) else {
        return responder.respond(failure(error, hasBegun))
      }
      context.forward(request, to: responder) { [self] in
        submit(for: request, responder, hasBegun: hasBegun, body, next: next)
      }
    }
    @Sendable func failure(_ error: any Error, _ hasBegun: Bool) -> Response {
      if error is ExchangeRefusal { return context.answer(error, to: request) }
      var problem = context.problem(of: error, request.id)
      if hasBegun {
        problem.detail = "Part of the change was done. Repeat the request to do the rest."
      }
      var response = context.document(problem, request.id)
      if !hasBegun { context.markRepeatable(&response, error, request) }
      return response
    }
  }
}
