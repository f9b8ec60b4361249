import MartletHTTP
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletSQLite
import MartletStore

enum OrderRoutes {
  static let lists = Route.write(.put, "/v1/lists/order") { request, _ in
    let ids = try OrderBody(request).ids
    let collection = try ListRepository.page(PageRequest())
    return WriteRoute.Change(current: { db, body in
      try db.writeJSON(collection, into: body)
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
      filter, sort: ReminderSort(), PageRequest(), now: context.clock.now())
    return WriteRoute.Change(current: { db, body in
      guard isSeen, try ListRepository.exists(list, in: db) else { return false }
      try db.writeJSON(collection, into: body)
      return true
    }) { db in
      guard isSeen else { throw DomainError.notFound(.list(list)) }
      try ReminderRepository.order(ids, ofList: list, in: db)
      return .done
    }
  }
}
