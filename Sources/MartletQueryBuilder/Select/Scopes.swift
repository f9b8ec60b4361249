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
  /// The rows of both: `WHERE … AND …`. The order is the left one's, then the right one's.
  ///
  /// A side with a limit or groups is a list of the rows that it chose: `("items"."rowid" IN (SELECT …))`; groups
  /// then say which rows, and not their order.
  public static func && (left: Self, right: Self) -> Self {
    left.with { $0.combine(with: right.core, isEither: false) }
  }
  /// The rows of either: `WHERE (… OR …)`; all rows where a side has all. See ``&&(_:_:)`` for a side with more than
  /// conditions.
  public static func || (left: Self, right: Self) -> Self {
    left.with { $0.combine(with: right.core, isEither: true) }
  }
  /// The other rows: `WHERE (NOT …)`
  public static prefix func ! (query: Self) -> Self { query.with { $0.negate() } }
  /// `and(.where(\.isFlagged))`
  public static func `where`(@WhereBuilder _ predicate: (Scope) -> QueryFragment) -> Self {
    Output.where(predicate)
  }
  public static func `where`<E: QueryExpression>(_ column: KeyPath<Scope, E>) -> Self
  where E.QueryValue.Unwrapped == Bool { Output.where(column) }

  /// The query itself, so that an alias reads as a table does: `Reminder.as(R.self).all`.
  public var all: Self { self }
  /// The query without what the table's own ``Table/all`` says, its order and limit too. What the query says itself
  /// stays, also where it says the same.
  public var unscoped: Self {
    with {
      $0 = $0.parted().own
      $0.defaultScope = nil
    }
  }

  public func and(_ other: Self) -> Self { self && other }
  public func or(_ other: Self) -> Self { self || other }
  public func not() -> Self { !self }
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
    core.follow(left.core)
    return Select<
      Scope, (repeat (each C).QueryOutput, repeat (each D).QueryOutput),
      (repeat each C, repeat each D)
    >(core: core, scope: left.scope) { row throws(DecodingProblem) in
      (repeat try (each C).decode(&row), repeat try (each D).decode(&row))
    }
  }

  /// The clauses of both, of whole rows.
  public static func + (left: Self, right: Self) -> Self where Picked == () {
    right.with { $0.follow(left.core) }
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
