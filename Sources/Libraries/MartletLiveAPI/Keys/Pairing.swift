import MartletHTTP
import MartletJSON
import MartletSQLite
import MartletStore
import MartletTime

/// Answers the requests of a pairing.
struct Pairing: Sendable {
  /// Makes a code, or trades one for a key.
  enum Step: Sendable { case code, key }

  let step: Step
  let parts: StaticString?

  func answer(
    _ request: Request, _ gate: Gate?, _ writes: WriteAnswers, _ loop: RequestContext,
    _ context: Context
  ) -> Outcome {
    do {
      try Origins.check(request, allowed: context.settings.allowedOrigins)
      try QueryParameters(request).finish()
      return switch step {
      case .code: try code(request, gate, writes, loop, context)
      case .key: try key(request, gate, writes, loop, context)
      }
    } catch {
      return .respond(context.answer(error, to: request))
    }
  }

  // MARK: A code

  private func code(
    _ request: Request, _ gate: Gate?, _ writes: WriteAnswers, _ loop: RequestContext,
    _ context: Context
  ) throws -> Outcome {
    var body = try request.body.bytes.isEmpty ? Body(JSONObject()) : Body(request)
    let scope = body.oneOf("scope", Rights.Scope.allCases.map { ($0.rawValue, $0) })
    let own = request.access.rights.scope
    if let scope, scope > own {
      body.fail("scope", "expected at most \(own.rawValue), the scope of the key of this request")
    }
    try body.finish()
    guard let gate, let keyID = request.access.keyID else {
      throw APIProblem(
        .noKeys, "There are no keys, so that a device cannot get one of its own. Create one first.")
    }
    try gate.countSession(of: keyID, loop)
    return gate.later(request, context) { responder in
      let code = PairingCode()
      let hash = try code.hash()
      let now = context.clock.now()
      let end = now.adding(APIKeys.codeLifetime)
      writes.submit(for: request, responder) { db in
        try APIKeys.store(
          code, hash: hash, of: keyID, scope ?? own, expiresAt: end, at: now, in: db)
        let body = ByteBuffer(capacity: 128)
        JSONWriter.object(into: body) { object in
          object.member("code", code.text)
          object.member("expiresAt", RFC3339.string(end))
        }
        return WrittenAnswer(status: .created, body: body.share()).response(request)
      }
    }
  }

  // MARK: A key

  private func key(
    _ request: Request, _ gate: Gate?, _ writes: WriteAnswers, _ loop: RequestContext,
    _ context: Context
  ) throws -> Outcome {
    var body = try Body(request)
    let text = body.string("code", 1...100)
    body.require("code", text != nil)
    let name = KeyBody.name(&body)
    try body.finish()
    guard let gate else { throw Pairing.invalid }
    let code = text.flatMap { PairingCode($0) }
    let guess = Gate.Guess(reason: "wrong pairing code", refusal: Pairing.invalid)
    return try gate.find(guess, of: request, loop, context) { db in
      try code.flatMap { try APIKeys.find($0, at: context.clock.now(), in: db) }
    } then: { [parts] found, responder in
      writes.submit(for: request, responder) { db in
        guard let key = try APIKeys.pair(found, name: name, at: context.clock.now(), in: db) else {
          throw Pairing.invalid
        }
        let body = ByteBuffer(capacity: 256)
        _ = try KeyQueries.shown(key) { db, body in
          try db.writeJSONObject(KeyQueries(parts: parts).item(key.id), into: body)
        }(db, body)
        return WrittenAnswer(status: .created, body: body.share()).response(request)
      }
    }
  }

  /// The same for every code that cannot be used, so that it reveals nothing.
  private static let invalid = APIProblem(
    .invalidPairingCode,
    "There is no such code: it is mistyped, was used, or is older than five minutes.",
    errors: [FieldError(.pointer("/code"), "expected a valid code")])
}

/// A `POST` whose body has a token that permits what it asks for, in place of a key.
public struct TokenRoute: Sendable {
  /// The work that a request asks for.
  public struct Work: Sendable {
    /// Whether the token is valid. It is read before the transaction, so that wrong tokens do not
    /// take the writer's time.
    var isValid: @Sendable (Connection) throws -> Bool
    /// The answer to a wrong token, the same for all of them.
    var refusal: APIProblem
    /// Does the work in the writer's transaction, and returns the body of the answer.
    var perform: @Sendable (Connection) throws -> SharedBytes

    /// Creates the work. `isValid` and `perform` each check the token.
    public init(
      refusal: APIProblem, isValid: @escaping @Sendable (Connection) throws -> Bool,
      perform: @escaping @Sendable (Connection) throws -> SharedBytes
    ) {
      self.refusal = refusal
      self.isValid = isValid
      self.perform = perform
    }
  }

  /// Converts a request into work. Throws an ``APIProblem`` if the request is invalid.
  public typealias Parse = @Sendable (Request, Context) throws -> Work

  let parse: Parse

  func answer(
    _ request: Request, _ gate: Gate?, _ writes: WriteAnswers, _ loop: RequestContext,
    _ context: Context
  ) -> Outcome {
    let outcome = outcome(request, gate, writes, loop, context)
    guard let origin = request.fields["Origin"], !context.settings.allowedOrigins.contains(origin)
    else { return outcome }
    return .adding(TokenRoute.open, outcome)
  }

  /// The answer may be read by pages of every origin (CORS). There is no answer to a preflight
  /// request: a body of the type `text/plain` needs none.
  private static let open = Fields(["Access-Control-Allow-Origin": "*"])

  private func outcome(
    _ request: Request, _ gate: Gate?, _ writes: WriteAnswers, _ loop: RequestContext,
    _ context: Context
  ) -> Outcome {
    do {
      try QueryParameters(request).finish()
      let work = try parse(request, context)
      guard let gate else {
        return .later { responder in write(work, request, writes, responder) }
      }
      let guess = Gate.Guess(reason: "wrong token", refusal: work.refusal)
      return try gate.find(guess, of: request, loop, context) { db in
        try work.isValid(db) ? work : nil
      } then: { work, responder in
        write(work, request, writes, responder)
      }
    } catch {
      return .respond(context.answer(error, to: request))
    }
  }

  private func write(
    _ work: Work, _ request: Request, _ writes: WriteAnswers, _ responder: Responder
  ) {
    writes.submit(for: request, responder) { db in
      WrittenAnswer(status: .ok, body: try work.perform(db)).response(request)
    }
  }
}
