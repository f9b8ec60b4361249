import HTTPServer
import LiveAPI
import LiveQueries
import Reminders
import Store

enum ListRoutes {
  static let list = Route.read("/v1/lists") { request, _ in
    var parameters = QueryParameters.ofRead(request)
    let page = try parameters.page()
    try parameters.finish()
    let query = try ListRepository.page(page)
    return LiveSource(request) { db, body in
      try db.writeJSON(query, into: body)
      return true
    }
  }

  static let create = Route.write(.post, "/v1/lists") { request, _ in
    try QueryParameters(request).finish()
    let body = try ListBody(creating: request)
    return WriteRoute.Change { db in
      let id = try ListRepository.create(body.changes, in: db)
      return .created(location: "/v1/lists/\(id)", stored(id))
    }
  }

  static let get = Route.read("/v1/lists/{id}") { request, _ in
    try QueryParameters.ofRead(request).finish()
    return LiveSource(request, write: stored(try request.id("id")))
  }

  static let update = Route.write(.patch, "/v1/lists/{id}") { request, _ in
    try QueryParameters(request).finish()
    let id = try request.id("id")
    let body = try ListBody(changing: request)
    return WriteRoute.Change(current: stored(id), readOnly: body.readOnly) { db in
      try ListRepository.update(id, body.changes, in: db)
      return .changed(stored(id))
    }
  }

  static let delete = Route.write(.delete, "/v1/lists/{id}") { request, _ in
    try QueryParameters(request).finish()
    let id = try request.id("id")
    return WriteRoute.Change(current: stored(id)) { db in
      try ListRepository.delete(id, in: db)
      return .done
    }
  }

  /// The list as `GET` shows it.
  static func stored(_ id: Int) -> WriteRoute.Current {
    { db, body in try db.writeJSONObject(ListRepository.item(id), into: body) }
  }
}
