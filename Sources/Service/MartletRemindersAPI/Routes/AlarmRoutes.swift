import MartletHTTP
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletStore
import MartletTime

/// The routes of `/v1/alarms`, and the route that adds an alarm to a reminder.
enum AlarmRoutes {
  static let list = Route.read("/v1/alarms", on: .worker, parts: .respected, audience: .parts) {
    request, context in
    var parameters = QueryParameters.ofRead(request)
    var filter = AlarmRepository.Filter()
    filter.state = parameters.oneOf(
      "state",
      [
        "armed": ReminderAlarm.State.armed, "ringing": .ringing, "snoozed": .snoozed,
        "acknowledged": .acknowledged, "passed": .passed,
      ])
    filter.reminderID = parameters.integer("reminderID", in: 1...Int.max)
    filter.listID = parameters.integer("listID", in: 1...Int.max)
    filter.after = parameters.dueDate("after")
    filter.before = parameters.dueDate("before")
    filter.zone = parameters.timeZone(context)
    filter.lists = request.lists
    let page = try parameters.page()
    try parameters.finish()
    let query = try AlarmRepository.page(filter, page)
    return LiveSource(request) { db, body in
      try db.writeJSON(query, into: body)
      return true
    }
  }

  static let get = Route.read("/v1/alarms/{id}", parts: .respected, audience: .parts) {
    request, _ in
    LiveSource(request, write: stored(try request.id("id"), request.lists))
  }

  static func create(in zone: ZoneInfo) -> Route {
    .write(.post, "/v1/reminders/{id}/alarms", parts: .respected) { request, context in
      let reminder = try request.id("id")
      let lists = request.lists
      let clock = context.clock
      let trigger = try AlarmBody(creating: request).trigger
      return WriteRoute.Work { db in
        guard let trigger else { throw DomainError.notFound(.reminder(reminder)) }
        let id = try AlarmRepository.create(
          trigger, of: reminder, among: lists, at: clock.now(), in: zone, db)
        return .created(location: "/v1/alarms/\(id)", stored(id, lists))
      }
    }
  }

  static func update(in zone: ZoneInfo) -> Route {
    .write(.patch, "/v1/alarms/{id}", parts: .respected) { request, context in
      let id = try request.id("id")
      let lists = request.lists
      let clock = context.clock
      let body = try AlarmBody(changing: request)
      return WriteRoute.Work(current: stored(id, lists), readOnly: body.readOnly) { db in
        try AlarmRepository.update(
          id, body.values, among: lists, at: clock.now(), in: zone, db)
        return .changed(stored(id, lists))
      }
    }
  }

  static let delete = Route.write(.delete, "/v1/alarms/{id}", parts: .respected) { request, _ in
    let id = try request.id("id")
    let lists = request.lists
    return WriteRoute.Work(current: stored(id, lists)) { db in
      try AlarmRepository.delete(id, among: lists, db)
      return .done
    }
  }

  private static func stored(_ id: Int, _ lists: ListExtent) -> WriteRoute.Current {
    { db, body in try db.writeJSONObject(AlarmRepository.item(id, among: lists), into: body) }
  }
}
