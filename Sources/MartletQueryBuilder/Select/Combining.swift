// `&&`, `||` and `!` of queries, and their sum. Nothing of either side is lost: what is no condition becomes one.

extension SelectCore {
  /// Conditions, order and distinction, which the result has of its own.
  private var isPlain: Bool { isPlainCondition }

  /// What the query asks of a row. More than conditions are a list of the rows that it chose.
  private var requirements: [QueryFragment] { isPlain ? conditions : [isAmongRows] }

  /// The order, which of groups is not that of their rows.
  private var ownOrders: [QueryFragment] {
    self.groups.isEmpty && self.havings.isEmpty ? self.orders : []
  }

  /// The rows of both, or of either. What the table's own `all` says is asked for later, unless only one side has it.
  mutating func combine(with right: SelectCore, isEither: Bool) {
    var left = self
    var right = right.named(source.qualifier)
    if (left.defaultScope == nil) != (right.defaultScope == nil) {
      (left, right) = (left.resolved, right.resolved)
      (left.defaultScope, right.defaultScope) = (nil, nil)
    }
    // Queries that go on from one query have its conditions once.
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

  /// The other rows.
  mutating func negate() {
    let condition = isNone ? "0" : conjunction(requirements[...])
    let orders = ownOrders
    keepRows(windows: self.windows)
    if !orders.isEmpty { self.orders = orders }
    conditions = ["(NOT \(condition))"]
    isNone = false
  }

  /// What chose rows is among the conditions.
  private mutating func keepRows(windows: [QueryFragment]) {
    joins = []
    if tail.isEmpty, windows.isEmpty { return }
    tail = TailClauses()
    self.windows = windows
  }

  /// The clauses of the other come first; what its table's own `all` says is a clause, too.
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
