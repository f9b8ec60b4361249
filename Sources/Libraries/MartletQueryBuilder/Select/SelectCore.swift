import Synchronization

/// The clauses of a SELECT, without types. All code about the SQL of a SELECT is here.
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
    /// The conditions of the joined table's default scope, as long as they can stand in WHERE.
    var scope: [QueryFragment] = []
  }

  /// `nil` until columns are selected. The result then has all columns of the tables, which are
  /// listed only when the query is printed: most queries never are in this form.
  private var chosen: [SelectedColumn]?
  var columns: [SelectedColumn] {
    get { chosen ?? joins.reduce(source.columns) { $0 + $1.source.columns } }
    set { chosen = newValue }
  }
  /// Whether columns were selected. Otherwise the result has all columns of the tables.
  var isPicked = false
  var distinct: Bool {
    get { saidDistinct.value ?? false }
    set { saidDistinct.say(newValue) }
  }
  private var saidDistinct = Said<Bool>()
  /// `Reminder.none`: the query is not executed, and a union drops it.
  var isNone = false
  var source: Source
  var joins: [Join] = []
  /// The conditions of WHERE, combined with AND.
  var conditions: [QueryFragment] = []
  private var box: TailClauses.Box?
  var tail: TailClauses {
    get { box?.clauses ?? TailClauses() }
    set { box = TailClauses.Box(newValue) }
  }
  /// Equal in all queries that were built from the same one. Distinguishes a query built from a
  /// table's `all` from one that has the same clauses.
  private var origin = 0
  subscript<Clause>(dynamicMember clause: WritableKeyPath<TailClauses, Clause>) -> Clause {
    get { tail[keyPath: clause] }
    set { tail[keyPath: clause] = newValue }
  }
  /// Conditions of an UPDATE or DELETE, in addition to the query's own.
  private var changes: [QueryFragment] = []
  /// The table's `all`, unless it is all rows. Evaluated when the query is printed, because `all`
  /// itself is built from a query that begins here.
  var defaultScope: (@Sendable () -> SelectCore)?

  init(columns: [SelectedColumn], source: Source) {
    chosen = columns
    self.source = source
    defaultScope = nil
  }
  /// Selects all columns of a table.
  @usableFromInline init(
    _ table: any Table.Type, as alias: String, defaultScope: (@Sendable () -> SelectCore)?
  ) {
    source = Source(table, as: alias)
    self.defaultScope = defaultScope
    origin = origins.add(1, ordering: .relaxed).newValue
  }

  /// Whether there is more than a table and its name.
  var hasClauses: Bool {
    isNone || distinct || box?.clauses.isEmpty == false || !joins.isEmpty || !conditions.isEmpty
  }

  @usableFromInline mutating func restrict(_ condition: QueryFragment) {
    if !condition.isEmpty { conditions.append(condition) }
  }

  /// The query including the clauses of the default scope, unless it was built from `all` and has
  /// them already.
  var resolved: SelectCore { scoped ?? self }

  /// The query including the default scope, or `nil` if the table declares none, the usual case.
  private var scoped: SelectCore? {
    guard let scope = defaultScope?() else { return nil }
    if !scope.hasClauses { return nil }
    return beginning(with: scope.named(source.qualifier))
  }

  /// Whether both queries were built from the same one, so that equal conditions at their beginning
  /// are the same conditions.
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

  /// Splits the query into its own clauses and those of the table's default scope; `all` is `nil`
  /// if the query does not include that.
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
    // A computed `all` has another origin each time it is read. Equal clauses are then taken for
    // its clauses.
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

  /// Joins the other query's table and adds its clauses to this query.
  @usableFromInline mutating func join(
    _ kind: JoinKind, _ other: SelectCore, on condition: QueryFragment
  ) {
    var other = other
    let isLimited = other.tail.isLimited && resolved.tail.isLimited
    let scope = other.separate(for: kind, isLimited: isLimited)
    switch (isPicked, other.isPicked) {
    case (false, false) where chosen == nil && other.chosen == nil: break
    case (false, false): columns += other.columns
    // If only one side has selected columns, the other contributes none.
    case (true, false): break
    case (false, true): columns = other.columns
    case (true, true): columns += other.columns
    }
    isPicked = isPicked || other.isPicked
    var join = Join(kind: kind, source: other.source, condition: condition, scope: scope)
    restrictSides(of: &join)
    // If the side that may be missing is `none`, no row has a match: the join stays, with a
    // condition that is false.
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

  /// Puts the clauses of another query of the same table first.
  mutating func precede(by other: SelectCore) {
    // List the columns now: the other query's joined tables add none, and a source without a
    // declared table cannot list its own.
    if !other.joins.isEmpty || other.chosen != nil { columns = columns }
    conditions = other.conditions + conditions
    if other.box != nil { tail.precede(by: other.tail) }
    // Joins that both queries have are kept once.
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

  /// The same clauses with an alias for the table.
  func named(_ name: String) -> SelectCore {
    let old = source.qualifier
    guard old != name else { return self }
    var core = self
    core.source.qualifier = name
    core.conditions = conditions.map { $0.renaming(old, name) }
    if box != nil { core.tail = tail.renaming(old, name) }
    for index in joins.indices {
      core.joins[index].condition = joins[index].condition.renaming(old, name)
      // The joined source may depend on the table's columns: `json_each("items"."tags")`.
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

  /// The query for use as a subquery. The columns of its own tables are plain text, so that
  /// they stay as they are when the outer query renames a table or prints columns without their
  /// table.
  var fragment: QueryFragment { resolved.frozenText }

  /// The query for use as a subquery, with its result columns.
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
    // Inside another query `none` is printed, and finds nothing.
    if isNone { conditions.append("0") }
    sql.append(conjuncts: " WHERE ", conditions)
    box?.clauses.append(to: &sql)
    return sql
  }

  /// Adds a condition of an UPDATE or DELETE. It is checked for the rows that the query selects,
  /// and does not make the query select other rows.
  mutating func restrictChange(_ condition: QueryFragment) {
    if !condition.isEmpty { changes.append(condition) }
  }

  var isPlainCondition: Bool {
    joins.isEmpty && self.groups.isEmpty && self.havings.isEmpty && self.limit == nil
      && self.offset == nil
  }

  /// The WHERE of an UPDATE or DELETE. A query with joins, groups or a limit becomes a list of
  /// rowids, because those statements have LIMIT only in special builds of SQLite
  /// (https://sqlite.org/lang_update.html).
  var changeCondition: QueryFragment {
    if isPlainCondition {
      var condition = QueryFragment()
      condition.append(conjuncts: " WHERE ", conditions + changes)
      return condition
    }
    let further = changes.map { " AND \($0.operand)" as QueryFragment }.joined("")
    return " WHERE \(isAmongRows)\(further)"
  }

  /// The condition that a row is one of the query's: `("reminders"."rowid" IN (SELECT …))`.
  var isAmongRows: QueryFragment {
    var ids = self
    // One row of each set of duplicates counts towards the limit.
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

/// The value that the last call of a clause set. `nil` is a value, too: `limit(nil)` removes the
/// limit of the table's default scope.
struct Said<Value: Sendable>: Sendable {
  private(set) var value: Value?
  /// The number of calls so far. One byte, because queries are copied often.
  private var times: UInt8 = 0

  mutating func say(_ value: Value?) {
    self.value = value
    if times < .max { times += 1 }
  }

  /// This value if a call has set one; otherwise `other`.
  func or(_ other: Self) -> Self { times > 0 ? self : other }

  /// Nothing if no call has set a value since `earlier`.
  func removing(_ earlier: Self) -> Self { times == earlier.times ? Self() : self }
}

extension Select where Picked == () {
  /// The rows, each with the value of its section, ordered by section before any other order.
  package func sectioned<E: QueryExpressible>(
    by section: (Scope) -> E
  ) -> Select<Scope, (Output, E.QueryValue.QueryOutput), E.QueryValue> {
    let section = section(scope)
    let decode = decode
    var core = core
    core.pick(core.columns + section.selection)
    core.orders.insert(section.orderFragment, at: 0)
    return Select<Scope, (Output, E.QueryValue.QueryOutput), E.QueryValue>(
      core: core, scope: scope
    ) { row throws(DecodingProblem) in (try decode(&row), try E.QueryValue.decode(&row)) }
  }
}

/// Builds the number of `limit` and `offset`: `limit { _ in if let n { n } }`. Supports `if`,
/// `else` and `switch`; an empty closure sets no number.
@resultBuilder
public enum CountBuilder {
  /// An expression of an integer type.
  public static func buildExpression<E: QueryExpressible>(_ count: E) -> QueryFragment?
  where E.QueryValue.Unwrapped: FixedWidthInteger { count.queryFragment }
  /// A number, or `nil` for none.
  public static func buildExpression(_ count: Int?) -> QueryFragment? { count?.queryFragment }
  /// An expression whose type nothing else determines: `limit { _ in #sql("…") }`.
  public static func buildExpression(_ count: SQLQueryExpression<Int>) -> QueryFragment? {
    count.queryFragment
  }
  public static func buildBlock() -> QueryFragment? { nil }
  public static func buildBlock(_ count: QueryFragment?) -> QueryFragment? { count }
  public static func buildOptional(_ count: QueryFragment??) -> QueryFragment? { count ?? nil }
  public static func buildEither(first: QueryFragment?) -> QueryFragment? { first }
  public static func buildEither(second: QueryFragment?) -> QueryFragment? { second }
}
