/// The clauses after WHERE, which most queries do not have.
struct TailClauses: Sendable {
  var groups: [QueryFragment] = []
  var havings: [QueryFragment] = []
  /// `"name" AS (…)`
  var windows: [QueryFragment] = []
  var orders: [QueryFragment] = []
  /// `nil` means no limit. Setting it replaces an earlier limit.
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

  /// Whether there is nothing to print.
  var isEmpty: Bool {
    groups.isEmpty && havings.isEmpty && windows.isEmpty && orders.isEmpty && !isLimited
  }
  var isLimited: Bool { limit != nil || offset != nil }

  /// Stores the clauses out of line: a query is copied for each clause that is added, and without
  /// these clauses that copies a `nil`.
  final class Box: Sendable {
    let clauses: TailClauses
    init(_ clauses: TailClauses) { self.clauses = clauses }
  }

  /// Adds the clauses of `other` at the end, and its limit and offset where this has none.
  mutating func append(_ other: TailClauses) {
    groups += other.groups
    havings += other.havings
    windows += other.windows
    orders += other.orders
    if limit == nil { saidLimit = other.saidLimit }
    if offset == nil { saidOffset = other.saidOffset }
  }

  /// Adds the clauses of `other` at the beginning, and its limit and offset where none was set
  /// here.
  mutating func precede(by other: TailClauses) {
    let (limit, offset) = (saidLimit.or(other.saidLimit), saidOffset.or(other.saidOffset))
    var clauses = other
    clauses.append(self)
    self = clauses
    (saidLimit, saidOffset) = (limit, offset)
  }

  /// The clauses with those of the default scope at the beginning, unless they are there already.
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

  /// Whether the clauses begin with those of `all`.
  func starts(with all: TailClauses) -> Bool {
    groups.starts(with: all.groups) && havings.starts(with: all.havings)
      && windows.starts(with: all.windows) && orders.starts(with: all.orders)
  }

  /// The clauses without those of `all` at the beginning.
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
    // SQLite has no OFFSET without LIMIT. A negative limit means no limit.
    if let offset {
      sql.append(clause: limit == nil ? " LIMIT -1 OFFSET " : " OFFSET ", [offset], "")
    }
  }
}
