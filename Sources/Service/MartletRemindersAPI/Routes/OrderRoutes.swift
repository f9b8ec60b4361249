import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletSQLite
import MartletStore

/// The routes that set the order of all lists, of all smart lists and of the reminders of a list,
/// and that move one of them.
enum OrderRoutes {
  static let lists = Route.write(.put, "/v1/lists/order") { request, _ in
    let ids = try OrderBody(request).ids
    let collection = try ListRepository.page(largestPage)
    return WriteRoute.Work(current: { db, body in
      try write(collection, of: "lists", db, body)
      return true
    }) { db in
      try ListRepository.order(ids, in: db)
      return .done
    }
  }

  static let reminders = Route.write(.put, "/v1/lists/{id}/reminders/order", parts: .respected) {
    request, context in
    let list = try request.id("id")
    let isSeen = request.lists.contains(list)
    let ids = try OrderBody(request).ids
    var filter = ReminderFilter()
    filter.listID = list
    let collection = try ReminderRepository.page(
      filter, sort: ReminderSort(), largestPage, now: context.clock.now())
    return WriteRoute.Work(current: { db, body in
      guard isSeen, try RemindersList.exists(list, in: db) else { return false }
      try write(collection, of: "reminders", db, body)
      return true
    }) { db in
      guard isSeen else { throw DomainError.notFound(.list(list)) }
      try ReminderRepository.order(ids, ofList: list, in: db)
      return .done
    }
  }

  static let list = Route.write(.put, "/v1/lists/{id}/position") { request, _ in
    let id = try request.id("id")
    let destination = try DestinationBody(request).destination
    return WriteRoute.Work(current: ListRoutes.stored(id, .all)) { db in
      try ListRepository.move(id, destination, in: db)
      return .changed(ListRoutes.stored(id, .all))
    }
  }

  static let smartLists = Route.write(.put, "/v1/smart-lists/order") { request, context in
    let ids = try OrderBody(request).ids
    let zone = context.settings.timeZone
    let clock = context.clock
    return WriteRoute.Work(current: { db, body in
      try SmartListRoutes.write(at: clock.now(), in: zone, db, body)
      return true
    }) { db in
      try SmartListRepository.order(ids, in: db)
      return .done
    }
  }

  static let smartList = Route.write(.put, "/v1/smart-lists/{id}/position") { request, context in
    let id = try request.id("id")
    let destination = try DestinationBody(request).destination
    let stored = SmartListRoutes.stored(id, context)
    return WriteRoute.Work(current: stored) { db in
      try SmartListRepository.move(id, destination, in: db)
      return .changed(stored)
    }
  }

  static let reminder = Route.write(.put, "/v1/reminders/{id}/position", parts: .respected) {
    request, _ in
    let id = try request.id("id")
    let lists = request.lists
    let destination = try DestinationBody(request).destination
    return WriteRoute.Work(current: ReminderRoutes.stored(id, lists)) { db in
      try ReminderRepository.move(id, destination, among: lists, in: db)
      return .changed(ReminderRoutes.stored(id, lists))
    }
  }

  private static let largestPage: PageRequest = {
    var page = PageRequest()
    page.limit = PageRequest.limits.upperBound
    return page
  }()

  /// Writes the whole collection, whose ETag `If-Match` of an order is compared with.
  ///
  /// The ETag of a page that contains the whole collection does not depend on `limit`. Throws if
  /// the collection does not fit into one page.
  private static func write(
    _ collection: PageQuery, of nouns: String, _ db: Connection, _ body: ByteBuffer
  ) throws {
    guard try db.writePage(collection, into: body) else { return }
    throw APIProblem(
      .preconditionFailed,
      """
      There are more than \(largestPage.limit) \(nouns), so no ETag of a page covers the order of all of them: leave \
      If-Match out.
      """)
  }
}
