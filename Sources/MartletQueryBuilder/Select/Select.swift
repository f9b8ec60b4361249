/// A SELECT.
///
/// `Scope` is what its closures get: one table's columns, or a tuple of them. `Output` is a row of it.
/// `Picked` is what `select` chose, `()` as long as it chose nothing: then the rows are the tables'.
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

  // Each clause takes one kind of closure, and some a key path besides. It consumes the query that it is
  // added to: one that nobody else holds is changed and not copied.

  /// Several calls hold together (AND). An empty closure adds nothing.
  @inlinable public consuming func `where`(@WhereBuilder _ predicate: (Scope) -> QueryFragment)
    -> Self
  {
    let condition = predicate(scope)
    return with { $0.restrict(condition) }
  }
  public consuming func `where`<E: QueryExpression>(_ column: KeyPath<Scope, E>) -> Self
  where E.QueryValue.Unwrapped == Bool {
    let condition = scope[keyPath: column].queryFragment
    return with { $0.conditions.append(condition) }
  }
  public consuming func filter(@WhereBuilder _ predicate: (Scope) -> QueryFragment) -> Self {
    self.where(predicate)
  }

  public consuming func having(@WhereBuilder _ predicate: (Scope) -> QueryFragment) -> Self {
    let condition = predicate(scope)
    return condition.isEmpty ? self : with { $0.havings.append(condition) }
  }
  public consuming func having<E: QueryExpression>(_ column: KeyPath<Scope, E>) -> Self
  where E.QueryValue.Unwrapped == Bool {
    let condition = scope[keyPath: column].queryFragment
    return with { $0.havings.append(condition) }
  }

  public consuming func group(@TermBuilder by terms: (Scope) -> [QueryFragment]) -> Self {
    let terms = terms(scope)
    return with { $0.groups += terms }
  }
  public consuming func group<E: QueryExpressible>(by term: KeyPath<Scope, E>) -> Self {
    let term = scope[keyPath: term].orderFragment
    return with { $0.groups.append(term) }
  }

  public consuming func order(@TermBuilder by terms: (Scope) -> [QueryFragment]) -> Self {
    let terms = terms(scope)
    return with { $0.orders += terms }
  }
  public consuming func order<E: QueryExpressible>(
    by term: KeyPath<Scope, E>, _ direction: Direction? = nil
  ) -> Self {
    let term = scope[keyPath: term]
    let fragment = direction.map { term.ordered($0, nil).orderFragment } ?? term.orderFragment
    return with { $0.orders.append(fragment) }
  }

  /// `nil` is no limit, also where the table's own ``Table/all`` has one.
  public consuming func limit(_ count: Int?, offset: Int? = nil) -> Self {
    with {
      $0.limit = count?.queryFragment
      if let offset { $0.offset = offset.queryFragment }
    }
  }
  public consuming func limit(@CountBuilder _ count: (Scope) -> QueryFragment?) -> Self {
    let count = count(scope)
    return with { $0.limit = count }
  }
  public consuming func offset(_ count: Int?) -> Self {
    with { $0.offset = count?.queryFragment }
  }
  public consuming func offset(@CountBuilder _ count: (Scope) -> QueryFragment?) -> Self {
    let count = count(scope)
    return with { $0.offset = count }
  }
  public consuming func distinct(_ isDistinct: Bool = true) -> Self {
    with { $0.distinct = isDistinct }
  }

  /// Executes nothing and has no rows.
  public var none: Self { with { $0.isNone = true } }

  /// The query with further columns behind the others that are fetched and not printed: a page's sort
  /// keys.
  public func query(hiding keys: [any QueryExpressible]) -> Query {
    var core = core
    core.columns += keys.map { SelectedColumn($0.queryFragment, ResultColumn("", kind: .hidden)) }
    return core.query
  }

  /// The query with a group of further columns behind the others, printed as an object.
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

  public func exists() -> SQLQueryExpression<Bool> {
    SQLQueryExpression("EXISTS (\(core.fragment))")
  }
}

// Choosing columns. One overload that takes a closure, and a result builder that tells one column from
// several: overloads of `select` by closure type made four arithmetic columns take 2 s to type-check
// where this takes 5 ms.
extension Select where Picked == () {
  @inlinable public consuming func select<S: SelectedTerms>(
    @SelectBuilder _ columns: (Scope) -> S
  ) -> Select<Scope, S.Output, S.Picked> {
    let selected = columns(scope)
    core.pick(selected.columns)
    return Select<Scope, S.Output, S.Picked>(
      core: core, scope: scope, decode: selected.decode)
  }
  public func select<E: QueryExpressible>(
    _ column: KeyPath<Scope, E>
  ) -> Select<Scope, E.QueryValue.QueryOutput, E.QueryValue> {
    select { $0[keyPath: column] }
  }
}

extension Select {
  /// What a further `select` chooses comes behind what was chosen before.
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

  /// `SELECT count(*) FROM …`
  public var count: Select<Scope, Int, Int> { counting(filter: QueryFragment()) }
  public func count(
    @WhereBuilder filter: (Scope) -> QueryFragment = { _ in QueryFragment() }
  ) -> Select<Scope, Int, Int> { counting(filter: filter(scope)) }

  private func counting(filter: QueryFragment) -> Select<Scope, Int, Int> {
    var filter = filter
    var core = core.resolved
    // The number of no rows is 0, and has to be asked for.
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

/// A select of one expression is an expression: a sub-select.
extension Select: OrderingTerm
where Picked: QueryRepresentable, Picked.QueryOutput == Output {}
extension Select: QueryExpressible
where Picked: QueryRepresentable, Picked.QueryOutput == Output {
  public typealias QueryValue = Picked
  public var queryFragment: QueryFragment { "(\(core.fragment))" }
}
extension Select: QueryExpression
where Picked: QueryRepresentable, Picked.QueryOutput == Output {}

/// A statement that yields a table: a select, a compound, `Values`.
public protocol SelectStatement<Output>: Statement {
  /// What its columns are stored as; `()` for whole rows.
  associatedtype Picked
}
