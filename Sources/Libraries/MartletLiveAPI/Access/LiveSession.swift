import MartletHTTP
import MartletJSON
import MartletTime

/// Answers the `POST` that creates a live session.
enum LiveSession {
  static func answer(
    _ request: Request, _ gate: Gate?, _ writes: WriteAnswers, _ loop: RequestContext,
    _ context: Context
  ) -> Outcome {
    do {
      try Origins.check(request, allowed: context.settings.allowedOrigins)
      try QueryParameters(request).finish()
      if !request.body.bytes.isEmpty {
        var body = try Body(request)
        try body.finish()
      }
      guard let gate, let key = request.access.keyID else {
        // Without keys the session needs no secret, and the value of `access` is ignored.
        let end = context.clock.now().adding(
          milliseconds: Int64(
            (gate?.settings ?? Gate.Settings()).sessionLifetime.wholeMilliseconds))
        return .respond(answer(request, "open", end))
      }
      try gate.countSession(of: key, loop)
      return gate.later(request, context) { responder in
        let secret = Secret()
        let hash = try secret.hash()
        let now = context.clock.now()
        let end = now.adding(gate.settings.sessionLifetime)
        writes.submit(for: request, responder) { db in
          let text = try APIKeys.createSession(
            of: key, secret, hash: hash, expiresAt: end, now: now, in: db)
          return answer(request, text, end)
        }
      }
    } catch {
      return .respond(context.answer(error, to: request))
    }
  }

  private static func answer(_ request: Request, _ text: String, _ end: Instant) -> Response {
    let body = ByteBuffer(capacity: 128)
    JSONWriter.object(into: body) { object in
      object.member("access", text)
      object.member("expiresAt", RFC3339.string(end))
    }
    return WrittenAnswer(status: .created, body: body.share()).response(request)
  }
}
