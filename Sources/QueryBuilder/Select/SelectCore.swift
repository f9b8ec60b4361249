/// Every clause of a SELECT, without types: all that is known of SQL about it is here, once.
struct SelectCore: Sendable {
  enum JoinKind: Sendable {
    case inner, left, right, full

    var keyword: StaticString {
      switch self {
      case .inner: " JOIN "
      case .left: " LEFT JOIN "
      case .right: " RIGHT JOIN "
      case .full: " FULL JOIN "
      }
    }
  }
  struct Join: Sendable {
    var kind: JoinKind
    var table: QueryFragment
    var condition: QueryFragment
  }
  struct Source: Sendable {
    var table: QueryFragment
    /// The name that its columns go by.
    var qualifier: String
  }

  var distinct = false
  var columns: [SelectedColumn]
  var source: Source
  var joins: [Join] = []
  /// Conjuncts.
  var conditions: [QueryFragment] = []
  var groups: [QueryFragment] = []
  var havings: [QueryFragment] = []
  var orders: [QueryFragment] = []
  var limit: QueryFragment?
  var offset: QueryFragment?
  /// `Reminder.none`: nothing is executed, and a compound drops it.
  var isNone = false

  init(columns: [SelectedColumn], source: Source) {
    self.columns = columns
    self.source = source
  }

  /// The other query's clauses become this query's: its table is joined, its conditions hold for the
  /// whole.
  mutating func join(_ kind: JoinKind, _ other: SelectCore, on condition: QueryFragment) {
    columns += other.columns
    joins.append(Join(kind: kind, table: other.source.table, condition: condition))
    joins += other.joins
    conditions += other.conditions
    groups += other.groups
    havings += other.havings
    orders += other.orders
    limit = limit ?? other.limit
    offset = offset ?? other.offset
    isNone = isNone || other.isNone
  }

  var query: Query {
    Query(fragment, columns: columns.map(\.result), isEmpty: isNone)
  }

  var fragment: QueryFragment {
    var sql: QueryFragment = distinct ? "SELECT DISTINCT " : "SELECT "
    sql += columns.lazy.map(\.clause).joined(", ")
    sql += " FROM \(source.table)"
    appendTail(to: &sql)
    return sql
  }

  private func appendTail(to sql: inout QueryFragment) {
    for join in joins {
      sql += "\(QueryFragment(join.kind.keyword))\(join.table) ON \(join.condition)"
    }
    appendClause(" WHERE ", conditions, " AND ", to: &sql)
    appendClause(" GROUP BY ", groups, ", ", to: &sql)
    appendClause(" HAVING ", havings, " AND ", to: &sql)
    appendClause(" ORDER BY ", orders, ", ", to: &sql)
    if let limit { sql += " LIMIT \(limit)" }
    // SQLite has no OFFSET without LIMIT; a negative limit is none.
    if let offset { sql += "\(limit == nil ? " LIMIT -1" : "") OFFSET \(offset)" }
  }

  private func appendClause(
    _ keyword: StaticString, _ parts: [QueryFragment], _ separator: String,
    to sql: inout QueryFragment
  ) {
    if !parts.isEmpty { sql += "\(QueryFragment(keyword))\(parts.joined(separator))" }
  }

  /// The WHERE of an UPDATE or DELETE. A query with joins, groups, order or limit becomes a list of row
  /// ids: SQLite is built without LIMIT in those statements.
  var changeCondition: QueryFragment {
    if joins.isEmpty, groups.isEmpty, limit == nil, offset == nil {
      return conditions.isEmpty ? QueryFragment() : " WHERE \(conditions.joined(" AND "))"
    }
    var ids = self
    let rowid = QueryFragment(column: "rowid", of: source.qualifier)
    ids.columns = [SelectedColumn(rowid, ResultColumn("rowid", kind: .integer))]
    return " WHERE (\(rowid) IN (\(ids.fragment)))"
  }
}
