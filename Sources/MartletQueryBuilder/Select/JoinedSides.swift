// What a table's own `all` says has its place in a join: it chooses the table's rows, and takes none of the other
// side's away. Behind WHERE it would do that where its table may have no row.

extension SelectCore {
  /// Makes this query the side of a join. What its clauses cannot be for the whole query becomes a sub-select; the
  /// result is what the table's own `all` asks of a row, and not part of it any more. `isLimited`: both sides are.
  mutating func separate(for kind: JoinKind, isLimited: Bool) -> [QueryFragment] {
    var scope: [QueryFragment] = []
    // Of an inner join all conditions are the whole query's.
    if defaultScope != nil || kind != .inner {
      let (own, all) = parted()
      self = own
      if let all { scope = begin(with: all, asSubselect: kind == .full) }
    }
    // A limit for the whole stands for one that either side has.
    guard distinct || isLimited else { return scope }
    var rows = self
    rows.conditions = scope + conditions
    let orders = self.groups.isEmpty ? self.orders : []
    let isChosen = distinct && isPicked
    source.derive(rows)
    if isChosen {
      source.refuse(
        "distinct() of chosen columns has no place in a join: say it of the whole query")
    }
    (conditions, tail, distinct) = ([], TailClauses(), false)
    self.orders = orders
    return []
  }

  /// What the table's own `all` asks of a row; what more it says is in a sub-select.
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

  /// Puts what the tables' own `all` say behind ON where a table may have no row. Of a full join both sides keep all
  /// their rows: there it is in a sub-select of each table.
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
  /// The table with what its own `all` asks of a row, as a sub-select.
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
