import QueryBuilder
import SQLite
import Store
import Time

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

  private func matching(_ key: ReminderSort.Key?) -> Reminder.All {
    Reminder.all.where { reminder in
      for condition in filter.conditions(reminder, now: now, along: key) { condition }
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
    let order: StaticString = sort.isDescending ? "DESC" : "ASC"
    let beyond: StaticString = sort.isDescending ? "<" : ">"

    var segments: [PageQuery.Segment] = []
    if key?.isNull != true {
      segments.append { [self] limit in
        matching(sort.key)
          .where { reminder in
            let terms = terms(reminder)
            if sort.isNullable { SQLQueryExpression<Bool>("(\(terms.key) IS NOT NULL)") }
            if let key, let id {
              SQLQueryExpression<Bool>(
                """
                ((\(terms.key), \(terms.id)) \(raw: "\(beyond)") \
                (\(key.binding), \(bind: id)))
                """)
            }
          }
          .order { reminder in
            SQLOrder("\(terms(reminder).key) \(raw: "\(order)")")
            SQLOrder("\(terms(reminder).id) \(raw: "\(order)")")
          }
          .limit(limit)
          .select { $0.item }
          .query(hiding: [sort.term(Reminder.columns), Reminder.columns.id])
      }
    }
    if sort.isNullable {
      let idAfter = key?.isNull == true ? id : nil
      segments.append { [self] limit in
        matching(sort.key)
          .where { reminder in
            SQLQueryExpression<Bool>("(\(terms(reminder).key) IS NULL)")
            if let idAfter {
              SQLQueryExpression<Bool>(
                "(\(terms(reminder).id) \(raw: "\(beyond)") \(bind: idAfter))")
            }
          }
          .order { SQLOrder("\(terms($0).id) \(raw: "\(order)")") }
          .limit(limit)
          .select { $0.item }
          .query(hiding: [sort.term(Reminder.columns), Reminder.columns.id])
      }
    }
    return segments
  }

  /// List by list: the rest of the list that the last page ended in, then the lists behind it.
  private func acrossLists(_ after: [Value]?) throws(InvalidCursor) -> [PageQuery.Segment] {
    guard let after else { return [{ [self] in lists(from: nil, limit: $0) }] }
    guard after.count == 4, let listPosition = after[0].integer, let list = after[1].integer,
      let position = after[2].integer, let id = after[3].integer
    else { throw InvalidCursor() }
    return [
      { [self] limit in
        lists(
          from: """
            (\(RemindersList.columns.id) = \(bind: list) AND \
            \(RemindersList.position) IS NOT NULL AND \
            (\(Reminder.position), \(Reminder.columns.id)) > (\(bind: position), \(bind: id)))
            """,
          limit: limit)
      },
      { [self] limit in
        lists(
          from: """
            ((\(RemindersList.position), \(RemindersList.columns.id)) > \
            (\(bind: listPosition), \(bind: list)))
            """,
          limit: limit)
      },
    ]
  }

  private func lists(from condition: QueryFragment?, limit: Int) -> Query {
    RemindersList
      .join(matching(sort.key)) { $1.remindersListID == $0.id }
      .where { list, _ in
        if let condition { SQLQueryExpression<Bool>(condition) }
        if let extent = filter.lists.condition(list.id) { extent }
      }
      .order { list, reminder in (list.position, list.id, reminder.position, reminder.id) }
      .limit(limit)
      .select { _, reminder in reminder.item }
      .query(
        hiding: [
          RemindersList.position, RemindersList.columns.id, Reminder.position, Reminder.columns.id,
        ])
  }

  /// The sort and the filters, as they identify the list that a cursor belongs to.
  private var fingerprint: UInt64 {
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
