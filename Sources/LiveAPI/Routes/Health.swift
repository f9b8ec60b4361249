import HTTPServer

extension Route {
  /// `/livez`: the process answers.
  public static let livez = Route.plain(.get, "/livez") { _, _, _ in
    .respond(Response(.ok, healthFields, body: ok))
  }

  /// `/readyz`: the database answers, and writes are taken.
  public static func readyz(_ isReady: @escaping @Sendable () -> Bool) -> Route {
    .plain(.get, "/readyz") { request, context, api in
      let answers =
        (try? api.database.withReader(loop: context.loop) { try $0.value("SELECT 1") }) != nil
      guard answers, isReady() else {
        return .respond(
          api.answer(
            to: APIProblem(.overloaded, "The database does not take writes.", retryAfter: 5),
            request.id))
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
