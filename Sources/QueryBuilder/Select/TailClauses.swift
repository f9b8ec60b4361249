/// The clauses behind WHERE, which most queries do not have.
struct TailClauses: Sendable {
  var groups: [QueryFragment] = []
  var havings: [QueryFragment] = []
  /// `"name" AS (…)`
  var windows: [QueryFragment] = []
  var orders: [QueryFragment] = []
  var limit: QueryFragment?
  var offset: QueryFragment?

  /// Kept apart: a query is copied with each clause that is added to it, and what has none of these copies `nil`.
  final class Box: Sendable {
    let clauses: TailClauses
    init(_ clauses: TailClauses) { self.clauses = clauses }
  }

  func append(to sql: inout QueryFragment) {
    sql.append(clause: " GROUP BY ", groups, ", ")
    sql.append(conjuncts: " HAVING ", havings)
    sql.append(clause: " WINDOW ", windows, ", ")
    sql.append(clause: " ORDER BY ", orders, ", ")
    if let limit { sql.append(clause: " LIMIT ", [limit], "") }
    // SQLite has no OFFSET without LIMIT; a negative limit is none.
    if let offset {
      sql.append(clause: limit == nil ? " LIMIT -1 OFFSET " : " OFFSET ", [offset], "")
    }
  }
}

extension SelectCore {
  var groups: [QueryFragment] {
    get { tail.groups }
    set { tail.groups = newValue }
  }
  var havings: [QueryFragment] {
    get { tail.havings }
    set { tail.havings = newValue }
  }
  var windows: [QueryFragment] {
    get { tail.windows }
    set { tail.windows = newValue }
  }
  var orders: [QueryFragment] {
    get { tail.orders }
    set { tail.orders = newValue }
  }
  var limit: QueryFragment? {
    get { tail.limit }
    set { tail.limit = newValue }
  }
  var offset: QueryFragment? {
    get { tail.offset }
    set { tail.offset = newValue }
  }
}

extension QueryFragment {
  /// As `+=`, but two texts stay two: what is printed soon is not copied before.
  mutating func appendUnmerged(_ fragment: QueryFragment) { segments += fragment.segments }
  mutating func append(clause keyword: String, _ parts: [QueryFragment], _ separator: String) {
    for (index, part) in parts.enumerated() {
      segments.append(.sql(index == 0 ? keyword : separator))
      appendUnmerged(part)
    }
  }
  mutating func append(conjuncts keyword: String, _ conditions: [QueryFragment]) {
    append(
      clause: keyword, conditions.count > 1 ? conditions.map(\.operand) : conditions, " AND ")
  }
}
