import MartletHTTP
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletSQLite
import MartletStore
import MartletTime

/// The routes of reminders, of the reminders of a list, and of the tags of a reminder.
enum ReminderRoutes {
  static let list = Route.read("/v1/reminders", parts: .respected, audience: .parts) {
    request, context in
    var parameters = QueryParameters.ofRead(request)
    var filter = parameters.reminderFilter(context)
    filter.lists = request.lists
    return try page(request, context, filter, &parameters)
  }

  static let listOfList = Route.read(
    "/v1/lists/{id}/reminders", parts: .respected, audience: .parts
  ) {
    request, context in
    let list = try request.id("id")
    var parameters = QueryParameters.ofRead(request)
    let filter = parameters.reminderFilter(context, ofList: list)
    return try page(request, context, filter, &parameters, existing: list)
  }

  /// A page of reminders.
  ///
  /// - Parameter list: A list that must exist; otherwise the response is 404.
  private static func page(
    _ request: Request, _ context: Context, _ filter: ReminderFilter,
    _ parameters: inout QueryParameters,
    existing list: Int? = nil
  ) throws -> LiveSource {
    let sort = parameters.reminderSort()
    let page = try parameters.page()
    try parameters.finish()
    // The query is built again for each run, because today changes. With a cursor it is also built
    // here, so that a cursor of another query is refused immediately.
    if page.cursor != nil {
      _ = try ReminderRepository.page(filter, sort: sort, page, now: context.clock.now())
    }
    let lists = request.lists
    let nextChange = filter.dependsOnClock ? context.nextChange(of: filter) : nil
    return LiveSource(request, nextChange: nextChange) { db, body in
      if let list, try !(lists.contains(list) && RemindersList.exists(list, in: db)) {
        return false
      }
      let query = try ReminderRepository.page(filter, sort: sort, page, now: context.clock.now())
      try db.writeJSON(query, into: body)
      return true
    }
  }

  static func create(_ settings: RemindersAPISettings) -> Route {
    .write(.post, "/v1/reminders", parts: .respected) { request, context in
      creating(
        try ReminderBody(creating: request).values, among: request.lists, settings, context)
    }
  }

  static func createInList(_ settings: RemindersAPISettings) -> Route {
    .write(.post, "/v1/lists/{id}/reminders", parts: .respected) { request, context in
      let list = try request.id("id")
      let values = try ReminderBody(creating: request, in: list).values
      return creating(values, among: request.lists, in: list, settings, context)
    }
  }

  private static func creating(
    _ values: ReminderRepository.Values, among lists: ListExtent, in list: Int? = nil,
    _ settings: RemindersAPISettings, _ context: Context
  ) -> WriteRoute.Work {
    WriteRoute.Work { [clock = context.clock] db in
      // A missing list in the path is a 404, in the body a 422.
      if let list, try !(lists.contains(list) && RemindersList.exists(list, in: db)) {
        throw DomainError.notFound(.list(list))
      }
      let id = try namingAlarms {
        try ReminderRepository.create(
          values.withDefaultAlarms(fixed: settings.fixedAlarms, in: db), among: lists,
          at: clock.now(), zone: settings.zone, in: db)
      }
      return .created(location: "/v1/reminders/\(id)", stored(id, lists))
    }
  }

  /// Changes a reminder. A fault of its alarms is at their place in the body of a reminder.
  private static func namingAlarms<T>(_ change: () throws -> T) throws -> T {
    do { return try change() } catch RuleViolation.alarmWithoutAnchor {
      throw APIProblem.alarmWithoutAnchor("/alarms")
    }
  }

  static let get = Route.read("/v1/reminders/{id}", parts: .respected, audience: .parts) {
    request, _ in
    return LiveSource(request, write: stored(try request.id("id"), request.lists))
  }

  static func update(_ settings: RemindersAPISettings) -> Route {
    .write(.patch, "/v1/reminders/{id}", parts: .respected) { request, context in
      let id = try request.id("id")
      let lists = request.lists
      let clock = context.clock
      let body = try ReminderBody(changing: request)
      return WriteRoute.Work(current: stored(id, lists), readOnly: body.readOnly) { db in
        try UnreadRule.check(body.values, of: id, among: lists, in: settings.zone, db)
        try namingAlarms {
          try ReminderRepository.update(
            id, body.values, among: lists, at: clock.now(), zone: settings.zone,
            fixed: settings.fixedAlarms, in: db)
        }
        return .changed(stored(id, lists))
      }
    }
  }

  /// - Parameter keep: How long the trash keeps it.
  static func delete(keep: Duration) -> Route {
    .write(.delete, "/v1/reminders/{id}", parts: .respected) { request, _ in
      let id = try request.id("id")
      let lists = request.lists
      let isPermanent = try TrashRoutes.isPermanent(request, keep: keep)
      return WriteRoute.Work(current: stored(id, lists)) { db in
        try ReminderRepository.delete(id, among: lists, isPermanent: isPermanent, in: db)
        return .done
      }
    }
  }

  static let tag = Route.write(.put, "/v1/reminders/{id}/tags/{tag}", parts: .respected) {
    request, _ in
    let id = try request.id("id")
    let lists = request.lists
    let tag = try request.tag()
    return WriteRoute.Work(current: stored(id, lists)) { db in
      try ReminderRepository.tag(id, with: tag, among: lists, in: db)
      return .changed(stored(id, lists))
    }
  }

  static let untag = Route.write(.delete, "/v1/reminders/{id}/tags/{tag}", parts: .respected) {
    request, _ in
    let id = try request.id("id")
    let lists = request.lists
    let tag = try request.tag()
    return WriteRoute.Work(current: stored(id, lists)) { db in
      try ReminderRepository.untag(id, from: tag, among: lists, in: db)
      return .done
    }
  }

  /// Writes the reminder as `GET` returns it.
  static func stored(_ id: Int, _ lists: ListExtent) -> WriteRoute.Current {
    { db, body in try db.writeJSONObject(ReminderRepository.item(id, among: lists), into: body) }
  }
}

extension Context {
  /// Returns a function that finds the next instant at which a reminder becomes due today or
  /// overdue in `zone` without a commit.
  func nextDueChange(in zone: ZoneInfo) -> @Sendable (Connection) throws -> Instant? {
    { [clock] db in try DueClock.nextChange(after: clock.now(), in: zone, db) }
  }

  /// The same for the reminders of a filter.
  fileprivate func nextChange(
    of filter: ReminderFilter
  ) -> @Sendable (Connection) throws -> Instant? {
    { [clock] db in try DueClock.nextChange(of: filter, after: clock.now(), db) }
  }
}

extension Request {
  /// The parameter `{tag}` of the path. Throws if it is not a valid title.
  func tag() throws(APIProblem) -> String {
    switch TagTitle.read(parameter("tag") ?? "") {
    case .success(let title): return title
    case .failure(let reason):
      throw APIProblem(
        .invalidParameter, "The tag in the path is invalid.",
        errors: [FieldError(.parameter("tag"), reason.detail)])
    }
  }
}
