/// The clauses behind WHERE, which most queries do not have.
struct TailClauses: Equatable, Sendable {
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

  /// Those of `other` come behind these, and its limit where there is none.
  mutating func append(_ other: TailClauses) {
    groups += other.groups
    havings += other.havings
    windows += other.windows
    orders += other.orders
    limit = limit ?? other.limit
    offset = offset ?? other.offset
  }

  /// Those of `other` come first, and its limit where there is none.
  mutating func precede(by other: TailClauses) {
    let (limit, offset) = (limit ?? other.limit, offset ?? other.offset)
    var clauses = other
    clauses.append(self)
    self = clauses
    (self.limit, self.offset) = (limit, offset)
  }

  func renaming(_ old: String, _ new: String) -> TailClauses {
    func renamed(_ parts: [QueryFragment]) -> [QueryFragment] {
      parts.map { $0.renaming(old, new) }
    }
    var clauses = self
    clauses.groups = renamed(groups)
    clauses.havings = renamed(havings)
    clauses.windows = renamed(windows)
    clauses.orders = renamed(orders)
    return clauses
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
