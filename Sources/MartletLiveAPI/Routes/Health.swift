import MartletHTTP

extension Route {
  /// `/livez`: the process answers.
  public static let livez = Route.plain(.get, "/livez") { _, _, _ in
    .respond(Response(.ok, healthFields, body: ok))
  }

  /// How long writes may take together while the server counts as ready: those that wait are refused from then on.
  private static let longestGroup = Duration.seconds(5)

  /// `/readyz`: the database answers, and writes are taken.
  public static func readyz(_ isReady: @escaping @Sendable () -> Bool) -> Route {
    .plain(.get, "/readyz") { request, context, api in
      let answers =
        (try? api.database.withReader(loop: context.loop) { try $0.value("SELECT 1") }) != nil
      let isBusy = api.database.writingFor.map { $0 > longestGroup } ?? false
      guard answers, isReady(), !isBusy else {
        let reason =
          isBusy
          ? "Writes have been waiting for one for more than 5 s."
          : "The database does not take writes."
        return .respond(
          api.answer(to: APIProblem(.overloaded, reason, retryAfter: 5), request.id))
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
