// Selects as scopes: named queries that are combined with others.

/// A query of whole rows of one table: the type of `Reminder.where { … }`.
public typealias Where<From: Table> = Select<From.TableColumns, From, ()>

/// A query of whole rows of joined tables: `SelectOf<RemindersList, Reminder>`.
public typealias SelectOf<From: Table, each Join: Table> =
  Select<
    (From.TableColumns, repeat (each Join).TableColumns), (From, repeat each Join), ()
  >

// Boolean operators for queries of the same table.
extension Select where Picked == (), Output: Table, Scope == Output.TableColumns {
  /// The rows that both queries select: `WHERE … AND …`. The order is the left query's, followed by
  /// the right one's.
  ///
  /// A query with joins, groups or a limit stands for the list of its rows,
  /// `("items"."rowid" IN (SELECT …))`, which needs a table with rowids. The order of a grouped
  /// query is dropped.
  public static func && (left: Self, right: Self) -> Self {
    left.with { $0.combine(with: right.core, isEither: false) }
  }
  /// The rows that either query selects: `WHERE (… OR …)`. If a side has no condition, these are
  /// all rows. See ``&&(_:_:)`` for queries with clauses besides conditions.
  public static func || (left: Self, right: Self) -> Self {
    left.with { $0.combine(with: right.core, isEither: true) }
  }
  /// The rows that the query does not select: `WHERE (NOT …)`.
  public static prefix func ! (query: Self) -> Self { query.with { $0.negate() } }
  /// A query of the same table as an argument: `and(.where { $0.isFlagged })`.
  public static func `where`(@WhereBuilder _ predicate: (Scope) -> QueryFragment) -> Self {
    Output.where(predicate)
  }
  /// A query of the same table as an argument: `and(.where(\.isFlagged))`.
  public static func `where`<E: QueryExpression>(_ column: KeyPath<Scope, E>) -> Self
  where E.QueryValue.Unwrapped == Bool { Output.where(column) }

  /// The query itself, so that an alias can be used like a table: `Reminder.as(R.self).all`.
  public var all: Self { self }
  /// The query without the clauses of the table's ``Table/all``, including its order and limit.
  /// Clauses of the query itself stay, even if they are the same.
  public var unscoped: Self {
    with {
      $0 = $0.parted().own
      $0.defaultScope = nil
    }
  }

  /// The rows that both queries select. The same as `&&`.
  public func and(_ other: Self) -> Self { self && other }
  /// The rows that either query selects. The same as `||`.
  public func or(_ other: Self) -> Self { self || other }
  /// The rows that the query does not select. The same as `!`.
  public func not() -> Self { !self }
}

// A query that a table declares as a static property can continue any query of the table:
//
//     extension Reminder { static let incomplete = Self.where { !$0.isCompleted } }
//     Reminder.order(by: \.title).incomplete
extension Select where Picked == (), Output: Table, Scope == Output.TableColumns {
  /// Adds the clauses of a query that the table declares as a static property:
  /// `Reminder.order(by: \.title).incomplete`.
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
  /// Adds the clauses of a static query of the table. The columns selected so far stay as they are.
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

  /// Adds the clauses of a static query of the table, and its selected column after those selected
  /// so far.
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

  // At least two columns: without columns the query would have no `select`.

  /// Adds the clauses of a static query of the table, and its selected columns after those selected
  /// so far.
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
  /// The selected columns of both queries, and the clauses of both:
  /// `Reminder.select(\.id) + Reminder.select(\.title)`.
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
    core.follow(left.core)
    return Select<
      Scope, (repeat (each C).QueryOutput, repeat (each D).QueryOutput),
      (repeat each C, repeat each D)
    >(core: core, scope: left.scope) { row throws(DecodingProblem) in
      (repeat try (each C).decode(&row), repeat try (each D).decode(&row))
    }
  }

  /// The clauses of both queries, for whole rows.
  public static func + (left: Self, right: Self) -> Self where Picked == () {
    right.with { $0.follow(left.core) }
  }

  /// Computes other columns from the selected ones:
  /// `Reminder.all.select { ($0.id, $0.title) }.map { ($1, $0) }`.
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
  /// Returns to whole rows: `Reminder.select { ($0.id, $0.title) }.map { _, _ in }`.
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

/// A table under an alias, as a type. Its rows are the table's, so it is the table's type.
public typealias TableAlias<Base: Table, Name: AliasName> = Base

/// A statement that returns rows and can stand in `FROM` and `IN`: another name for
/// ``SelectStatement``.
public typealias PartialSelectStatement = SelectStatement
/// An INSERT into a table.
public typealias InsertOf<Target: Table> = Insert<Target>
/// An UPDATE of a table.
public typealias UpdateOf<Target: Table> = Update<Target>
/// A DELETE from a table.
public typealias DeleteOf<Target: Table> = Delete<Target>
