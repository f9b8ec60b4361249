import MartletHTTP
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletStore

/// The route `/v1/stats`.
enum StatisticsRoutes {
  /// Runs on a worker, because it counts all reminders.
  static let get = Route.read("/v1/stats", on: .worker, parts: .respected, audience: .parts) {
    request, context in
    var parameters = QueryParameters.ofRead(request)
    let zone = parameters.timeZone(context)
    try parameters.finish()
    let lists = request.lists
    return LiveSource(request, nextChange: context.nextDueChange(in: zone)) { db, body in
      try db.writeJSONObject(
        StatisticsRepository.statistics(now: context.clock.now(), in: zone, among: lists),
        into: body)
    }
  }
}

/// The route `/v1/live`.
enum LiveRoutes {
  /// Several queries on one event stream, because browsers open at most six connections per host.
  static let live = Route.bundle("/v1/live")
}
