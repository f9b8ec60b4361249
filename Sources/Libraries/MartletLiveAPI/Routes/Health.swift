import MartletHTTP

extension Route {
  /// The route `/livez`, which answers 200 while the process runs. It is open to everyone.
  public static let livez = Route.plain(.get, "/livez", needs: .noKey) { _, _, _ in
    .respond(Response(.ok, healthFields, body: ok))
  }

  /// The route `/readyz`, which answers 200 if the database can be read and accepts writes, else
  /// 503. It is open to everyone.
  ///
  /// `trouble` returns why the service is not ready, or `nil` if it is. It is called on an event
  /// loop.
  public static func readyz(_ trouble: @escaping @Sendable (_ loop: Int) -> String?) -> Route {
    .plain(.get, "/readyz", needs: .noKey) { request, loop, context in
      if let reason = trouble(loop.loop) {
        let problem = APIProblem(.overloaded, reason, retryAfter: 5)
        return .respond(context.answer(problem, to: request))
      }
      return .respond(Response(.ok, healthFields, body: ok))
    }
  }

  private static let healthFields = Fields([
    "Content-Type": "application/json", "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  ])
  private static let ok = Response.Body.text("{\"status\":\"ok\"}")
}
