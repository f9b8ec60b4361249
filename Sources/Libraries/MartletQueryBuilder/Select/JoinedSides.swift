// The default scope of a table, its `all`, selects rows of that table and must not remove rows of
// the other side of a join. In WHERE it would do so where its table may be missing, so there it
// goes into ON or into a subquery.

extension SelectCore {
  /// Makes this query a side of a join and returns the conditions of the table's default scope,
  /// which is then no longer part of the query. Clauses that the whole query cannot have become a
  /// subquery. `isLimited`: whether both sides have a limit.
  mutating func separate(for kind: JoinKind, isLimited: Bool) -> [QueryFragment] {
    var scope: [QueryFragment] = []
    // In an inner join every condition may stand in the WHERE of the whole query.
    if defaultScope != nil || kind != .inner {
      let (own, all) = parted()
      self = own
      if let all { scope = begin(with: all, asSubselect: kind == .full) }
    }
    // If only one side has a limit, it is the limit of the whole query.
    guard distinct || isLimited else { return scope }
    var rows = self
    rows.conditions = scope + conditions
    let orders = self.groups.isEmpty ? self.orders : []
    let isChosen = distinct && isPicked
    source.derive(rows)
    if isChosen {
      source.refuse(
        "distinct() of chosen columns cannot be joined: apply it to the whole query")
    }
    (conditions, tail, distinct) = ([], TailClauses(), false)
    self.orders = orders
    return []
  }

  /// Returns the conditions of the default scope. If it has other clauses, or if `asSubselect`, it
  /// becomes a subquery instead.
  private mutating func begin(with all: SelectCore, asSubselect: Bool) -> [QueryFragment] {
    isNone = isNone || all.isNone
    let isPlain = all.isPlainCondition && !all.distinct
    if asSubselect || !isPlain { source.derive(all) }
    if all.groups.isEmpty, !all.tail.isEmpty {
      self.windows = all.windows + self.windows
      self.orders = all.orders + self.orders
    }
    return asSubselect || !isPlain ? [] : all.conditions
  }

  /// Moves the conditions of the default scopes to ON where a table may be missing. In a full join
  /// both sides keep all of their rows, so the default scopes are in a subquery for each table.
  mutating func restrictSides(of join: inout Join) {
    switch join.kind {
    case .inner: break
    case .left:
      join.condition = join.condition.and(join.scope)
      join.scope = []
    case .right:
      var scope = separateFirst(asSubselect: false)
      for index in joins.indices {
        scope += joins[index].scope
        joins[index].scope = []
      }
      join.condition = join.condition.and(scope)
    case .full:
      _ = separateFirst(asSubselect: true)
      for index in joins.indices where !joins[index].scope.isEmpty { joins[index].derive() }
    }
  }

  private mutating func separateFirst(asSubselect: Bool) -> [QueryFragment] {
    let (own, all) = parted()
    self = own
    return all.map { begin(with: $0, asSubselect: asSubselect) } ?? []
  }
}

extension SelectCore.Join {
  /// Replaces the table by a subquery with the conditions of its default scope.
  fileprivate mutating func derive() {
    var rows = SelectCore(columns: source.columns, source: source)
    rows.conditions = scope
    source.derive(rows)
    scope = []
  }
}

extension QueryFragment {
  fileprivate func and(_ others: [QueryFragment]) -> QueryFragment {
    others.isEmpty ? self : ([self] + others).map(\.operand).joined(" AND ")
  }
}
