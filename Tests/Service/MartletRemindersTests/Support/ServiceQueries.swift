import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

@testable import MartletReminders

/// Every query of the service, in every form that its parameters allow.
enum ServiceQueries {
  struct Named: CustomStringConvertible {
    let name: String
    let query: Query

    var description: String { name }
  }

  /// A filter, and the indexes that find its rows if they are few.
  struct Filter: Sendable, CustomStringConvertible {
    let name: String
    let filter: ReminderFilter
    /// The indexes that narrow the search; empty if most rows may match.
    let narrowedBy: [String]
    /// The sort orders that the narrowing index provides as well.
    let inOrderOf: [ReminderSort.Key]

    init(
      _ name: String, narrowedBy indexes: [String] = [], inOrderOf keys: [ReminderSort.Key] = [],
      _ set: (inout ReminderFilter) -> Void = { _ in }
    ) {
      self.name = name
      narrowedBy = indexes
      inOrderOf = keys
      var filter = ReminderFilter()
      set(&filter)
      self.filter = filter
    }

    var description: String { name }
  }

  static let now = Instant(milliseconds: 1_767_225_600_000)

  private static let ofList = ["reminders_list_status", "reminders_list_position"]
  private static let byID = ["USING INTEGER PRIMARY KEY (rowid=?)", "AND rowid=?"]

  static let filters = [
    Filter("all"),
    Filter("a list", narrowedBy: ofList, inOrderOf: [.list, .position]) { $0.listID = 1 },
    Filter("incomplete") { $0.status = .incomplete },
    Filter("status completed") { $0.status = .completed },
    Filter("completing", narrowedBy: ["reminders_status_due"], inOrderOf: [.dueDate]) {
      $0.status = .completing
    },
    Filter("completed") { $0.isCompleted = true },
    Filter("open") { $0.isCompleted = false },
    Filter("flagged") { $0.isFlagged = true },
    Filter("of a priority") { $0.priorities = [.high] },
    Filter("of one of two priorities") { $0.priorities = [.low, .high] },
    Filter("of two lists") { $0.listIDs = [1, 2] },
    Filter("recurring", narrowedBy: ["reminders_recurring"]) { $0.isRecurring = true },
    Filter("subtasks", narrowedBy: ["reminders_parent"]) { $0.parent = .reminder(1) },
    Filter("without a parent") { $0.parent = ReminderFilter.Parent.none },
    Filter("not recurring") { $0.isRecurring = false },
    Filter("available") { $0.isAvailable = true },
    Filter("due within a week") { $0.dueWithin = 7 },
    Filter("tagged", narrowedBy: byID) { $0.tags = ["car"] },
    Filter("tagged twice", narrowedBy: byID) { $0.tags = ["car", "home"] },
    Filter("today", narrowedBy: ["reminders_open_due"], inOrderOf: [.dueDate]) { $0.due = .today },
    Filter("overdue", narrowedBy: ["reminders_open_due"], inOrderOf: [.dueDate]) {
      $0.due = .overdue
    },
    Filter("scheduled") { $0.due = .scheduled },
    Filter("without a date") { $0.due = ReminderFilter.Due.none },
    Filter("due before") { $0.dueBefore = .instant(now) },
    Filter("due after") { $0.dueAfter = .day(CivilDate(utc: now)) },
    Filter("due between", narrowedBy: ["reminders_due"], inOrderOf: [.dueDate]) {
      $0.dueBefore = .instant(now)
      $0.dueAfter = .day(CivilDate(utc: now))
    },
    Filter("text", narrowedBy: byID) { $0.text = SearchText("milk tag:car") },
    Filter("open, of a list", narrowedBy: ofList, inOrderOf: [.list, .position]) {
      $0.listID = 1
      $0.isCompleted = false
    },
    Filter("today, of a list", narrowedBy: ofList, inOrderOf: [.list, .position]) {
      $0.listID = 1
      $0.due = .today
    },
    Filter("text, of a list", narrowedBy: ofList + byID, inOrderOf: [.list, .position]) {
      $0.listID = 1
      $0.text = SearchText("milk")
    },
    Filter("open, tagged, flagged", narrowedBy: byID) {
      $0.tags = ["car"]
      $0.isFlagged = true
      $0.isCompleted = false
    },
    Filter("open, flagged, of a priority") {
      $0.isFlagged = true
      $0.isCompleted = false
      $0.priorities = [.low]
    },
  ]

  static let sorts = ReminderSort.Key.allCases.flatMap { key in
    [ReminderSort(key), ReminderSort(key, isDescending: true)]
  }

  /// The queries of a page of reminders: of the first page, and of pages after a row with and
  /// without a sort key.
  static func page(_ filter: Filter, _ sort: ReminderSort) throws -> [Named] {
    var request = PageRequest()
    let first = try ReminderRepository.page(filter.filter, sort: sort, request, now: now)
    var pages = [("first", first)]
    for keys in cursors(for: first, sort) {
      request.cursor = PageCursor(fingerprint: first.fingerprint, keys: keys)
      let page = try ReminderRepository.page(filter.filter, sort: sort, request, now: now)
      pages.append((keys[0].isNull ? "after none" : "after a key", page))
    }
    return pages.flatMap { name, page in
      page.segments.enumerated().map { index, segment in
        let order = "\(sort.key) \(sort.isDescending ? "down" : "up")"
        return Named(name: "\(filter), \(order), \(name), part \(index)", query: segment(51))
      }
    }
  }

  private static func cursors(for page: PageQuery, _ sort: ReminderSort) -> [[Value]] {
    if page.keyCount == 4 { return [[0, 1, 2, 3]] }
    return switch sort.key {
    case .list, .position, .priority: [[1, 4], [.null, 4]]
    case .title: [["x", 4]]
    case .dueDate, .startDate, .createdAt, .updatedAt, .completedAt:
      [["2026-01-01", 4], [.null, 4]]
    }
  }

  static func totals() throws -> [Named] {
    var request = PageRequest()
    request.wantsTotal = true
    return try filters.compactMap { filter in
      try ReminderRepository.page(filter.filter, sort: ReminderSort(), request, now: now).total
        .map { Named(name: "\(filter), total", query: $0) }
    }
  }

  /// All queries except pages of reminders.
  static func others() throws -> [Named] {
    var request = PageRequest()
    request.wantsTotal = true
    let lists = try ListRepository.page(request)
    let tags = try TagRepository.page(request)
    var result = [
      Named(name: "a reminder", query: ReminderRepository.item(1)),
      Named(name: "a list", query: ListRepository.item(1)),
      Named(name: "a tag", query: TagRepository.item("car")),
      Named(name: "lists", query: lists.segments[0](51)),
      Named(name: "tags", query: tags.segments[0](51)),
      Named(name: "statistics", query: StatisticsRepository.statistics(now: now, in: .utc)),
    ]
    var feed = ChangeFeed()
    result.append(Named(name: "changes", query: feed.news(after: 7).query))
    feed.lists = .only([1])
    result += [
      Named(name: "changes of a list", query: feed.news(after: 7).query),
      Named(name: "the newest change of a list", query: feed.head().query),
      Named(name: "a list with a UID", query: ListRepository.withUID("a").query),
      Named(name: "a smart list with a UID", query: SmartListRepository.withUID("a").query),
      Named(
        name: "a calendar object with a name",
        query: Query("\(raw: CalendarRepository.named)")),
      Named(
        name: "calendar objects that name subtasks",
        query: Query("\(raw: CalendarRepository.naming)")),
      Named(
        name: "what has changed in a list since a sync token",
        query: Query(
          "SELECT id FROM reminders WHERE remindersListID = 1 AND calendarVersion > 7")),
      Named(
        name: "calendar objects that wait for a parent",
        query: CalendarObject.where { $0.parentUID.eq("a") }.select(\.reminderID).query),
      Named(
        name: "completions that follow another program",
        query: Query(QueryFragment("\(raw: Subtasks.following)"))),
      Named(name: "a reminder with a UID", query: ReminderRepository.withUID("a", in: 1).query),
    ]
    var completions = CompletionRepository.Filter()
    result.append(
      Named(
        name: "completions",
        query: try CompletionRepository.page(completions, request).segments[0](51)))
    completions.reminderID = 1
    result.append(
      Named(
        name: "completions of a reminder",
        query: try CompletionRepository.page(completions, request).segments[0](51)))
    result.append(
      Named(
        name: "what a completion has completed as well",
        query: Completion.where { $0.causeID.eq(1) }.select { $0.id }.query))
    result += try alarms() + channels()
    request.cursor = nil
    let trash = try TrashRepository.page(request, among: .all, keep: .zero)
    result += [
      Named(name: "the trash", query: trash.segments[0](51)),
      Named(
        name: "the entries of a reminder",
        query: TrashRepository.entries(of: .reminder, 1).select { $0.id }.query),
      Named(
        name: "the portions of a list",
        query: TrashEntry.where { $0.listID == 1 && #sql("isPortion = 1") }.select { $0.id }.query),
    ]
    result += [lists.total, tags.total].compactMap { $0 }.map { Named(name: "total", query: $0) }
    request.cursor = PageCursor(fingerprint: lists.fingerprint, keys: [0, 1])
    result.append(
      Named(name: "lists, after", query: try ListRepository.page(request).segments[0](51)))
    request.cursor = PageCursor(fingerprint: tags.fingerprint, keys: ["car"])
    result.append(
      Named(name: "tags, after", query: try TagRepository.page(request).segments[0](51)))
    for text in ["milk", "milk tag:car \"a b\"", "near:3 a b", "tag:!"] {
      let text = SearchText(text)
      let found = SearchRepository.search(text, markers: SearchRepository.Markers(), limit: 51)
      result += [found, SearchRepository.total(text)].compactMap { $0 }
        .map { Named(name: "search", query: $0) }
    }
    return result
  }

  private static func alarms() throws -> [Named] {
    var filter = AlarmRepository.Filter()
    let request = PageRequest()
    var result = [
      Named(name: "stale alarms", query: AlarmRepository.stale().limit(9).query),
      Named(name: "stale alarms of a reminder", query: AlarmRepository.stale(of: 1).query),
      Named(name: "alarms that are due", query: AlarmRepository.due(at: now).query),
      Named(name: "the next alarm", query: AlarmRepository.first().query),
      Named(name: "old firings", query: AgePass<Firing>(cutoff: nil).expired(before: now).query),
      Named(name: "alarms that have ended", query: Outbox.ended(at: now).query),
      Named(name: "an alarm", query: AlarmRepository.item(1, among: .only([1]))),
    ]
    for state in [nil] + ReminderAlarm.State.allCases {
      filter.state = state
      for segment in try AlarmRepository.page(filter, request).segments {
        result.append(Named(name: "alarms \(state?.label ?? "")", query: segment(51)))
      }
    }
    filter.state = nil
    filter.reminderID = 1
    result.append(
      Named(
        name: "alarms of a reminder",
        query: try AlarmRepository.page(filter, request).segments[0](51)))
    return result
  }

  private static func channels() throws -> [Named] {
    var filter = DeliveryRepository.Filter()
    var request = PageRequest()
    request.wantsTotal = true
    let channels = try ChannelRepository.page(request)
    var result = [
      Named(name: "a channel", query: ChannelRepository.item(1)),
      Named(name: "channels", query: channels.segments[0](51)),
      Named(name: "a push subscription", query: PushRepository.item(1, in: .ofKey(1))),
      Named(
        name: "push subscriptions",
        query: try PushRepository.page(.ofKey(1), request).segments[0](51)),
      Named(
        name: "channels with work", query: DeliveryRepository.channelsWithWork().query),
      Named(name: "channels that get changes", query: Outbox.following().query),
      Named(name: "channels that are enabled", query: Outbox.enabled().query),
      Named(name: "deliveries that wait for a channel", query: Outbox.waiting(for: 1).query),
      Named(name: "a completion since", query: Outbox.completion(of: 1, after: 7).query),
      Named(name: "a deleted title", query: Outbox.deletedTitle(.reminder, 1, in: 1).query),
      Named(name: "a delivery", query: DeliveryRepository.item(1)),
      Named(name: "the next deliveries", query: DeliveryRepository.next(of: 1, 3).query),
      Named(name: "the next delivery to expire", query: DeliveryRepository.expiring().query),
      Named(
        name: "old deliveries", query: AgePass<Delivery>(cutoff: nil).expired(before: now).query),
    ]
    for channel in [nil, 1] {
      for state in [nil] + DeliveryState.allCases {
        (filter.channelID, filter.state) = (channel, state)
        request.cursor = nil
        let page = try DeliveryRepository.page(filter, request)
        let name = "deliveries \(channel == nil ? "" : "of a channel ")\(state?.label ?? "")"
        result.append(Named(name: name, query: page.segments[0](51)))
        result += page.total.map { [Named(name: "\(name), total", query: $0)] } ?? []
        request.cursor = PageCursor(fingerprint: page.fingerprint, keys: [7])
        let after = try DeliveryRepository.page(filter, request)
        result.append(Named(name: "\(name), after", query: after.segments[0](51)))
      }
    }
    return result
      + [channels.total].compactMap { $0 }.map { Named(name: "channels, total", query: $0) }
  }

  static func all() throws -> [Named] {
    try filters.flatMap { filter in try sorts.flatMap { try page(filter, $0) } } + totals()
      + others()
  }
}

/// The plan by which SQLite runs a query (https://sqlite.org/eqp.html), one line per step.
struct QueryPlan: CustomStringConvertible {
  let sql: String
  let steps: [String]

  init(_ query: Query, in db: Connection) throws {
    sql = query.fragment.prepare().sql
    steps = try db.statement(for: Query("EXPLAIN QUERY PLAN \(query.fragment)")).rows()
      .compactMap { $0[3].text }
  }

  var description: String { sql + "\n  " + steps.joined(separator: "\n  ") }
}
