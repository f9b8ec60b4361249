import MartletHTTP
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletStore
import MartletTime

/// The routes of `/v1/deliveries`. Only keys with the scope `admin` may use them.
enum DeliveryRoutes {
  static let list = Route.read(
    "/v1/deliveries", on: .worker, needs: .admin, audience: .everyone
  ) { request, _ in
    var parameters = QueryParameters.ofRead(request)
    var filter = DeliveryRepository.Filter()
    filter.channelID = parameters.integer("channelID", in: 1...Int.max)
    filter.state = parameters.oneOf(
      "state",
      [
        "waiting": DeliveryState.waiting, "delivered": .delivered, "dead": .dead,
        "answered": .answered,
      ])
    let page = try parameters.page()
    try parameters.finish()
    let query = try DeliveryRepository.page(filter, page)
    return LiveSource(request) { db, body in
      try db.writeJSON(query, into: body)
      return true
    }
  }

  static let get = Route.read("/v1/deliveries/{id}", needs: .admin, audience: .everyone) {
    request, _ in
    LiveSource(request, write: stored(try request.id("id")))
  }

  /// Sends a delivery again.
  static let retry = Route.write(.post, "/v1/deliveries/{id}/retry", needs: .admin) {
    request, context in
    let id = try request.id("id")
    let clock = context.clock
    return WriteRoute.Work(current: stored(id)) { db in
      try DeliveryRepository.retry(id, at: clock.now(), db)
      return .changed(stored(id))
    }
  }

  static func stored(_ id: Int) -> WriteRoute.Current {
    { db, body in try db.writeJSONObject(DeliveryRepository.item(id), into: body) }
  }
}
