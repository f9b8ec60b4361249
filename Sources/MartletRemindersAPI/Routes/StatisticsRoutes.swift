import MartletHTTP
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletStore

enum StatisticsRoutes {
  /// On a worker: it counts all reminders.
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

enum LiveRoutes {
  /// Several queries on one stream: browsers have six connections for a host.
  static let live = Route.bundle("/v1/live")
}
