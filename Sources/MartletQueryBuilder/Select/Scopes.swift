// Selects as scopes: named pieces of queries that are put together.

/// A query of whole rows of one table: what `Reminder.where { … }` gives.
public typealias Where<From: Table> = Select<From.TableColumns, From, ()>

/// A query of whole rows of joined tables: `SelectOf<RemindersList, Reminder>`.
public typealias SelectOf<From: Table, each Join: Table> =
  Select<
    (From.TableColumns, repeat (each Join).TableColumns), (From, repeat each Join), ()
  >

// Two queries of one table as conditions.
extension Select where Picked == (), Output: Table, Scope == Output.TableColumns {
  /// The rows of both: `WHERE … AND …`. The order is the left one's. A side with a limit, groups or DISTINCT stands for the rows
  /// that it gives: `("items"."rowid" IN (SELECT …))`.
  public static func && (left: Self, right: Self) -> Self {
    let (left, right) = sides(left, right)
    return left.with {
      $0.conditions += right.core.conditions
      $0.isNone = $0.isNone || right.core.isNone
    }
  }
  /// The rows of either: `WHERE (… OR …)`. A side without any clause is left out, so that a search for nothing adds nothing.
  public static func || (left: Self, right: Self) -> Self {
    let (left, right) = sides(left, right)
    if left.core.isNone || (left.core.conditions.isEmpty && !right.core.isNone) {
      return left.with {
        $0.conditions = right.core.conditions
        $0.isNone = right.core.isNone
      }
    }
    if right.core.isNone || right.core.conditions.isEmpty { return left }
    let condition: QueryFragment = "(\(left.condition) OR \(right.condition))"
    return left.with { $0.conditions = [condition] }
  }
  /// Both as conditions on the left one's name, and with the table's own scope in one where the other does not have it.
  private static func sides(_ left: Self, _ right: Self) -> (Self, Self) {
    let isShared = left.core.defaultScope != nil && right.core.defaultScope != nil
    func side(_ query: Self) -> Self {
      query.with { core in
        if !isShared { core = core.resolved }
        core = core.named(left.core.source.qualifier)
        guard !core.isPlainCondition || core.distinct else { return }
        let orders = core.orders
        core.conditions = [core.isChosen]
        core.distinct = false
        core.joins = []
        core.tail = TailClauses()
        core.orders = orders
      }
    }
    return (side(left), side(right))
  }
  /// The other rows: `WHERE (NOT …)`
  public static prefix func ! (query: Self) -> Self {
    query.with {
      $0.conditions = ["(NOT \(query.condition))"]
      $0.isNone = false
    }
  }
  /// `and(.where(\.isFlagged))`
  public static func `where`(@WhereBuilder _ predicate: (Scope) -> QueryFragment) -> Self {
    Output.where(predicate)
  }
  public static func `where`<E: QueryExpressible>(_ column: KeyPath<Scope, E>) -> Self
  where E.QueryValue.Unwrapped == Bool { Output.where(column) }

  /// The query itself, so that an alias reads as a table does: `Reminder.as(R.self).all`.
  public var all: Self { self }
  /// The query without what the table's own ``Table/all`` says. A query that begins with the same clauses is taken for one that was
  /// made from it.
  public var unscoped: Self {
    let scope = Output.all.core.named(core.source.qualifier)
    return with {
      $0.defaultScope = nil
      if $0.conditions.starts(with: scope.conditions) {
        $0.conditions.removeFirst(scope.conditions.count)
      }
      if $0.orders.starts(with: scope.orders) { $0.orders.removeFirst(scope.orders.count) }
      if $0.groups.starts(with: scope.groups) { $0.groups.removeFirst(scope.groups.count) }
      if $0.havings.starts(with: scope.havings) { $0.havings.removeFirst(scope.havings.count) }
      if $0.limit == scope.limit { $0.limit = nil }
      if $0.offset == scope.offset { $0.offset = nil }
      if scope.distinct { $0.distinct = false }
    }
  }

  public func and(_ other: Self) -> Self { self && other }
  public func or(_ other: Self) -> Self { self || other }
  public func not() -> Self { !self }

  private var condition: QueryFragment {
    switch core.conditions.count {
    case _ where core.isNone: "0"
    case 0: "1"
    case 1: core.conditions[0].operand
    default: "(\(core.conditions.map(\.operand).joined(" AND ")))"
    }
  }
}

// What a table declares as a static query goes on from any query of it:
//
//     extension Reminder { static let incomplete = Self.where { !$0.isCompleted } }
//     Reminder.order(by: \.title).incomplete
extension Select where Picked == (), Output: Table, Scope == Output.TableColumns {
  public subscript<S: Sendable, O, P>(
    dynamicMember scope: KeyPath<Output.Type, Select<S, O, P>>
  ) -> Select<S, O, P> {
    let other = Output.self[keyPath: scope]
    var clauses = other.core.named(core.source.qualifier)
    clauses.precede(by: core)
    return Select<S, O, P>(
      core: clauses, scope: self.scope as? S ?? other.scope, decode: other.decode)
  }
}

extension Select where Scope: TableDefinition {
  /// The same behind chosen columns, which stay as they are: a scope has conditions and an order.
  @_disfavoredOverload
  public subscript<S: Sendable, O>(
    dynamicMember scope: KeyPath<Scope.QueryValue.Type, Select<S, O, ()>>
  ) -> Self {
    let other = Scope.QueryValue.self[keyPath: scope]
    var core = other.core.named(self.core.source.qualifier)
    core.columns = self.core.columns
    core.isPicked = self.core.isPicked
    core.precede(by: self.core)
    return Self(core: core, scope: self.scope, decode: decode)
  }

  /// What a scope chooses itself comes behind the columns that are chosen.
  @_disfavoredOverload
  public subscript<each C: QueryRepresentable, S: Sendable, O, D: QueryRepresentable>(
    dynamicMember scope: KeyPath<Scope.QueryValue.Type, Select<S, O, D>>
  ) -> Select<S, (repeat (each C).QueryOutput, D.QueryOutput), (repeat each C, D)>
  where Picked == (repeat each C) {
    let other = Scope.QueryValue.self[keyPath: scope]
    return Select<S, (repeat (each C).QueryOutput, D.QueryOutput), (repeat each C, D)>(
      core: behind(other.core), scope: other.scope
    ) { row throws(DecodingProblem) in (repeat try (each C).decode(&row), try D.decode(&row)) }
  }
  // Of two at least: no columns are no choice.
  @_disfavoredOverload
  public subscript<
    each C: QueryRepresentable, S: Sendable, O, D: QueryRepresentable, E: QueryRepresentable,
    each F: QueryRepresentable
  >(
    dynamicMember scope: KeyPath<Scope.QueryValue.Type, Select<S, O, (D, E, repeat each F)>>
  ) -> Select<
    S,
    (repeat (each C).QueryOutput, D.QueryOutput, E.QueryOutput, repeat (each F).QueryOutput),
    (repeat each C, D, E, repeat each F)
  >
  where Picked == (repeat each C) {
    let other = Scope.QueryValue.self[keyPath: scope]
    return Select<
      S,
      (repeat (each C).QueryOutput, D.QueryOutput, E.QueryOutput, repeat (each F).QueryOutput),
      (repeat each C, D, E, repeat each F)
    >(core: behind(other.core), scope: other.scope) { row throws(DecodingProblem) in
      (
        repeat try (each C).decode(&row), try D.decode(&row), try E.decode(&row),
        repeat try (each F).decode(&row)
      )
    }
  }

  private func behind(_ scope: SelectCore) -> SelectCore {
    var core = scope.named(core.source.qualifier)
    core.columns = self.core.columns + core.columns
    core.isPicked = true
    core.precede(by: self.core)
    return core
  }
}

extension Select {
  /// The columns of both, and the clauses of both: `Reminder.select(\.id) + Reminder.select(\.title)`.
  public static func + <each C: QueryRepresentable, O, each D: QueryRepresentable>(
    left: Self, right: Select<Scope, O, (repeat each D)>
  ) -> Select<
    Scope, (repeat (each C).QueryOutput, repeat (each D).QueryOutput),
    (repeat each C, repeat each D)
  >
  where Picked == (repeat each C) {
    var core = right.core.named(left.core.source.qualifier)
    let chosen = core.columns
    core.columns = left.core.isPicked ? left.core.columns : []
    core.columns += right.core.isPicked ? chosen : []
    core.isPicked = true
    core.precede(by: left.core)
    return Select<
      Scope, (repeat (each C).QueryOutput, repeat (each D).QueryOutput),
      (repeat each C, repeat each D)
    >(core: core, scope: left.scope) { row throws(DecodingProblem) in
      (repeat try (each C).decode(&row), repeat try (each D).decode(&row))
    }
  }

  /// The clauses of both, of whole rows.
  public static func + (left: Self, right: Self) -> Self where Picked == () {
    right.with { $0.precede(by: left.core) }
  }

  /// Other columns made of the chosen ones: `Reminder.all.select { ($0.id, $0.title) }.map { ($1, $0) }`.
  public func map<each C: QueryRepresentable, S: SelectedTerms>(
    @SelectBuilder _ transform: (repeat SQLQueryExpression<each C>) -> S
  ) -> Select<Scope, S.Output, S.Picked> where Picked == (repeat each C) {
    var rest = core.columns[...]
    func next<V: QueryRepresentable>(_ type: V.Type) -> SQLQueryExpression<V> {
      let parts = rest.prefix(V.columnCount)
      rest = rest.dropFirst(parts.count)
      return SQLQueryExpression(
        columns: parts.map {
          var part = $0
          part.alias = nil
          return part
        })
    }
    let selected = transform(repeat next((each C).self))
    var core = core
    core.pick(selected.columns)
    return Select<Scope, S.Output, S.Picked>(
      core: core, scope: scope, decode: selected.decode)
  }
}

extension Select where Scope: TableDefinition {
  /// Back to whole rows: `Reminder.select { ($0.id, $0.title) }.map { _, _ in }`.
  public func map<each C: QueryRepresentable>(
    _ transform: (repeat SQLQueryExpression<each C>) -> Void
  ) -> Select<Scope, Scope.QueryValue, ()> where Picked == (repeat each C) {
    var core = core
    core.columns = scope.selection
    core.isPicked = false
    return Select<Scope, Scope.QueryValue, ()>(
      core: core, scope: scope, decode: Scope.QueryValue.decode)
  }
}

/// A table under an alias, as a type: its rows are the table's.
public typealias TableAlias<Base: Table, Name: AliasName> = Base

/// What may be fetched row by row, and stands in `FROM` and `IN`.
public typealias PartialSelectStatement = SelectStatement
public typealias InsertOf<Target: Table> = Insert<Target>
public typealias UpdateOf<Target: Table> = Update<Target>
public typealias DeleteOf<Target: Table> = Delete<Target>
