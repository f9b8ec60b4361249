/// Every clause of a SELECT, without types: all that is known of SQL about it is here, once.
@dynamicMemberLookup
@usableFromInline struct SelectCore: Sendable {
  @usableFromInline enum JoinKind: Sendable {
    case inner, left, right, full

    var keyword: String {
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
    var source: Source
    var condition: QueryFragment
  }

  /// `nil` as long as none was chosen: then they are all of the tables', listed when the query is printed, which
  /// most queries never are in this form.
  private var chosen: [SelectedColumn]?
  var columns: [SelectedColumn] {
    get { chosen ?? joins.reduce(source.columns) { $0 + $1.source.columns } }
    set { chosen = newValue }
  }
  /// The columns were chosen; otherwise they are all of the tables'.
  var isPicked = false
  var distinct = false
  /// `Reminder.none`: nothing is executed, and a compound drops it.
  var isNone = false
  var source: Source
  var joins: [Join] = []
  /// Conjuncts.
  var conditions: [QueryFragment] = []
  private var box: TailClauses.Box?
  var tail: TailClauses {
    get { box?.clauses ?? TailClauses() }
    set { box = TailClauses.Box(newValue) }
  }
  subscript<Clause>(dynamicMember clause: WritableKeyPath<TailClauses, Clause>) -> Clause {
    get { tail[keyPath: clause] }
    set { tail[keyPath: clause] = newValue }
  }
  /// What a change adds to a query that becomes a list of row ids.
  private var changes: [QueryFragment] = []
  /// The table's own `all`, where it has one that is more than all rows. Asked for when printed, because
  /// `all` itself is made by a query that begins here.
  var defaultScope: (@Sendable () -> SelectCore)?

  init(columns: [SelectedColumn], source: Source) {
    chosen = columns
    self.source = source
    defaultScope = nil
  }
  /// All columns of a table.
  @usableFromInline init(
    _ table: any Table.Type, as alias: String, defaultScope: (@Sendable () -> SelectCore)?
  ) {
    source = Source(table, as: alias)
    self.defaultScope = defaultScope
  }

  /// More than a table and its name.
  var hasClauses: Bool {
    isNone || distinct || box != nil || !joins.isEmpty || !conditions.isEmpty
  }

  /// Are its clauses those of another query of the table, but for the name?
  func isPlain(_ other: SelectCore) -> Bool {
    let other = other.named(source.qualifier)
    return joins.isEmpty && other.joins.isEmpty && isNone == other.isNone
      && distinct == other.distinct && conditions == other.conditions && tail == other.tail
  }

  @usableFromInline mutating func restrict(_ condition: QueryFragment) {
    if !condition.isEmpty { conditions.append(condition) }
  }

  /// With the default scope's clauses, unless they are there already because this was made from `all`.
  var resolved: SelectCore { scoped ?? self }

  /// `nil` where the table says nothing of its own, as most do.
  private var scoped: SelectCore? {
    guard let scope = defaultScope?() else { return nil }
    if scope.conditions.isEmpty, scope.box == nil, !scope.isNone, !scope.distinct { return nil }
    return beginning(with: scope.named(source.qualifier))
  }

  private func beginning(with scope: SelectCore) -> SelectCore {
    var core = self
    core.defaultScope = nil
    if !conditions.starts(with: scope.conditions) {
      core.conditions = scope.conditions + conditions
    }
    func began(_ clauses: KeyPath<TailClauses, [QueryFragment]>) -> [QueryFragment] {
      let (own, first) = (tail[keyPath: clauses], scope.tail[keyPath: clauses])
      return own.starts(with: first) ? own : first + own
    }
    if scope.box != nil {
      core.orders = began(\.orders)
      core.groups = began(\.groups)
      core.havings = began(\.havings)
      core.windows = began(\.windows)
    }
    core.distinct = distinct || scope.distinct
    core.limit = self.limit ?? scope.limit
    core.offset = self.offset ?? scope.offset
    core.isNone = isNone || scope.isNone
    return core
  }

  /// The other query's clauses become this query's: its table is joined, its conditions hold for the
  /// whole.
  @usableFromInline mutating func join(
    _ kind: JoinKind, _ other: SelectCore, on condition: QueryFragment
  ) {
    if let scoped = other.scoped { return join(kind, scoped, on: condition) }
    if other.distinct {
      let reason = "a joined query has no DISTINCT of its own: join a common table expression"
      restrict(QueryFragment(.invalid(reason: reason)))
    }
    switch (isPicked, other.isPicked) {
    case (false, false) where chosen == nil && other.chosen == nil: break
    case (false, false): columns += other.columns
    // Beside a side that chose, one that did not gives nothing.
    case (true, false): break
    case (false, true): columns = other.columns
    case (true, true): columns += other.columns
    }
    isPicked = isPicked || other.isPicked
    var join = Join(kind: kind, source: other.source, condition: condition)
    // The side that may be missing is missing in each row where it has none: no row fits another.
    switch (kind, isNone, other.isNone) {
    case (.inner, _, _): isNone = isNone || other.isNone
    case (.left, _, true), (.full, false, true): (join.kind, join.condition) = (.left, "0")
    case (.right, true, false), (.full, true, false):
      (join.kind, join.condition, isNone) = (.right, "0", false)
    case (.right, _, true): isNone = true
    case (.left, _, false), (.right, false, false), (.full, _, _): break
    }
    joins.append(join)
    joins += other.joins
    conditions += other.conditions
    if other.box != nil { tail.append(other.tail) }
  }

  /// The clauses of another query of the same table come first.
  mutating func precede(by other: SelectCore) {
    // The other's joined tables add no columns, and a source that is no declared table has none.
    if !other.joins.isEmpty || other.chosen != nil { columns = columns }
    conditions = other.conditions + conditions
    if other.box != nil { tail.precede(by: other.tail) }
    // What both join is joined once.
    joins =
      other.joins
      + joins.filter { join in
        !other.joins.contains {
          $0.source.table == join.source.table && $0.condition == join.condition
        }
      }
    distinct = distinct || other.distinct
    isNone = isNone || other.isNone
    source = other.source
    if other.defaultScope == nil { defaultScope = nil }
  }

  /// The same clauses, where the table goes by another name.
  func named(_ name: String) -> SelectCore {
    let old = source.qualifier
    guard old != name else { return self }
    var core = self
    core.source.qualifier = name
    core.conditions = conditions.map { $0.renaming(old, name) }
    if box != nil { core.tail = tail.renaming(old, name) }
    for index in joins.indices {
      core.joins[index].condition = joins[index].condition.renaming(old, name)
    }
    core.chosen = chosen?.map { column in
      var column = column
      column.fragment = column.fragment.renaming(old, name)
      return column
    }
    return core
  }

  @usableFromInline mutating func pick(_ columns: [SelectedColumn]) {
    self.columns = columns
    isPicked = true
  }

  @usableFromInline var query: Query {
    if let scoped { return scoped.query }
    return Query(text, columns: columns.map(\.result), isEmpty: isNone)
  }

  /// The query inside of another one. Its own tables' columns are text there: whoever renames a table of the
  /// outer query, or prints its columns bare, means others.
  var fragment: QueryFragment {
    let core = resolved
    return core.text.freezing(Set(core.joins.map(\.source.qualifier) + [core.source.qualifier]))
  }

  private var text: QueryFragment {
    let columns = columns
    var sql = QueryFragment()
    sql.traits = .select
    sql.segments.reserveCapacity(2 * columns.count + 8 * joins.count + 8 * conditions.count + 4)
    sql.append(raw: distinct ? "SELECT DISTINCT " : "SELECT ")
    for (index, column) in columns.enumerated() {
      if index > 0 { sql.segments.append(.sql(", ")) }
      sql.appendUnmerged(column.clause)
    }
    let table = source.table
    if !table.isEmpty { sql.append(clause: " FROM ", [table], "") }
    for join in joins {
      sql.append(clause: join.kind.keyword, [join.source.table, join.condition], " ON ")
    }
    // What is part of another query finds nothing there, too.
    sql.append(conjuncts: " WHERE ", isNone ? conditions + ["0"] : conditions)
    box?.clauses.append(to: &sql)
    return sql
  }

  /// Of an UPDATE or DELETE: it holds for the rows that the query chose, and does not choose others.
  mutating func restrictChange(_ condition: QueryFragment) {
    if resolved.isPlainCondition {
      restrict(condition)
    } else if !condition.isEmpty {
      changes.append(condition)
    }
  }

  var isPlainCondition: Bool {
    joins.isEmpty && self.groups.isEmpty && self.havings.isEmpty && self.limit == nil
      && self.offset == nil
  }

  /// The WHERE of an UPDATE or DELETE. A query with joins, groups, order or limit becomes a list of row
  /// ids: SQLite is built without LIMIT in those statements.
  var changeCondition: QueryFragment {
    if isPlainCondition {
      var condition = QueryFragment()
      condition.append(conjuncts: " WHERE ", conditions)
      return condition
    }
    let further = changes.map { " AND \($0.operand)" as QueryFragment }.joined("")
    return " WHERE \(isChosen)\(further)"
  }

  /// That a row is one of the query's: `("items"."rowid" IN (SELECT …))`.
  var isChosen: QueryFragment {
    var ids = self
    let rowid = QueryFragment(column: "rowid", of: source.qualifier)
    ids.columns = [SelectedColumn(rowid, ResultColumn("rowid", kind: .integer))]
    return "(\(rowid) IN (\(ids.fragment)))"
  }
}
