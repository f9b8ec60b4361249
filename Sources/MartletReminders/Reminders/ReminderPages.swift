import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// Pages of reminders: which index searches they are made of.
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

  /// What the rows are ordered by. Where the filter finds few rows, a `+` keeps SQLite from walking
  /// along an index that has that order instead.
  private func terms(_ reminder: Reminder.TableColumns) -> (key: QueryFragment, id: QueryFragment) {
    let key = sort.term(reminder).queryFragment
    let id = reminder.id.queryFragment
    return filter.isNarrow(beside: sort.key) ? ("+\(key)", "+\(id)") : (key, id)
  }

  /// Two searches where the key may be missing: the rows with a key, then those without.
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

  /// List by list: the rest of the list that the last page ended in, then the lists behind it.
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

  /// Pages that differ in these alone are printed once: the list that is asked for, or was left; the last row's sort key,
  /// or its list's position; its id and position; how many rows.
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
          // SQLite seeks by a row of values only where its first one is a bare column: a page of titles read all titles
          // before it.
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

  /// The sort and the filters, as they identify the list that a cursor belongs to.
  var fingerprint: UInt64 {
    var hash = Fingerprint("reminders")
    hash.combine(sort.key.rawValue)
    hash.combine(sort.isDescending ? "-" : "+")
    hash.combine("\(filter.listID ?? 0)")
    hash.combine(filter.status?.label)
    hash.combine(filter.isCompleted.map { $0 ? "completed" : "open" })
    hash.combine(filter.isFlagged.map { $0 ? "flagged" : "plain" })
    hash.combine(filter.priority?.label)
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

/// A row's sort key, whatever it is stored as.
private struct SortKey: ColumnRepresentation {
  var queryOutput: Value
  init(queryOutput: Value) { self.queryOutput = queryOutput }
  static var kind: ColumnKind { .hidden }
  static func bind(_ value: Value) -> QueryBinding { value.binding }
  static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Value {
    throw row.problem("a sort key is compared with, not read")
  }
}

extension Value {
  /// The value as one of the query builder's.
  fileprivate var binding: QueryBinding {
    switch self {
    case .integer(let value): .int(value)
    case .real(let value): .double(value)
    case .text(let value): .text(value)
    case .blob(let value): .blob(value)
    case .null: .null
    }
  }
}
