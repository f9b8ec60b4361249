import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletStore
import MartletTime

/// The routes of `/v1/completions`, and the routes that skip, reopen and show the occurrences of a
/// reminder.
enum CompletionRoutes {
  static let list = Route.read("/v1/completions", on: .worker, parts: .respected, audience: .parts)
  { request, context in
    var parameters = QueryParameters.ofRead(request)
    var filter = CompletionRepository.Filter()
    filter.reminderID = parameters.integer("reminderID", in: 1...Int.max)
    filter.listID = parameters.integer("listID", in: 1...Int.max)
    filter.after = parameters.dueDate("after")
    filter.before = parameters.dueDate("before")
    filter.zone = parameters.timeZone(context)
    filter.lists = request.lists
    let page = try parameters.page()
    try parameters.finish()
    let query = try CompletionRepository.page(filter, page)
    return LiveSource(request) { db, body in
      try db.writeJSON(query, into: body)
      return true
    }
  }

  static func undo(in zone: ZoneInfo) -> Route {
    .write(.delete, "/v1/completions/{id}", parts: .respected) { request, _ in
      let id = try request.id("id")
      let lists = request.lists
      return WriteRoute.Work { db in
        try CompletionRepository.undo(id, among: lists, zone: zone, in: db)
        return .done
      }
    }
  }

  static func skip(in zone: ZoneInfo) -> Route {
    .write(.post, "/v1/reminders/{id}/skip", parts: .respected) {
      request, context in
      let id = try request.id("id")
      let lists = request.lists
      let clock = context.clock
      return WriteRoute.Work(current: ReminderRoutes.stored(id, lists)) { db in
        try CompletionRepository.skip(id, among: lists, at: clock.now(), in: zone, db)
        return .changed(ReminderRoutes.stored(id, lists))
      }
    }
  }

  static func reopen(in zone: ZoneInfo) -> Route {
    .write(.post, "/v1/reminders/{id}/reopen", parts: .respected) { request, _ in
      let id = try request.id("id")
      let lists = request.lists
      return WriteRoute.Work(current: ReminderRoutes.stored(id, lists)) { db in
        try CompletionRepository.reopen(id, among: lists, zone: zone, in: db)
        return .changed(ReminderRoutes.stored(id, lists))
      }
    }
  }

  static func occurrences(in zone: ZoneInfo) -> Route {
    .read(
      "/v1/reminders/{id}/occurrences", parts: .respected, audience: .parts
    ) { request, _ in
      let id = try request.id("id")
      let lists = request.lists
      var parameters = QueryParameters.ofRead(request)
      var page = PageRequest()
      page.limit =
        parameters.integer("limit", in: OccurrencePage.limits) ?? OccurrencePage.defaultLimit
      page.cursor = try parameters.cursor()
      try parameters.finish()
      try OccurrencePage.moment(of: id, page)
      return LiveSource(request) { [page] db, body in
        guard let page = try OccurrencePage(of: id, page, among: lists, in: zone, db) else {
          return false
        }
        JSONWriter.object(into: body) { object in
          object.member("items") { body in
            JSONWriter.array(into: body) { array in
              for due in page.dueDates {
                array.element { body in
                  JSONWriter.object(into: body) { $0.member("dueDate", due.description) }
                }
              }
            }
          }
          object.member("nextCursor", page.next?.text)
        }
        return true
      }
    }
  }
}
