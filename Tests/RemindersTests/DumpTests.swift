import Foundation
import QueryBuilder
@testable import Reminders
import SQLite
import Store
import Testing
import Time

@Suite struct DumpTests {
  @Test func dump() throws {
    let file = try RemindersFile()
    let db = try file.connect(as: .service)
    let now = Instant(milliseconds: 1_767_225_600_000)
    var filters: [(String, ReminderFilter)] = [("none", ReminderFilter())]
    func add(_ name: String, _ body: (inout ReminderFilter) -> Void) {
      var f = ReminderFilter(); body(&f); filters.append((name, f))
    }
    add("listID") { $0.listID = 1 }
    add("status") { $0.status = .completing }
    add("completed") { $0.isCompleted = true }
    add("open") { $0.isCompleted = false }
    add("flagged") { $0.isFlagged = true }
    add("priority") { $0.priority = .high }
    add("tag") { $0.tags = ["car"] }
    add("today") { $0.due = .today }
    add("overdue") { $0.due = .overdue }
    add("scheduled") { $0.due = .scheduled }
    add("dueNone") { $0.due = ReminderFilter.Due.none }
    add("before") { $0.dueBefore = .date(CivilDate("2026-01-01")!) }
    add("after") { $0.dueAfter = .instant(now) }
    add("q") { $0.text = SearchText("milk") }
    add("list+open") { $0.listID = 1; $0.isCompleted = false }
    add("list+q") { $0.listID = 1; $0.text = SearchText("milk") }
    add("list+today") { $0.listID = 1; $0.due = .today }
    for (name, filter) in filters {
      for key in ReminderSort.Key.allCases {
        for desc in [false, true] {
          for cursor in [false, true] {
            let sort = ReminderSort(key, isDescending: desc)
            var request = PageRequest()
            request.wantsTotal = true
            let first = try ReminderRepository.page(filter, sort: sort, request, now: now)
            if cursor {
              let k: [Value] = first.keyCount == 4 ? [.integer(0), .integer(1), .integer(2), .integer(3)] : [key == .priority || key == .position || key == .list ? .integer(1) : .text("x"), .integer(4)]
              request.cursor = PageCursor(fingerprint: first.fingerprint, keys: k)
            }
            let page = try ReminderRepository.page(filter, sort: sort, request, now: now)
            for (i, segment) in page.segments.enumerated() {
              let plan = try QueryPlan(segment(50), in: db)
              print("PLAN \(name) \(key) \(desc ? "DESC" : "ASC") \(cursor ? "cursor" : "first") seg\(i): \(plan.steps.joined(separator: " | "))")
            }
          }
        }
      }
      var request = PageRequest(); request.wantsTotal = true
      let page = try ReminderRepository.page(filter, sort: ReminderSort(), request, now: now)
      print("PLAN \(name) TOTAL: \(try QueryPlan(page.total!, in: db).steps.joined(separator: " | "))")
    }
    func show(_ name: String, _ query: Query) throws { print("PLAN \(name): \(try QueryPlan(query, in: db).steps.joined(separator: " | "))") }
    try show("item", ReminderRepository.item(1))
    try show("list item", ListRepository.item(1))
    try show("tag item", TagRepository.item("car"))
    var request = PageRequest(); request.wantsTotal = true
    try show("lists", ListRepository.page(request).segments[0](3))
    try show("lists total", ListRepository.page(request).total!)
    try show("tags", TagRepository.page(request).segments[0](3))
    try show("tags total", TagRepository.page(request).total!)
    try show("stats", StatisticsRepository.statistics(now: now, in: .utc))
    for t in ["milk", "milk tag:car", "tag:car", "near:3 a b \"c d\"", "\"c d\" tag:x"] {
      if let q = SearchRepository.search(SearchText(t), markers: .init(), limit: 10) {
        do { try show("search \(t)", q); _ = try db.statement(for: q).rows() } catch { print("PLAN search \(t) ERROR \(error)") }
      }
    }
  }
}
