// `&&`, `||`, `!` and `+` of queries. No clause of either side is lost: a query with clauses that
// cannot be combined, such as a limit, becomes the condition that a row is among its rows.

extension SelectCore {
  /// Whether the query has only conditions, an order and DISTINCT, which the combined query keeps.
  private var isPlain: Bool { isPlainCondition }

  /// The conditions that select the query's rows. A query with other clauses has a single one: the
  /// row is among those it selects.
  private var requirements: [QueryFragment] { isPlain ? conditions : [isAmongRows] }

  /// The terms of ORDER BY. Those of a grouped query order groups instead of rows, and are dropped.
  private var ownOrders: [QueryFragment] {
    self.groups.isEmpty && self.havings.isEmpty ? self.orders : []
  }

  /// Selects the rows of both queries, or of either. The default scope is applied when the query is
  /// printed, unless only one side has one: then it becomes a condition of that side.
  mutating func combine(with right: SelectCore, isEither: Bool) {
    var left = self
    var right = right.named(source.qualifier)
    if (left.defaultScope == nil) != (right.defaultScope == nil) {
      (left, right) = (left.resolved, right.resolved)
      (left.defaultScope, right.defaultScope) = (nil, nil)
    }
    // Conditions that both sides have because they were built from the same query are kept once.
    var shared = 0
    if left.isPlain, right.isPlain, left.hasOrigin(of: right) {
      shared = zip(left.conditions, right.conditions).prefix { $0 == $1 }.count
    }
    let common = Array(left.conditions.prefix(shared))
    let (first, second) = (
      left.requirements.dropFirst(shared), right.requirements.dropFirst(shared)
    )
    let (orders, others) = (left.ownOrders, right.ownOrders)

    var core = left
    if isEither {
      core.conditions = common
      switch (left.isNone, right.isNone) {
      case (true, true): break
      case (true, false): core.conditions += second
      case (false, true): core.conditions += first
      case (false, false) where first.isEmpty || second.isEmpty: break
      case (false, false):
        core.conditions.append("(\(conjunction(first)) OR \(conjunction(second)))")
      }
    } else {
      core.conditions = common + first + second
    }
    core.isNone = isEither ? left.isNone && right.isNone : left.isNone || right.isNone
    core.keepRows(windows: left.windows + right.windows.filter { !left.windows.contains($0) })
    core.orders = others.starts(with: orders) ? others : orders + others
    if right.distinct { core.distinct = true }
    self = core
  }

  /// Selects the rows that the query does not select.
  mutating func negate() {
    let condition = isNone ? "0" : conjunction(requirements[...])
    let orders = ownOrders
    keepRows(windows: self.windows)
    if !orders.isEmpty { self.orders = orders }
    conditions = ["(NOT \(condition))"]
    isNone = false
  }

  /// Removes joins and the clauses after WHERE, whose effect is now part of a condition.
  private mutating func keepRows(windows: [QueryFragment]) {
    joins = []
    if tail.isEmpty, windows.isEmpty { return }
    tail = TailClauses()
    self.windows = windows
  }

  /// Puts the clauses of the other query first. The result has the default scope if either query
  /// has it.
  mutating func follow(_ other: SelectCore) {
    let scope = other.defaultScope ?? defaultScope
    precede(by: other)
    defaultScope = scope
  }
}

private func conjunction(_ conditions: ArraySlice<QueryFragment>) -> QueryFragment {
  switch conditions.count {
  case 0: "1"
  case 1: conditions.first!.operand
  default: "(\(conditions.map(\.operand).joined(" AND ")))"
  }
}
