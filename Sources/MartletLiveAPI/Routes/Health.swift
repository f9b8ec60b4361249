import MartletHTTP

extension Route {
  /// `/livez`: the process answers.
  public static let livez = Route.plain(.get, "/livez") { _, _, _ in
    .respond(Response(.ok, healthFields, body: ok))
  }

  /// `/readyz`: the database answers, and writes are taken. `trouble`: why not, asked on a loop; `nil` where all is well.
  public static func readyz(_ trouble: @escaping @Sendable (_ loop: Int) -> String?) -> Route {
    .plain(.get, "/readyz") { request, loop, context in
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
