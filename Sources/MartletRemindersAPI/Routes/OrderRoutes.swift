import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletSQLite
import MartletStore

/// The routes that set the order of all lists, and of the reminders of a list.
enum OrderRoutes {
  static let lists = Route.write(.put, "/v1/lists/order") { request, _ in
    let ids = try OrderBody(request).ids
    let collection = try ListRepository.page(largestPage)
    return WriteRoute.Change(current: { db, body in
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
    return WriteRoute.Change(current: { db, body in
      guard isSeen, try ListRepository.exists(list, in: db) else { return false }
      try write(collection, of: "reminders", db, body)
      return true
    }) { db in
      guard isSeen else { throw DomainError.notFound(.list(list)) }
      try ReminderRepository.order(ids, ofList: list, in: db)
      return .done
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
