/// A SELECT statement (https://sqlite.org/lang_select.html).
///
/// `Scope` is the argument of its closures: the columns of a table, or a tuple with those of
/// several tables. `Output` is the type of a row. `Picked` is the representation of the selected
/// columns. It is `()` until `select` is called; until then the rows are whole rows of the tables.
@dynamicMemberLookup
public struct Select<Scope: Sendable, Output, Picked>: SelectStatement {
  @usableFromInline var core: SelectCore
  @usableFromInline let scope: Scope
  public let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output

  @inlinable public var query: Query { core.query }

  @inlinable init(
    core: consuming SelectCore, scope: consuming Scope,
    decode: @escaping @Sendable (inout RowReader) throws(DecodingProblem) -> Output
  ) {
    self.core = core
    self.scope = scope
    self.decode = decode
  }

  @inlinable consuming func with(_ change: (inout SelectCore) -> Void) -> Self {
    change(&core)
    return self
  }

  // Each clause has a form with a closure, and some also one with a key path. A clause consumes its
  // query: one that is not referenced elsewhere is changed in place instead of copied.

  /// Adds a condition: `WHERE …`. Several calls are combined with AND. An empty closure adds
  /// nothing.
  @inlinable public consuming func `where`(@WhereBuilder _ predicate: (Scope) -> QueryFragment)
    -> Self
  {
    let condition = predicate(scope)
    return with { $0.restrict(condition) }
  }
  /// Keeps the rows in which a Boolean column is true: `WHERE "reminders"."isFlagged"`.
  public consuming func `where`<E: QueryExpression>(_ column: KeyPath<Scope, E>) -> Self
  where E.QueryValue.Unwrapped == Bool {
    let condition = scope[keyPath: column].queryFragment
    return with { $0.conditions.append(condition) }
  }
  /// Adds a condition: `WHERE …`. The same as `where`.
  public consuming func filter(@WhereBuilder _ predicate: (Scope) -> QueryFragment) -> Self {
    self.where(predicate)
  }

  /// Filters the groups: `HAVING …`. Several calls are combined with AND.
  public consuming func having(@WhereBuilder _ predicate: (Scope) -> QueryFragment) -> Self {
    let condition = predicate(scope)
    return condition.isEmpty ? self : with { $0.havings.append(condition) }
  }
  /// Keeps the groups for which a Boolean expression is true: `HAVING …`.
  public consuming func having<E: QueryExpression>(_ column: KeyPath<Scope, E>) -> Self
  where E.QueryValue.Unwrapped == Bool {
    let condition = scope[keyPath: column].queryFragment
    return with { $0.havings.append(condition) }
  }

  /// Groups the rows: `GROUP BY …`. Several calls add terms.
  public consuming func group(@TermBuilder by terms: (Scope) -> [QueryFragment]) -> Self {
    let terms = terms(scope)
    return with { $0.groups += terms }
  }
  /// Groups the rows by a column: `GROUP BY "reminders"."remindersListID"`.
  public consuming func group<E: QueryExpressible>(by term: KeyPath<Scope, E>) -> Self {
    let term = scope[keyPath: term].orderFragment
    return with { $0.groups.append(term) }
  }

  /// Orders the rows: `ORDER BY …`. Several calls add terms.
  public consuming func order(@TermBuilder by terms: (Scope) -> [QueryFragment]) -> Self {
    let terms = terms(scope)
    return with { $0.orders += terms }
  }
  /// Orders the rows by a column: `ORDER BY "tags"."title" DESC`. Ascending by default.
  public consuming func order<E: QueryExpressible>(
    by term: KeyPath<Scope, E>, _ direction: Direction? = nil
  ) -> Self {
    let term = scope[keyPath: term]
    let fragment = direction.map { term.ordered($0, nil).orderFragment } ?? term.orderFragment
    return with { $0.orders.append(fragment) }
  }

  /// Limits the number of rows: `LIMIT ? OFFSET ?`.
  ///
  /// `nil` means no limit, even if the table's own ``Table/all`` has one. Without `offset` an
  /// earlier offset stays.
  public consuming func limit(_ count: Int?, offset: Int? = nil) -> Self {
    with {
      $0.limit = count?.queryFragment
      if let offset { $0.offset = offset.queryFragment }
    }
  }
  /// Limits the number of rows to an expression: `LIMIT …`. An empty closure means no limit.
  public consuming func limit(@CountBuilder _ count: (Scope) -> QueryFragment?) -> Self {
    let count = count(scope)
    return with { $0.limit = count }
  }
  /// Skips rows: `OFFSET ?`, or `LIMIT -1 OFFSET ?` if there is no limit. `nil` means no offset.
  public consuming func offset(_ count: Int?) -> Self {
    with { $0.offset = count?.queryFragment }
  }
  /// Skips as many rows as an expression says: `OFFSET …`. An empty closure means no offset.
  public consuming func offset(@CountBuilder _ count: (Scope) -> QueryFragment?) -> Self {
    let count = count(scope)
    return with { $0.offset = count }
  }
  /// Removes duplicate rows: `SELECT DISTINCT …`. With `false` duplicates stay, even if the table's
  /// own ``Table/all`` removes them.
  public consuming func distinct(_ isDistinct: Bool = true) -> Self {
    with { $0.distinct = isDistinct }
  }

  /// A clause that applies to all rows of the query, so that a condition or a limit added to it
  /// would change what it means; `nil` without one.
  package var clauseOfWhole: String? {
    if core.tail.isLimited { return "LIMIT" }
    if !core.orders.isEmpty { return "ORDER BY" }
    if core.distinct { return "DISTINCT" }
    return core.groups.isEmpty && !core.havings.isEmpty ? "HAVING" : nil
  }
  /// Whether the query has a GROUP BY.
  package var isGrouped: Bool { !core.groups.isEmpty }

  /// A query without rows. It is never executed.
  public var none: Self { with { $0.isNone = true } }

  /// The query with additional columns at the end that are fetched but not printed, such as the
  /// sort keys of a page.
  public func query(hiding keys: [any QueryExpressible]) -> Query {
    var core = core
    core.columns += keys.map { SelectedColumn($0.queryFragment, ResultColumn("", kind: .hidden)) }
    return core.query
  }

  /// The query with a group of additional columns at the end, printed as a JSON object.
  public func query(
    adding columns: [(name: String, expression: any QueryExpressible)], in group: String,
    kind: ColumnKind
  ) -> Query {
    var core = core
    core.columns += columns.map {
      SelectedColumn(
        $0.expression.queryFragment, ResultColumn($0.name, in: [ResultGroup(group)], kind: kind))
    }
    return core.query
  }

  /// Whether the query returns any row: `EXISTS (SELECT …)`.
  public func exists() -> SQLQueryExpression<Bool> {
    SQLQueryExpression("EXISTS (\(core.fragment))")
  }
}

// Selecting columns. There is one overload with a closure, and its result builder distinguishes one
// column from several. With overloads by closure type, four arithmetic columns took 2 s to
// type-check; this takes 5 ms.
extension Select where Picked == () {
  /// Selects columns, either one expression or a tuple:
  /// `SELECT "reminders"."id", "reminders"."title" FROM …`.
  @inlinable public consuming func select<S: SelectedTerms>(
    @SelectBuilder _ columns: (Scope) -> S
  ) -> Select<Scope, S.Output, S.Picked> {
    let selected = columns(scope)
    core.pick(selected.columns)
    return Select<Scope, S.Output, S.Picked>(
      core: core, scope: scope, decode: selected.decode)
  }
  /// Selects one column: `SELECT "tags"."title" FROM "tags"`.
  public func select<E: QueryExpressible>(
    _ column: KeyPath<Scope, E>
  ) -> Select<Scope, E.QueryValue.QueryOutput, E.QueryValue> {
    select { $0[keyPath: column] }
  }
}

extension Select {
  /// Selects further columns, after those selected so far.
  @_disfavoredOverload
  public func select<each C: QueryRepresentable, O, each P: QueryRepresentable>(
    @SelectBuilder _ columns: (Scope) -> Selected<O, (repeat each P)>
  ) -> Select<
    Scope, (repeat (each C).QueryOutput, repeat (each P).QueryOutput),
    (repeat each C, repeat each P)
  >
  where Picked == (repeat each C) {
    let more = columns(scope).columns
    var core = core
    core.columns += more
    return Select<
      Scope, (repeat (each C).QueryOutput, repeat (each P).QueryOutput),
      (repeat each C, repeat each P)
    >(core: core, scope: scope) { row throws(DecodingProblem) in
      (repeat try (each C).decode(&row), repeat try (each P).decode(&row))
    }
  }
  /// Selects a further column, after those selected so far.
  @_disfavoredOverload
  public func select<each C: QueryRepresentable, E: QueryExpressible>(
    _ column: KeyPath<Scope, E>
  ) -> Select<
    Scope, (repeat (each C).QueryOutput, E.QueryValue.QueryOutput), (repeat each C, E.QueryValue)
  >
  where Picked == (repeat each C) {
    var core = core
    core.columns += scope[keyPath: column].selection
    return Select<
      Scope, (repeat (each C).QueryOutput, E.QueryValue.QueryOutput),
      (repeat each C, E.QueryValue)
    >(core: core, scope: scope) { row throws(DecodingProblem) in
      (repeat try (each C).decode(&row), try E.QueryValue.decode(&row))
    }
  }

  /// The number of rows: `SELECT count(*) FROM …`.
  public var count: Select<Scope, Int, Int> { counting(filter: QueryFragment()) }
  /// The number of rows: `SELECT count(*) FROM …`, or, with a filter,
  /// `SELECT count(*) FILTER (WHERE …) FROM …`.
  public func count(
    @WhereBuilder filter: (Scope) -> QueryFragment = { _ in QueryFragment() }
  ) -> Select<Scope, Int, Int> { counting(filter: filter(scope)) }

  private func counting(filter: QueryFragment) -> Select<Scope, Int, Int> {
    var filter = filter
    var core = core.resolved
    // A query of `none` is not executed, but its count is 0. So count the rows of a condition that
    // is false.
    if core.isNone { (core.isNone, core.conditions) = (false, core.conditions + ["0"]) }
    if core.distinct || core.limit != nil || core.offset != nil || !core.groups.isEmpty {
      let name = core.source.plainName
      let old = core.source.qualifier
      core = SelectCore(
        columns: [], source: .init(table: "(\(core.fragment)) AS \(quote: name)", qualifier: name))
      if old != name { filter = filter.renaming(old, name) }
    }
    let count = filter.isEmpty ? "count(*)" : "count(*) FILTER (WHERE \(filter))" as QueryFragment
    core.pick([SelectedColumn(count, ResultColumn("count", kind: .integer))])
    core.orders = []
    return Select<Scope, Int, Int>(core: core, scope: scope, decode: Int.decode)
  }
}

/// A select of a single column is an expression: a subquery.
extension Select: OrderingTerm
where Picked: QueryRepresentable, Picked.QueryOutput == Output {}
extension Select: QueryExpressible
where Picked: QueryRepresentable, Picked.QueryOutput == Output {
  public typealias QueryValue = Picked
  public var queryFragment: QueryFragment { "(\(core.fragment))" }
}
extension Select: QueryExpression
where Picked: QueryRepresentable, Picked.QueryOutput == Output {}

/// A statement that returns rows and can be part of another one: a select, a compound, or `Values`.
public protocol SelectStatement<Output>: Statement {
  /// The representation of its columns; `()` for whole rows.
  associatedtype Picked
}
