import Martlet

/// A function, so that the program and the tests make the same service.
func makeService(path: String) -> Service {
  var service = Service(path: path, migrator: Schema.migrator, routes: [items, createItem])
  service.server.port = 8090
  service.tables = [Item.self]
  return service
}

/// Also an event stream, for requests with `Accept: text/event-stream`.
private let items = Route.read("/items", audience: .everyone) { request, _ in
  LiveSource(request, rows: Item.order(by: \.name))
}

private let createItem = Route.write(.post, "/items") { request, _ in
  let item = try Body.read(request) { body in
    Item.Draft(name: body.required("name", .text(1...100)))
  }
  return WriteRoute.Work { db in
    let id = try Item.insert { item }.returning(\.id).fetchOne(db)!
    return .created(location: "/items", WriteRoute.row(Item.find(id)))
  }
}
