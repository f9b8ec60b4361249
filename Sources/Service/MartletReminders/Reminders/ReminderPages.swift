import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// A page of reminders, as the index searches that find its rows.
struct ReminderPages {
  let filter: ReminderFilter
  let sort: ReminderSort
  let request: PageRequest
  let now: Instant

  func page() throws(InvalidCursor) -> PageQuery {
    let fingerprint = fingerprint
    let after = try request.keys(for: fingerprint)
    let isAcrossLists = sort.key == .list && filter.listID == nil
    return PageQuery(
      segments: isAcrossLists ? try acrossLists(after) : try byColumn(after),
      keyCount: isAcrossLists ? 4 : 2, limit: request.limit, fingerprint: fingerprint,
      total: request.wantsTotal ? matching(nil).count.query : nil)
  }

  private func matching(
    _ key: ReminderSort.Key?, list: SQLQueryExpression<Int>? = nil
  ) -> Reminder.All {
    Reminder.all.where { reminder in
      for condition in filter.conditions(reminder, now: now, along: key, list: list) { condition }
    }
  }

  /// The terms that order the rows. If the filter finds few rows, a `+` keeps SQLite from walking
  /// an index in that order instead.
  private func terms(_ reminder: Reminder.TableColumns) -> (key: QueryFragment, id: QueryFragment) {
    let key = sort.term(reminder).queryFragment
    let id = reminder.id.queryFragment
    return filter.isNarrow(beside: sort.key) ? ("+\(key)", "+\(id)") : (key, id)
  }

  /// Two searches if the key may be missing: the rows with a key, then the rows without one.
  private func byColumn(_ after: [Value]?) throws(InvalidCursor) -> [PageQuery.Segment] {
    let key = after?.first
    let id = after?.last?.integer.map(Int.init)
    if let after {
      guard after.count == 2, id != nil, key.map(sort.takes) == true else { throw InvalidCursor() }
    }
    var segments: [PageQuery.Segment] = []
    if key?.isNull != true {
      segments.append(segment(.withKey(isAfter: key != nil), key: key, id: id))
    }
    if sort.isNullable {
      let idAfter = key?.isNull == true ? id : nil
      segments.append(segment(.withoutKey(isAfter: idAfter != nil), id: idAfter))
    }
    return segments
  }

  /// The rest of the list in which the last page ended, then the lists after it.
  private func acrossLists(_ after: [Value]?) throws(InvalidCursor) -> [PageQuery.Segment] {
    guard let after else { return [segment(.lists)] }
    guard after.count == 4, after[0].integer != nil, let list = after[1].integer,
      let position = after[2].integer, let id = after[3].integer
    else { throw InvalidCursor() }
    return [
      segment(.restOfList, list: Int(list), id: Int(id), position: Int(position)),
      segment(.listsBehind, list: Int(list), key: after[0]),
    ]
  }

  // MARK: Segments

  private enum Part: Hashable {
    case withKey(isAfter: Bool), withoutKey(isAfter: Bool)
    case lists, restOfList, listsBehind
  }

  /// The prepared queries of pages, which differ only in these parameters: the ID of the list that
  /// is requested or in which the last page ended; the sort key of the last row, or the position of
  /// its list; the last row's ID and position; the number of rows.
  private static let prepared = PreparedQueries<Shape, Int, SortKey, Int, Int, Int>()

  private struct Shape: Hashable {
    let filter: ReminderFilter
    let sort: ReminderSort
    let part: Part
  }

  private func segment(
    _ part: Part, list: Int? = nil, key: Value? = nil, id: Int? = nil, position: Int? = nil
  ) -> PageQuery.Segment {
    let (list, key, id, position) = (
      list ?? filter.listID ?? 0, key ?? .null, id ?? 0, position ?? 0
    )
    return { [self] limit in
      guard let shape = filter.shape else {
        return query(
          part, list: bound(list), key: SQLQueryExpression(QueryFragment(key.binding)),
          id: bound(id), position: bound(position), limit: bound(limit))
      }
      let prepared = Self.prepared(Shape(filter: shape, sort: sort, part: part)) {
        query(part, list: $0, key: $1, id: $2, position: $3, limit: $4)
      }
      return prepared(list, key, id, position, limit)
    }
  }

  private func bound(_ value: Int) -> SQLQueryExpression<Int> {
    SQLQueryExpression(value.queryFragment)
  }

  private func query(
    _ part: Part, list: SQLQueryExpression<Int>, key: SQLQueryExpression<SortKey>,
    id: SQLQueryExpression<Int>, position: SQLQueryExpression<Int>, limit: SQLQueryExpression<Int>
  ) -> Query {
    switch part {
    case .withKey(let isAfter):
      inColumn(list, limit, ordersKey: true) { reminder in
        let terms = terms(reminder)
        if sort.isNullable { SQLQueryExpression<Bool>("(\(terms.key) IS NOT NULL)") }
        if isAfter {
          // SQLite seeks with a row-value comparison only if its first term is a bare column.
          // Without this condition, a page of titles reads all titles before it.
          if sort.key == .title {
            SQLQueryExpression<Bool>("(\(terms.key) \(raw: "\(beyond)")= \(key))")
          }
          SQLQueryExpression<Bool>(
            "((\(terms.key), \(terms.id)) \(raw: "\(beyond)") (\(key), \(id)))")
        }
      }
    case .withoutKey(let isAfter):
      inColumn(list, limit, ordersKey: false) { reminder in
        let terms = terms(reminder)
        SQLQueryExpression<Bool>("(\(terms.key) IS NULL)")
        if isAfter { SQLQueryExpression<Bool>("(\(terms.id) \(raw: "\(beyond)") \(id))") }
      }
    case .lists: inLists(nil, limit)
    case .restOfList:
      inLists(
        """
        (\(RemindersList.columns.id) = \(list) AND \(RemindersList.position) IS NOT NULL AND \
        (\(Reminder.position), \(Reminder.columns.id)) > (\(position), \(id)))
        """, limit)
    case .listsBehind:
      inLists(
        "((\(RemindersList.position), \(RemindersList.columns.id)) > (\(key), \(list)))", limit)
    }
  }

  private var beyond: StaticString { sort.isDescending ? "<" : ">" }

  private func inColumn(
    _ list: SQLQueryExpression<Int>, _ limit: SQLQueryExpression<Int>, ordersKey: Bool,
    @WhereBuilder _ condition: (Reminder.TableColumns) -> QueryFragment
  ) -> Query {
    let order: StaticString = sort.isDescending ? "DESC" : "ASC"
    return matching(sort.key, list: list)
      .where(condition)
      .order { reminder in
        if ordersKey { SQLOrder("\(terms(reminder).key) \(raw: "\(order)")") }
        SQLOrder("\(terms(reminder).id) \(raw: "\(order)")")
      }
      .limit { _ in limit }
      .select { $0.item }
      .query(hiding: [sort.term(Reminder.columns), Reminder.columns.id])
  }

  private func inLists(_ condition: QueryFragment?, _ limit: SQLQueryExpression<Int>) -> Query {
    RemindersList
      .join(matching(sort.key)) { $1.remindersListID == $0.id }
      .where { list, _ in
        if let condition { SQLQueryExpression<Bool>(condition) }
        if let extent = filter.lists.condition(list.id) { extent }
      }
      .order { list, reminder in (list.position, list.id, reminder.position, reminder.id) }
      .limit { _, _ in limit }
      .select { _, reminder in reminder.item }
      .query(
        hiding: [
          RemindersList.position, RemindersList.columns.id, Reminder.position, Reminder.columns.id,
        ])
  }

  /// A hash of the sort order and the filters, which identifies the collection that a cursor
  /// belongs to.
  var fingerprint: UInt64 {
    var hash = Fingerprint("reminders")
    hash.combine(sort.key.rawValue)
    hash.combine(sort.isDescending ? "-" : "+")
    hash.combine("\(filter.listID ?? 0)")
    hash.combine(filter.status?.label)
    hash.combine(filter.isCompleted.map { $0 ? "completed" : "open" })
    hash.combine(filter.isFlagged.map { $0 ? "flagged" : "plain" })
    for priority in filter.priorities.sorted(by: { $0.rawValue < $1.rawValue }) {
      hash.combine(priority.label)
    }
    for id in filter.listIDs.sorted() { hash.combine("list \(id)") }
    switch filter.parent {
    case .reminder(let id)?: hash.combine("below \(id)")
    case ReminderFilter.Parent.none?: hash.combine("no parent")
    case nil: hash.combine(nil)
    }
    hash.combine(filter.isRecurring.map { $0 ? "recurring" : "single" })
    hash.combine(filter.isAvailable.map { $0 ? "available" : "later" })
    hash.combine(filter.dueWithin.map { "within \($0)" })
    hash.combine("\(filter.tags.count)")
    for tag in filter.tags { hash.combine(tag) }
    hash.combine(filter.due?.rawValue)
    hash.combine(filter.dueBefore.map { "\($0)" })
    hash.combine(filter.dueAfter.map { "\($0)" })
    hash.combine(filter.text?.source)
    hash.combine(filter.zone.identifier)
    return hash.value
  }
}

/// The sort key of a row, of any storage class.
private struct SortKey: ColumnRepresentation {
  var queryOutput: Value
  init(queryOutput: Value) { self.queryOutput = queryOutput }
  static var kind: ColumnKind { .hidden }
  static func bind(_ value: Value) -> QueryBinding { value.binding }
  static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Value {
    throw row.problem("a sort key is only compared, never read")
  }
}
