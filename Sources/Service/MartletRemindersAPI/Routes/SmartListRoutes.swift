import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletSQLite
import MartletStore
import MartletTime

/// The routes of `/v1/smart-lists`: stored filters of reminders, with live counts.
///
/// Keys that are limited to some lists cannot use them: a filter names lists and tags that they do
/// not see.
enum SmartListRoutes {
  /// Runs on a worker, because each count can take long.
  static let list = Route.read("/v1/smart-lists", on: .worker, audience: .everyone) {
    request, context in
    var parameters = QueryParameters.ofRead(request)
    let zone = parameters.timeZone(context)
    try parameters.finish()
    let clock = context.clock
    let nextChange = { @Sendable (db: Connection) in
      try SmartListRepository.all(in: db)
        .compactMap { try next(of: $0.reminderFilter(in: zone), after: clock.now(), db) }.min()
    }
    return LiveSource(request, nextChange: nextChange) { db, body in
      try write(at: clock.now(), in: zone, db, body)
      return true
    }
  }

  static let get = Route.read("/v1/smart-lists/{id}", on: .worker, audience: .everyone) {
    request, context in
    let id = try request.id("id")
    var parameters = QueryParameters.ofRead(request)
    let zone = parameters.timeZone(context)
    try parameters.finish()
    return LiveSource(
      request, nextChange: nextChange(of: id, in: zone, context), write: stored(id, context, zone))
  }

  /// A page of the reminders that match, in the order of the smart list.
  static let reminders = Route.read("/v1/smart-lists/{id}/reminders", audience: .everyone) {
    request, context in
    let id = try request.id("id")
    var parameters = QueryParameters.ofRead(request)
    let page = try parameters.page()
    let zone = parameters.timeZone(context)
    let isCompleted = parameters.bool("completed")
    try parameters.finish()
    let clock = context.clock
    return LiveSource(request, nextChange: nextChange(of: id, in: zone, context)) { db, body in
      guard let list = try SmartListRepository.find(id, in: db) else { return false }
      let filter = list.reminderFilter(in: zone)?.showing(isCompleted) ?? .nothing
      let query = try ReminderRepository.page(
        filter, sort: list.reminderSort, page, now: clock.now())
      try db.writeJSON(query, into: body)
      return true
    }
  }

  static let create = Route.write(.post, "/v1/smart-lists") { request, context in
    let body = try SmartListBody(creating: request)
    return WriteRoute.Work { db in
      let id = try SmartListRepository.create(body.values, in: db)
      return .created(location: "/v1/smart-lists/\(id)", stored(id, context))
    }
  }

  static let update = Route.write(.patch, "/v1/smart-lists/{id}") { request, context in
    let id = try request.id("id")
    let body = try SmartListBody(changing: request)
    let stored = stored(id, context)
    return WriteRoute.Work(current: stored, readOnly: body.readOnly) { db in
      try SmartListRepository.update(id, body.values, in: db)
      // Another program may have stored members that cannot be read.
      if body.values.filter != nil, let list = try SmartListRepository.find(id, in: db),
        list.reminderFilter(in: .utc) == nil
      {
        throw DomainError.invalid(
          "filter",
          "the stored filter has other members that cannot be read: correct or remove them")
      }
      return .changed(stored)
    }
  }

  static let delete = Route.write(.delete, "/v1/smart-lists/{id}") { request, context in
    let id = try request.id("id")
    return WriteRoute.Work(current: stored(id, context)) { db in
      try SmartListRepository.delete(id, in: db)
      return .done
    }
  }

  /// Writes the smart list as `GET` returns it.
  ///
  /// - Parameter zone: The zone of a filter that names none; `nil`: the one of the settings.
  static func stored(
    _ id: Int, _ context: Context, _ zone: ZoneInfo? = nil
  ) -> WriteRoute.Current {
    let zone = zone ?? context.settings.timeZone
    return { [clock = context.clock] db, body in
      guard let list = try SmartListRepository.find(id, in: db) else { return false }
      try write(list, at: clock.now(), in: zone, db, body)
      return true
    }
  }

  /// Writes all smart lists as `GET` returns them.
  static func write(
    at now: Instant, in zone: ZoneInfo, _ db: Connection, _ body: ByteBuffer
  ) throws {
    try JSONWriter.object(into: body) { object in
      try object.member("items") { items in
        var array = JSONArrayWriter(items)
        for list in try SmartListRepository.all(in: db) {
          array.next()
          try write(list, at: now, in: zone, db, items)
        }
        array.end()
      }
      object.member("nextCursor", String?.none)
    }
  }

  private static func write(
    _ list: SmartList, at now: Instant, in zone: ZoneInfo, _ db: Connection, _ body: ByteBuffer
  ) throws {
    let filter = list.reminderFilter(in: zone)
    let (count, isMore) =
      try filter.map { try SmartListRepository.count($0, at: now, in: db) } ?? (0, false)
    JSONWriter.object(into: body) { object in
      object.member("id", list.id)
      object.member("uid", list.uid)
      object.member("title", list.title)
      object.member("color", ListColor.text(list.color))
      object.member("icon", list.icon)
      object.member("filter", SmartList.members(of: list.filter))
      object.member("sort", list.sort)
      object.member("position", list.position)
      object.member("count", count)
      object.member("isMore", isMore)
      object.member("createdAt", list.createdAt.map(RFC3339.string))
      object.member("updatedAt", list.updatedAt.map(RFC3339.string))
    }
  }

  private static func nextChange(
    of id: Int, in zone: ZoneInfo, _ context: Context
  ) -> @Sendable (Connection) throws -> Instant? {
    { [clock = context.clock] db in
      let list = try SmartListRepository.find(id, in: db)
      return try next(of: list?.reminderFilter(in: zone), after: clock.now(), db)
    }
  }

  private static func next(
    of filter: ReminderFilter?, after now: Instant, _ db: Connection
  ) throws -> Instant? {
    guard let filter, filter.dependsOnClock else { return nil }
    return try DueClock.nextChange(of: filter, after: now, db)
  }
}

extension ReminderFilter {
  /// A filter that no reminder matches.
  fileprivate static var nothing: ReminderFilter {
    var filter = ReminderFilter()
    filter.lists = .only([])
    return filter
  }

  /// The filter, limited to completed reminders or to others unless it says itself which.
  fileprivate func showing(_ isCompleted: Bool?) -> ReminderFilter {
    var filter = self
    if self.isCompleted == nil { filter.isCompleted = isCompleted }
    return filter
  }
}
