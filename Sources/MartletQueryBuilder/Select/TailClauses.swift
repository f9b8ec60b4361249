/// The clauses behind WHERE, which most queries do not have.
struct TailClauses: Sendable {
  var groups: [QueryFragment] = []
  var havings: [QueryFragment] = []
  /// `"name" AS (…)`
  var windows: [QueryFragment] = []
  var orders: [QueryFragment] = []
  /// `nil` is no limit, also in place of one that was said before.
  var limit: QueryFragment? {
    get { saidLimit.value }
    set { saidLimit.say(newValue) }
  }
  var offset: QueryFragment? {
    get { saidOffset.value }
    set { saidOffset.say(newValue) }
  }
  private var saidLimit = Said<QueryFragment>()
  private var saidOffset = Said<QueryFragment>()

  /// It prints nothing.
  var isEmpty: Bool {
    groups.isEmpty && havings.isEmpty && windows.isEmpty && orders.isEmpty && !isLimited
  }
  var isLimited: Bool { limit != nil || offset != nil }

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
    if limit == nil { saidLimit = other.saidLimit }
    if offset == nil { saidOffset = other.saidOffset }
  }

  /// Those of `other` come first, and its limit where none was said.
  mutating func precede(by other: TailClauses) {
    let (limit, offset) = (saidLimit.or(other.saidLimit), saidOffset.or(other.saidOffset))
    var clauses = other
    clauses.append(self)
    self = clauses
    (saidLimit, saidOffset) = (limit, offset)
  }

  /// The same behind those of `all`, unless they are there already.
  func beginning(with all: TailClauses) -> TailClauses {
    func joined(_ parts: [QueryFragment], _ first: [QueryFragment]) -> [QueryFragment] {
      parts.starts(with: first) ? parts : first + parts
    }
    var clauses = self
    clauses.groups = joined(groups, all.groups)
    clauses.havings = joined(havings, all.havings)
    clauses.windows = joined(windows, all.windows)
    clauses.orders = joined(orders, all.orders)
    clauses.saidLimit = saidLimit.or(all.saidLimit)
    clauses.saidOffset = saidOffset.or(all.saidOffset)
    return clauses
  }

  /// Those of `all` come first in these.
  func starts(with all: TailClauses) -> Bool {
    groups.starts(with: all.groups) && havings.starts(with: all.havings)
      && windows.starts(with: all.windows) && orders.starts(with: all.orders)
  }

  /// The same without those of `all`, which come first in these.
  func removing(_ all: TailClauses) -> TailClauses {
    var clauses = self
    clauses.groups.removeFirst(all.groups.count)
    clauses.havings.removeFirst(all.havings.count)
    clauses.windows.removeFirst(all.windows.count)
    clauses.orders.removeFirst(all.orders.count)
    clauses.saidLimit = saidLimit.removing(all.saidLimit)
    clauses.saidOffset = saidOffset.removing(all.saidOffset)
    return clauses
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
