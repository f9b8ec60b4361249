import Martlet

extension ProblemType {
  /// The error when another user has the email address. Clients recognize it by
  /// `"type":"/problems/email-taken"`.
  static let emailTaken = ProblemType("email-taken", .conflict, "Email taken")
}

/// The routes of the service. Every `GET` is also available as an event stream, and every response
/// to a change is sent after the change is durable.
enum Routes {
  static let all = [users, user, createUser, changeUser, posts, write, publish, statistics, live]

  static let users = Route.read("/users", audience: .everyone) { request, _ in
    var parameters = QueryParameters.ofRead(request)
    let onlyActive = parameters.bool("active") ?? false
    let page = try parameters.page(of: onlyActive ? "active users" : "users")
    try parameters.finish()
    return try LiveSource(
      request, page, of: Queries.users(onlyActive: onlyActive),
      by: [User.columns.name, User.columns.id])
  }

  static let user = Route.read("/users/{id}", audience: .everyone) { request, _ in
    return LiveSource(request, write: shown(user: try request.id("id")))
  }

  static let createUser = Route.write(.post, "/users") { request, _ in
    let draft = try Body.read(request) { body in
      User.Draft(
        name: body.required("name", .text(1...100)), email: body.required("email", .text(3...200)))
    }
    return WriteRoute.Work { db in
      guard try User.where({ $0.email == draft.email }).fetchCount(db) == 0 else {
        throw APIProblem(
          .emailTaken, "Another user has this address.",
          errors: [FieldError(.pointer("/email"), "belongs to another user")])
      }
      try User.insert { draft }.execute(db)
      let id = Int(db.lastInsertRowID)
      return .created(location: "/users/\(id)", shown(user: id))
    }
  }

  static let changeUser = Route.write(.patch, "/users/{id}") { request, _ in
    let id = try request.id("id")
    let (name, active) = try Body.read(request) { body in
      (body.optional("name", .text(1...100)), body.optional("active", .bool))
    }
    return WriteRoute.Work(current: shown(user: id)) { db in
      guard try User.find(id).fetchOne(db) != nil else {
        throw APIProblem.notFound("There is no such user.")
      }
      try User.find(id).update {
        if let name { $0.name = name }
        if let active { $0.active = active }
      }.execute(db)
      return .changed(shown(user: id))
    }
  }

  static let posts = Route.read("/posts", audience: .everyone) { request, _ in
    var parameters = QueryParameters.ofRead(request)
    let user = parameters.integer("user", in: 1...(.max))
    let page = try parameters.page(of: "posts of \(user ?? 0)")
    try parameters.finish()
    return try LiveSource(
      request, page, of: Queries.posts(of: user),
      by: [Post.columns.publishedAt, Post.columns.id], descending: true)
  }

  static let write = Route.write(.post, "/users/{id}/posts") { request, _ in
    let user = try request.id("id")
    let post = try Body.read(request) { body in
      Post.Draft(
        userID: user, title: body.required("title", .text(1...200)),
        text: body.optional("text", .text(0...10_000)) ?? "")
    }
    return WriteRoute.Work { db in
      guard try User.active.find(user).fetchOne(db) != nil else {
        throw APIProblem.notFound("There is no such user, or they are not active.")
      }
      try Post.insert { post }.execute(db)
      return .done
    }
  }

  /// Publishes all drafts of a user. One transaction means one event on each stream.
  static let publish = Route.write(.post, "/users/{id}/publish") { request, context in
    let user = try request.id("id")
    let now = context.clock.now()
    return WriteRoute.Work { db in
      try Post.where { $0.userID == user && $0.publishedAt.is(nil) }
        .update { $0.publishedAt = now }.execute(db)
      return .done
    }
  }

  static let statistics = Route.read("/statistics", audience: .everyone) { request, _ in
    return LiveSource(request) { db, body in
      try db.writeJSONObject(Queries.statistics.query, into: body)
    }
  }

  /// `/live?users=/users&posts=/posts`: several queries on one stream.
  static let live = Route.bundle("/live")

  private static func shown(user id: User.ID) -> WriteRoute.Current {
    { db, body in
      try db.writeJSONObject(
        Queries.users(onlyActive: false).find(id).query, into: body)
    }
  }
}
