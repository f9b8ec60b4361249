import Synchronization

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
    /// What the joined table's own `all` says, as long as WHERE is the place for it.
    var scope: [QueryFragment] = []
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
  var distinct: Bool {
    get { saidDistinct.value ?? false }
    set { saidDistinct.say(newValue) }
  }
  private var saidDistinct = Said<Bool>()
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
  /// The same number in each query that goes on from this one, so that what was made from a table's own `all`
  /// is told from what says the same.
  private var origin = 0
  subscript<Clause>(dynamicMember clause: WritableKeyPath<TailClauses, Clause>) -> Clause {
    get { tail[keyPath: clause] }
    set { tail[keyPath: clause] = newValue }
  }
  /// What a change adds to the rows that the query chose.
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
    origin = origins.add(1, ordering: .relaxed).newValue
  }

  /// More than a table and its name.
  var hasClauses: Bool {
    isNone || distinct || box?.clauses.isEmpty == false || !joins.isEmpty || !conditions.isEmpty
  }

  @usableFromInline mutating func restrict(_ condition: QueryFragment) {
    if !condition.isEmpty { conditions.append(condition) }
  }

  /// With the default scope's clauses, unless they are there already because this was made from `all`.
  var resolved: SelectCore { scoped ?? self }

  /// `nil` where the table says nothing of its own, as most do.
  private var scoped: SelectCore? {
    guard let scope = defaultScope?() else { return nil }
    if !scope.hasClauses { return nil }
    return beginning(with: scope.named(source.qualifier))
  }

  /// Its conditions begin with the other's for another reason than that they are the same.
  func hasOrigin(of other: SelectCore) -> Bool { origin == other.origin }

  private func beginning(with scope: SelectCore) -> SelectCore {
    var core = self
    core.defaultScope = nil
    if !conditions.starts(with: scope.conditions) {
      core.conditions = scope.conditions + conditions
    }
    if scope.box != nil { core.tail = tail.beginning(with: scope.tail) }
    core.saidDistinct = saidDistinct.or(scope.saidDistinct)
    core.isNone = isNone || scope.isNone
    return core
  }

  /// Apart: what the query says itself, and what the table's own `all` says, where that is part of it.
  func parted() -> (own: SelectCore, all: SelectCore?) {
    guard defaultScope != nil || hasClauses, var all = source.scope?.named(source.qualifier),
      all.hasClauses
    else { return (self, nil) }
    var own = self
    if isMade(from: all) {
      own = removing(all)
    } else if defaultScope == nil {
      return (self, nil)
    }
    (own.defaultScope, all.defaultScope) = (nil, nil)
    return (own, all)
  }

  private func isMade(from all: SelectCore) -> Bool {
    // An `all` that is computed begins anew each time: what says the same is taken for it.
    guard origin == all.origin || source.scope?.origin != all.origin else { return false }
    return conditions.starts(with: all.conditions) && tail.starts(with: all.tail)
  }

  private func removing(_ all: SelectCore) -> SelectCore {
    var own = self
    own.conditions.removeFirst(all.conditions.count)
    if all.box != nil { own.tail = tail.removing(all.tail) }
    own.saidDistinct = saidDistinct.removing(all.saidDistinct)
    own.isNone = isNone && !all.isNone
    return own
  }

  /// The other query's clauses become this query's: its table is joined, its conditions hold for the
  /// whole.
  @usableFromInline mutating func join(
    _ kind: JoinKind, _ other: SelectCore, on condition: QueryFragment
  ) {
    var other = other
    let isLimited = other.tail.isLimited && resolved.tail.isLimited
    let scope = other.separate(for: kind, isLimited: isLimited)
    switch (isPicked, other.isPicked) {
    case (false, false) where chosen == nil && other.chosen == nil: break
    case (false, false): columns += other.columns
    // Beside a side that chose, one that did not gives nothing.
    case (true, false): break
    case (false, true): columns = other.columns
    case (true, true): columns += other.columns
    }
    isPicked = isPicked || other.isPicked
    var join = Join(kind: kind, source: other.source, condition: condition, scope: scope)
    restrictSides(of: &join)
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
    if other.distinct { distinct = true }
    isNone = isNone || other.isNone
    source = other.source
    origin = other.origin
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
      // What stands behind JOIN may be of the table's columns: `json_each("items"."tags")`.
      core.joins[index].source.rename(old, name)
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
  var fragment: QueryFragment { resolved.frozenText }

  /// The same with its columns.
  var frozen: Query {
    let core = resolved
    return Query(core.frozenText, columns: core.columns.map(\.result), isEmpty: core.isNone)
  }

  private var frozenText: QueryFragment {
    text.freezing(Set(joins.map(\.source.qualifier) + [source.qualifier]))
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
    var conditions = conditions
    for join in joins { conditions += join.scope }
    // What is part of another query finds nothing there, too.
    if isNone { conditions.append("0") }
    sql.append(conjuncts: " WHERE ", conditions)
    box?.clauses.append(to: &sql)
    return sql
  }

  /// Of an UPDATE or DELETE: it holds for the rows that the query chose, and does not choose others.
  mutating func restrictChange(_ condition: QueryFragment) {
    if !condition.isEmpty { changes.append(condition) }
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
      condition.append(conjuncts: " WHERE ", conditions + changes)
      return condition
    }
    let further = changes.map { " AND \($0.operand)" as QueryFragment }.joined("")
    return " WHERE \(isAmongRows)\(further)"
  }

  /// That a row is one of the query's: `("reminders"."rowid" IN (SELECT …))`.
  var isAmongRows: QueryFragment {
    var ids = self
    // The first of equal rows stands for them, as many as are wanted.
    if distinct, tail.isLimited, self.groups.isEmpty {
      ids.groups = source.columns.map(\.fragment)
      ids.distinct = false
    }
    let rowid = QueryFragment(column: "rowid", of: source.qualifier)
    ids.columns = [SelectedColumn(rowid, ResultColumn("rowid", kind: .integer))]
    return "(\(rowid) IN (\(ids.fragment)))"
  }
}

private let origins = Atomic<Int>(0)
