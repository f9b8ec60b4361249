import MartletHTTP
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletStore

/// The routes of `/v1/lists` and `/v1/lists/{id}`.
enum ListRoutes {
  static let list = Route.read("/v1/lists", parts: .respected, audience: .parts) { request, _ in
    var parameters = QueryParameters.ofRead(request)
    let page = try parameters.page()
    try parameters.finish()
    let query = try ListRepository.page(page, among: request.lists)
    return LiveSource(request) { db, body in
      try db.writeJSON(query, into: body)
      return true
    }
  }

  static let create = Route.write(.post, "/v1/lists") { request, _ in
    let body = try ListBody(creating: request)
    return WriteRoute.Work { db in
      let id = try ListRepository.create(body.values, in: db)
      return .created(location: "/v1/lists/\(id)", stored(id, .all))
    }
  }

  static let get = Route.read("/v1/lists/{id}", parts: .respected, audience: .parts) { request, _ in
    return LiveSource(request, write: stored(try request.id("id"), request.lists))
  }

  static let update = Route.write(.patch, "/v1/lists/{id}", parts: .respected) { request, _ in
    let id = try request.id("id")
    let lists = request.lists
    let body = try ListBody(changing: request)
    return WriteRoute.Work(current: stored(id, lists), readOnly: body.readOnly) { db in
      guard lists.contains(id) else { throw DomainError.notFound(.list(id)) }
      try ListRepository.update(id, body.values, in: db)
      return .changed(stored(id, lists))
    }
  }

  /// - Parameter keep: How long the trash keeps it.
  static func delete(keep: Duration) -> Route {
    .write(.delete, "/v1/lists/{id}", parts: .respected) { request, _ in
      let id = try request.id("id")
      let lists = request.lists
      let isPermanent = try TrashRoutes.isPermanent(request, keep: keep)
      return WriteRoute.Work(current: stored(id, lists)) { db in
        try lists.contains(id) && ListRepository.shrink(id, isPermanent: isPermanent, in: db)
      } perform: { db in
        guard lists.contains(id) else { throw DomainError.notFound(.list(id)) }
        try ListRepository.delete(id, isPermanent: isPermanent, in: db)
        return .done
      }
    }
  }

  /// Writes the list as `GET` returns it.
  static func stored(_ id: Int, _ lists: ListExtent) -> WriteRoute.Current {
    { db, body in
      guard lists.contains(id) else { return false }
      return try db.writeJSONObject(ListRepository.item(id), into: body)
    }
  }
}

extension Request {
  /// The lists that the caller may see: all, or the granted lists of its key.
  var lists: ListExtent { ListExtent(access.rights.parts) }
}
