import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@testable import MartletReminders

/// The plans of the service's queries. Tests of results do not detect that a query scans a table.
@Suite struct QueryPlanTests {
  let db: Connection
  let file: RemindersFile

  init() throws {
    file = try RemindersFile()
    db = try file.connect(as: .service)
  }

  /// A write would cost more with each row of the file. The values of the changed row are known
  /// when a trigger fires.
  @Test("No statement of a trigger scans a table that grows")
  func triggersScanNothing() throws {
    let growing = [
      "reminders", "remindersTags", "calendarObjects", "alarms", "completions", "trash",
      "deliveries",
    ]
    for (name, sql) in RemindersDatabase.triggers {
      let trigger = PrintedTrigger(name, sql)
      #expect(!trigger.body.isEmpty, "\(name)")
      let statements =
        Self.known(trigger.body).split(separator: ";").map(String.init)
        + (trigger.condition.map { ["SELECT \(Self.known($0))"] } ?? [])
      for statement in statements where statement.contains(where: \.isLetter) {
        let plan = try QueryPlan(Query("\(raw: statement)"), in: db)
        for table in growing {
          let scans = plan.steps.filter { $0 == "SCAN \(table)" || $0.hasPrefix("SCAN \(table) ") }
          #expect(scans.isEmpty, "\(name): \(plan)")
        }
      }
    }
  }

  /// The SQL of a trigger with values for the columns of its row, and without messages.
  private static func known(_ sql: String) -> String {
    sql.replacing(#/RAISE\(ABORT, '(?:[^']|'')*'\)/#, with: "1")
      .replacing(#/\b(?:new|old)\.\w+/#, with: "1")
  }

  /// A page either walks along an index that has its order, or sorts the few rows found by an
  /// index.
  @Test(arguments: ServiceQueries.filters)
  func pagesWalkAnIndexOrSortAFewRows(_ filter: ServiceQueries.Filter) throws {
    for sort in ServiceQueries.sorts {
      let isNarrow = !filter.narrowedBy.isEmpty && !filter.inOrderOf.contains(sort.key)
      for query in try ServiceQueries.page(filter, sort) {
        let plan = try QueryPlan(query.query, in: db)
        let comment: Comment = "\(query): \(plan)"
        for step in plan.steps where step.hasPrefix("SCAN") {
          // Rows without one of these dates are read in the order of the table. Most have none.
          let isInTableOrder =
            (sort.key == .startDate || sort.key == .completedAt) && step == "SCAN reminders"
          #expect(
            step.contains("USING") || step.contains("VIRTUAL TABLE INDEX") || isInTableOrder,
            comment)
        }
        if isNarrow {
          let reads = plan.steps.filter { $0.contains(" reminders ") }
          #expect(
            reads.allSatisfy { step in
              // A partial index that has only the rows of the filter is read as a whole.
              step == "SCAN reminders USING INDEX reminders_recurring"
                || step.hasPrefix("SEARCH")
                  && (filter.narrowedBy + ["reminders_list_position"]).contains {
                    step.contains($0)
                  }
            }, comment)
        } else {
          #expect(!plan.steps.contains { $0.contains("TEMP B-TREE") }, comment)
        }
        #expect(!plan.steps.contains { $0.contains("AUTOMATIC") }, comment)
      }
    }
  }

  /// A later page seeks to its first row. Otherwise it would cost as much as all pages before it.
  @Test func aPageBehindAnotherBeginsThere() throws {
    for sort in ServiceQueries.sorts where sort.key != .list {
      for query in try ServiceQueries.page(ServiceQueries.filters[0], sort)
      where !query.name.contains("first") {
        let plan = try QueryPlan(query.query, in: db)
        let isFirstWithoutKey =
          (sort.key == .startDate || sort.key == .completedAt)
          && query.name.hasSuffix("after a key, part 1")
        #expect(
          plan.steps[0].hasPrefix("SEARCH reminders USING")
            || (isFirstWithoutKey && plan.steps[0] == "SCAN reminders"), "\(query): \(plan)")
      }
    }
  }

  @Test func theDefaultOrderWalksListByList() throws {
    let queries = try ServiceQueries.page(ServiceQueries.filters[0], ReminderSort())
    #expect(
      try queries.map { try QueryPlan($0.query, in: db).steps.prefix(2) } == [
        [
          "SCAN remindersLists USING COVERING INDEX remindersLists_position",
          "SEARCH reminders USING INDEX reminders_list_position (remindersListID=?)",
        ],
        [
          "SEARCH remindersLists USING INTEGER PRIMARY KEY (rowid=?)",
          "SEARCH reminders USING INDEX reminders_list_position (remindersListID=? AND position>?)",
        ],
        [
          "SEARCH remindersLists USING COVERING INDEX remindersLists_position (position>?)",
          "SEARCH reminders USING INDEX reminders_list_position (remindersListID=?)",
        ],
      ])
  }

  /// Counting reads only indexes, except for conditions that no single index covers.
  @Test func totalsReadIndexes() throws {
    for query in try ServiceQueries.totals() {
      let plan = try QueryPlan(query.query, in: db)
      // No index has all reminders with their recurrence, their parent or their start.
      let readsTable = ["not recurring, total", "available, total", "without a parent, total"]
        .contains(query.name)
      for step in plan.steps where step.hasPrefix("SCAN") {
        #expect(
          step.contains("USING COVERING INDEX") || step.contains("VIRTUAL TABLE INDEX")
            || step == "SCAN reminders USING INDEX reminders_recurring"
            || (readsTable && step == "SCAN reminders"),
          "\(query): \(plan)")
      }
    }
  }

  @Test func theRestReadsIndexes() throws {
    for query in try ServiceQueries.others() {
      let plan = try QueryPlan(query.query, in: db)
      for step in plan.steps where step.hasPrefix("SCAN") {
        // The table of tags is its own index. Lists and tags are read in their order.
        let isAllowed =
          step.contains("USING COVERING INDEX") || step.contains("VIRTUAL TABLE INDEX")
          || step == "SCAN tags"
          || step == "SCAN remindersLists USING INDEX remindersLists_position"
          || step == "SCAN trash USING INDEX trash_deleted"
          || step == "SCAN completions USING INDEX completions_completedAt"
          || step == "SCAN completions USING INDEX completions_following"
          || step.hasPrefix("SCAN alarms USING INDEX")
          // It has only the texts that name subtasks.
          || step == "SCAN calendarObjects USING INDEX calendarObjects_children"
          // There are at most 50. A page of all deliveries walks along the table, and one of a
          // state along the index that has only that state.
          || step == "SCAN channels" || step == "SCAN deliveries"
          || step.hasPrefix("SCAN deliveries USING INDEX")
        #expect(isAllowed, "\(query): \(plan)")
      }
      let sorts = plan.steps.contains { $0.contains("TEMP B-TREE") }
      // Ranks are known only after all matches have been found. A reminder has few completions.
      #expect(
        !sorts
          || ["search", "completions of a reminder", "alarms of a reminder"].contains(query.name),
        "\(query): \(plan)")
    }
  }

  @Test func statisticsAreOnePass() throws {
    let query = StatisticsRepository.statistics(now: ServiceQueries.now, in: .utc)
    #expect(
      try QueryPlan(query, in: db).steps
        == ["SCAN reminders USING COVERING INDEX reminders_status_due"])
  }

  /// The last position in a list is found without reading the list.
  @Test func creatingCostsTheSameInALongList() throws {
    let insert = try db.prepare(
      sql: "INSERT INTO reminders (remindersListID, title) VALUES (1, 'x')")
    func cost() throws -> Int {
      try insert.run()
      return insert.status(.virtualMachineStep, reset: true)
    }
    let short = try cost()
    try db.execute("BEGIN")
    for _ in 0..<1_000 { try insert.run() }
    try db.execute("COMMIT")
    _ = insert.status(.virtualMachineStep, reset: true)
    let long = try cost()
    #expect(long < short * 2, "\(short) steps, then \(long)")
  }
}
