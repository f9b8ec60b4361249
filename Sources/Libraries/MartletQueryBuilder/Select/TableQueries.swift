internal import MartletNaming

/// The static forms of the clauses: `Reminder.where { … }` is `Reminder.all.where { … }`.
extension Table {
  /// A query of whole rows of the table.
  public typealias All = Select<TableColumns, Self, ()>

  /// All rows of the table. Declare your own `all` to add clauses to every query of the table.
  @inlinable public static var all: All { unscoped }
  /// All rows of the table, without the clauses of its own ``all``.
  @inlinable public static var unscoped: All { all(as: qualifiedName) }
  /// Like ``all``, but reads the table's `all` only when the query is printed.
  @inlinable static var scoped: All { all(as: qualifiedName) { Self.all.core } }
  /// A query without rows. It is never executed.
  public static var none: All { scoped.none }
  /// The table under an alias: `FROM "reminders" AS "rs"`.
  public static func `as`<A: AliasName>(_: A.Type) -> All {
    all(as: A.aliasName) { Self.all.core }
  }

  @inlinable static func all(
    as alias: String, defaultScope: (@Sendable () -> SelectCore)? = nil
  ) -> All {
    Select(
      core: SelectCore(Self.self, as: alias, defaultScope: defaultScope),
      scope: TableColumns(qualifier: alias), decode: Self.decode)
  }

  /// Filters the rows: `WHERE …`. An empty closure adds no condition.
  @inlinable public static func `where`(
    @WhereBuilder _ predicate: (TableColumns) -> QueryFragment
  ) -> All { scoped.where(predicate) }
  /// Filters the rows by a Boolean column: `WHERE "reminders"."isFlagged"`.
  public static func `where`<E: QueryExpression>(_ column: KeyPath<TableColumns, E>) -> All
  where E.QueryValue.Unwrapped == Bool { scoped.where(column) }
  /// Filters the rows: `WHERE …`. The same as `where`.
  public static func filter(
    @WhereBuilder _ predicate: (TableColumns) -> QueryFragment
  ) -> All { scoped.where(predicate) }
  /// Selects columns, either one expression or a tuple:
  /// `SELECT "reminders"."id", "reminders"."title" FROM …`.
  @inlinable public static func select<S: SelectedTerms>(
    @SelectBuilder _ columns: (TableColumns) -> S
  ) -> Select<TableColumns, S.Output, S.Picked> { scoped.select(columns) }
  /// Selects one column: `SELECT "tags"."title" FROM "tags"`.
  public static func select<E: QueryExpressible>(
    _ column: KeyPath<TableColumns, E>
  ) -> Select<TableColumns, E.QueryValue.QueryOutput, E.QueryValue> { scoped.select(column) }
  /// Groups the rows: `GROUP BY …`.
  public static func group(@TermBuilder by terms: (TableColumns) -> [QueryFragment]) -> All {
    scoped.group(by: terms)
  }
  /// Groups the rows by a column: `GROUP BY "reminders"."remindersListID"`.
  public static func group<E: QueryExpressible>(by term: KeyPath<TableColumns, E>) -> All {
    scoped.group(by: term)
  }
  /// Orders the rows: `ORDER BY …`.
  public static func order(@TermBuilder by terms: (TableColumns) -> [QueryFragment]) -> All {
    scoped.order(by: terms)
  }
  /// Orders the rows by a column: `ORDER BY "tags"."title" DESC`. Ascending by default.
  public static func order<E: QueryExpressible>(
    by term: KeyPath<TableColumns, E>, _ direction: Direction? = nil
  ) -> All { scoped.order(by: term, direction) }
  /// Removes duplicate rows: `SELECT DISTINCT …`. With `false` duplicates stay, even if the table's
  /// own `all` removes them.
  public static func distinct(_ isDistinct: Bool = true) -> All { scoped.distinct(isDistinct) }
  /// Keeps the groups for which a Boolean expression is true: `HAVING …`.
  public static func having<E: QueryExpression>(_ column: KeyPath<TableColumns, E>) -> All
  where E.QueryValue.Unwrapped == Bool { scoped.having(column) }
  /// Filters the groups: `HAVING …`.
  public static func having(
    @WhereBuilder _ predicate: (TableColumns) -> QueryFragment
  ) -> All { scoped.having(predicate) }
  /// Limits the number of rows to an expression: `LIMIT …`. An empty closure means no limit.
  public static func limit(@CountBuilder _ count: (TableColumns) -> QueryFragment?) -> All {
    scoped.limit(count)
  }
  /// Limits the number of rows: `LIMIT ? OFFSET ?`. `nil` means no limit.
  public static func limit(_ count: Int?, offset: Int? = nil) -> All {
    scoped.limit(count, offset: offset)
  }
  /// Skips as many rows as an expression says: `LIMIT -1 OFFSET …`. An empty closure means no
  /// offset.
  public static func offset(@CountBuilder _ count: (TableColumns) -> QueryFragment?) -> All {
    scoped.offset(count)
  }
  /// Skips rows: `LIMIT -1 OFFSET ?`. `nil` means no offset.
  public static func offset(_ count: Int?) -> All { scoped.offset(count) }
  /// Joins another query: `JOIN "reminders" ON …`.
  @inlinable public static func join<T: Joinable, P>(
    _ other: Select<T, P, ()>, on condition: ((TableColumns, T)) -> some QueryExpressible<Bool>
  ) -> Select<(TableColumns, T), (Self, P), ()> { scoped.join(other, on: condition) }
  /// Joins another query and keeps rows without a match: `LEFT JOIN "reminders" ON …`. The joined
  /// table becomes optional.
  @inlinable public static func leftJoin<T: Joinable, P>(
    _ other: Select<T, P, ()>, on condition: ((TableColumns, T)) -> some QueryExpressible<Bool>
  ) -> Select<(TableColumns, T.Outer), (Self, P?), ()> { scoped.leftJoin(other, on: condition) }
  /// Joins a query with one selected column, which is the row.
  public static func join<T: Joinable, D: QueryRepresentable>(
    _ other: Select<T, D.QueryOutput, D>,
    on condition: ((TableColumns, T)) -> some QueryExpressible<Bool>
  ) -> Select<(TableColumns, T), D.QueryOutput, D> { scoped.join(other, on: condition) }
  /// Joins a query with one selected column and keeps rows without a match. The row is that column,
  /// as an optional.
  public static func leftJoin<T: Joinable, D: QueryRepresentable>(
    _ other: Select<T, D.QueryOutput, D>,
    on condition: ((TableColumns, T)) -> some QueryExpressible<Bool>
  ) -> Select<(TableColumns, T.Outer), D.Unwrapped.QueryOutput?, D.Unwrapped?> {
    scoped.leftJoin(other, on: condition)
  }
  /// Does not compile: join a query, `RemindersList.all`, instead of a type.
  @available(*, unavailable, message: "Join a query instead of a type: 'RemindersList.all'")
  @_disfavoredOverload
  public static func join<T: Table>(
    _ other: T.Type, on condition: ((TableColumns, T.TableColumns)) -> some QueryExpressible<Bool>
  ) -> Select<(TableColumns, T.TableColumns), (Self, T), ()> { scoped.join(T.all, on: condition) }
  /// Does not compile: join a query, `RemindersList.all`, instead of a type.
  @available(*, unavailable, message: "Join a query instead of a type: 'RemindersList.all'")
  @_disfavoredOverload
  public static func leftJoin<T: Table>(
    _ other: T.Type, on condition: ((TableColumns, T.TableColumns)) -> some QueryExpressible<Bool>
  ) -> Select<(TableColumns, T.TableColumns.Outer), (Self, T?), ()> {
    scoped.leftJoin(T.all, on: condition)
  }
  /// Joins another query and keeps its rows without a match: `RIGHT JOIN "reminders" ON …`. This
  /// table becomes optional.
  public static func rightJoin<T: Joinable, P>(
    _ other: Select<T, P, ()>, on condition: ((TableColumns, T)) -> some QueryExpressible<Bool>
  ) -> Select<
    (TableColumns.Outer, T), (TableColumns.Outer.QueryValue.QueryOutput, P), ()
  > { scoped.rightJoin(other, on: condition) }
  /// Joins another query and keeps the rows of both without a match: `FULL JOIN "reminders" ON …`.
  /// Both tables become optional.
  public static func fullJoin<T: Joinable, P>(
    _ other: Select<T, P, ()>, on condition: ((TableColumns, T)) -> some QueryExpressible<Bool>
  ) -> Select<
    (TableColumns.Outer, T.Outer), (TableColumns.Outer.QueryValue.QueryOutput, P?), ()
  > { scoped.fullJoin(other, on: condition) }
  /// The number of rows: `SELECT count(*) FROM …`.
  public static var count: Select<TableColumns, Int, Int> { scoped.count }
  /// The number of rows: `SELECT count(*) FROM …`, or, with a filter,
  /// `SELECT count(*) FILTER (WHERE …) FROM …`.
  public static func count(
    @WhereBuilder filter: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Select<TableColumns, Int, Int> { scoped.count(filter: filter) }
  /// Whether the table has any row: `EXISTS (SELECT …)`.
  public static func exists() -> SQLQueryExpression<Bool> { scoped.exists() }
  /// Changes all rows: `UPDATE "reminders" SET "isFlagged" = ?`.
  public static func update(
    _ assign: (inout Updates<Self>) -> Void
  ) -> Update<Self> { scoped.update(assign) }
  /// Deletes all rows: `DELETE FROM "reminders"`.
  public static func delete() -> Delete<Self> { scoped.delete() }
}

extension PrimaryKeyedTable {
  /// The row with this primary key: `WHERE ("reminders"."id" = ?)`.
  ///
  /// A key of several columns is compared as a row value: `WHERE (("e"."a", "e"."b") = (?, ?))`.
  @inlinable
  public static func find(_ key: TableColumns.PrimaryKey.QueryOutput) -> All { scoped.find(key) }
  /// The row whose primary key equals an expression: `WHERE ("reminders"."id" = …)`.
  @_disfavoredOverload
  public static func find(_ key: some QueryExpression<TableColumns.PrimaryKey>) -> All {
    scoped.find(key)
  }
  /// The rows with one of these primary keys: `WHERE ("reminders"."id" IN (?, ?))`.
  public static func find(_ keys: [TableColumns.PrimaryKey.QueryOutput]) -> All {
    scoped.find(keys)
  }
  /// The rows whose primary keys a query returns: `WHERE ("reminders"."id" IN (SELECT …))`. The
  /// query has to represent keys as the table does.
  public static func find<S: SelectStatement>(_ keys: S) -> All
  where S.Picked: QueryRepresentable, S.Picked.Unwrapped == TableColumns.PrimaryKey.Unwrapped {
    scoped.find(keys)
  }
  /// The rows whose primary keys, of several columns, are the whole rows of a query.
  public static func find<S: SelectStatement<TableColumns.PrimaryKey>>(_ keys: S) -> All
  where S.Picked == () { scoped.find(keys) }
  /// Does not compile: the key has another type than the table's primary key.
  @available(*, unavailable, message: "The key is not of the type of the table's primary key")
  @_disfavoredOverload
  public static func find<Key>(_ key: Key) -> All { scoped }
}

// The same for drafts, which do not conform to `PrimaryKeyedTable`.
extension TableDraft where TableColumns: PrimaryKeyedDefinition {
  /// The row with this primary key, as a draft: `WHERE ("reminders"."id" = ?)`.
  public static func find(_ key: TableColumns.PrimaryKey.QueryOutput) -> All { scoped.find(key) }
  /// The rows with one of these primary keys, as drafts: `WHERE ("reminders"."id" IN (?, ?))`.
  public static func find(_ keys: [TableColumns.PrimaryKey.QueryOutput]) -> All {
    scoped.find(keys)
  }
  /// The rows whose primary keys a query returns, as drafts:
  /// `WHERE ("reminders"."id" IN (SELECT …))`.
  public static func find<S: SelectStatement>(_ keys: S) -> All
  where S.Picked: QueryRepresentable, S.Picked.Unwrapped == TableColumns.PrimaryKey.Unwrapped {
    scoped.find(keys)
  }
}

extension Select where Scope: PrimaryKeyedDefinition {
  /// Keeps the row with this primary key: `WHERE ("reminders"."id" = ?)`.
  @inlinable public consuming func find(_ key: Scope.PrimaryKey.QueryOutput) -> Self {
    let condition = scope.isKey(key)
    return with { $0.restrict(condition) }
  }
  /// Keeps the row whose primary key equals an expression: `WHERE ("reminders"."id" = …)`.
  @_disfavoredOverload
  public func find(_ key: some QueryExpression<Scope.PrimaryKey>) -> Self {
    with { $0.conditions.append("(\(scope.primaryKey) = \(key))") }
  }
  /// Keeps the rows with one of these primary keys: `WHERE ("reminders"."id" IN (?, ?))`.
  public func find(_ keys: [Scope.PrimaryKey.QueryOutput]) -> Self {
    with { $0.conditions.append(scope.isKey(in: keys)) }
  }
  /// Keeps the rows whose primary keys a query returns: `WHERE ("reminders"."id" IN (SELECT …))`.
  public func find<S: SelectStatement>(_ keys: S) -> Self
  where S.Picked: QueryRepresentable, S.Picked.Unwrapped == Scope.PrimaryKey.Unwrapped {
    with {
      $0.conditions.append(
        membership(of: scope.primaryKey, in: keys.part.fragment, as: Scope.PrimaryKey.self))
    }
  }
  /// Keeps the rows whose primary keys, of several columns, are the whole rows of a query.
  public func find<S: SelectStatement<Scope.PrimaryKey>>(_ keys: S) -> Self where S.Picked == () {
    with {
      $0.conditions.append(
        membership(of: scope.primaryKey, in: keys.part.fragment, as: Scope.PrimaryKey.self))
    }
  }
}

extension Select {
  /// Keeps the rows of a join whose first table has this primary key.
  @_disfavoredOverload
  public func find<First: PrimaryKeyedDefinition, each Rest>(
    _ key: First.PrimaryKey.QueryOutput
  ) -> Self where Scope == (First, repeat each Rest) {
    with { $0.conditions.append(First(qualifier: core.source.qualifier).isKey(key)) }
  }
}

/// A name for a table in a query, declared as a type: `enum R: AliasName {}` and
/// `enum Rs: AliasName {}` are both `"rs"`.
public protocol AliasName {
  /// The alias in SQL.
  static var aliasName: String { get }
}

extension AliasName {
  /// The name of the type in the plural, with a lowercase first letter.
  public static var aliasName: String {
    tableName(for: typeName(Self.self))
  }
}
