import MartletHTTP
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletStore

/// The routes of `/v1/trash`: what was deleted, and what becomes of it.
enum TrashRoutes {
  /// - Parameter keep: How long an entry is kept.
  static func list(keep: Duration) -> Route {
    .read("/v1/trash", parts: .respected, audience: .parts) { request, _ in
      var parameters = QueryParameters.ofRead(request)
      let page = try parameters.page()
      try parameters.finish()
      let query = try TrashRepository.page(page, among: request.lists, keep: keep)
      return LiveSource(request) { db, body in
        try db.writeJSON(query, into: body)
        return true
      }
    }
  }

  static let restore = Route.write(.post, "/v1/trash/{id}/restore", parts: .respected) {
    request, _ in
    let id = try request.id("id")
    let lists = request.lists
    var parameters = QueryParameters(request)
    let list = parameters.integer("listID", in: 1...Int.max)
    try parameters.finish()
    return WriteRoute.Work(portion: { db in
      try TrashRepository.restorePortion(id, into: list, among: lists, in: db)
    }) { db in
      let item = try TrashRepository.restore(id, into: list, among: lists, in: db)
      return item.kind == .list
        ? .created(location: "/v1/lists/\(item.id)", ListRoutes.stored(item.id, lists))
        : .created(location: "/v1/reminders/\(item.id)", ReminderRoutes.stored(item.id, lists))
    }
  }

  static let erase = Route.write(.delete, "/v1/trash/{id}", parts: .respected) { request, _ in
    let id = try request.id("id")
    let lists = request.lists
    return WriteRoute.Work { db in
      try TrashRepository.erase(id, among: lists, in: db)
      return .done
    }
  }

  static let empty = Route.write(.delete, "/v1/trash", parts: .respected) { request, _ in
    let lists = request.lists
    return WriteRoute.Work(portion: { db in
      try TrashRepository.erasePortion(among: lists, in: db)
    }) { db in
      while try TrashRepository.erasePortion(among: lists, in: db) {}
      return .done
    }
  }

  /// Whether a DELETE passes the trash by: `?permanently=true`, or if nothing is kept.
  static func isPermanent(_ request: Request, keep: Duration) throws -> Bool {
    var parameters = QueryParameters(request)
    let isPermanent = parameters.bool("permanently") ?? false
    try parameters.finish()
    return isPermanent || keep <= .zero
  }
}
