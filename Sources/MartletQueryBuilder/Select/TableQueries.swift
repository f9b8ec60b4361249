internal import MartletNaming

/// The static side: `Reminder.where { … }` is `Reminder.all.where { … }`.
extension Table {
  public typealias All = Select<TableColumns, Self, ()>

  @inlinable public static var all: All { unscoped }
  /// All rows, whatever the table's own ``all`` leaves out.
  @inlinable public static var unscoped: All { all(as: qualifiedName) }
  /// ``all``, asked for when the query is printed.
  @inlinable static var scoped: All { all(as: qualifiedName) { Self.all.core } }
  public static var none: All { scoped.none }
  /// The table under another name: `FROM "reminders" AS "rs"`.
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

  @inlinable public static func `where`(
    @WhereBuilder _ predicate: (TableColumns) -> QueryFragment
  ) -> All { scoped.where(predicate) }
  public static func `where`<E: QueryExpression>(_ column: KeyPath<TableColumns, E>) -> All
  where E.QueryValue.Unwrapped == Bool { scoped.where(column) }
  public static func filter(
    @WhereBuilder _ predicate: (TableColumns) -> QueryFragment
  ) -> All { scoped.where(predicate) }
  @inlinable public static func select<S: SelectedTerms>(
    @SelectBuilder _ columns: (TableColumns) -> S
  ) -> Select<TableColumns, S.Output, S.Picked> { scoped.select(columns) }
  public static func select<E: QueryExpressible>(
    _ column: KeyPath<TableColumns, E>
  ) -> Select<TableColumns, E.QueryValue.QueryOutput, E.QueryValue> { scoped.select(column) }
  public static func group(@TermBuilder by terms: (TableColumns) -> [QueryFragment]) -> All {
    scoped.group(by: terms)
  }
  public static func group<E: QueryExpressible>(by term: KeyPath<TableColumns, E>) -> All {
    scoped.group(by: term)
  }
  public static func order(@TermBuilder by terms: (TableColumns) -> [QueryFragment]) -> All {
    scoped.order(by: terms)
  }
  public static func order<E: QueryExpressible>(
    by term: KeyPath<TableColumns, E>, _ direction: Direction? = nil
  ) -> All { scoped.order(by: term, direction) }
  public static func distinct(_ isDistinct: Bool = true) -> All { scoped.distinct(isDistinct) }
  public static func having<E: QueryExpression>(_ column: KeyPath<TableColumns, E>) -> All
  where E.QueryValue.Unwrapped == Bool { scoped.having(column) }
  public static func having(
    @WhereBuilder _ predicate: (TableColumns) -> QueryFragment
  ) -> All { scoped.having(predicate) }
  public static func limit(@CountBuilder _ count: (TableColumns) -> QueryFragment?) -> All {
    scoped.limit(count)
  }
  public static func limit(_ count: Int?, offset: Int? = nil) -> All {
    scoped.limit(count, offset: offset)
  }
  public static func offset(@CountBuilder _ count: (TableColumns) -> QueryFragment?) -> All {
    scoped.offset(count)
  }
  public static func offset(_ count: Int?) -> All { scoped.offset(count) }
  @inlinable public static func join<T: Joinable, P>(
    _ other: Select<T, P, ()>, on condition: ((TableColumns, T)) -> some QueryExpressible<Bool>
  ) -> Select<(TableColumns, T), (Self, P), ()> { scoped.join(other, on: condition) }
  @inlinable public static func leftJoin<T: Joinable, P>(
    _ other: Select<T, P, ()>, on condition: ((TableColumns, T)) -> some QueryExpressible<Bool>
  ) -> Select<(TableColumns, T.Outer), (Self, P?), ()> { scoped.leftJoin(other, on: condition) }
  public static func join<T: Joinable, D: QueryRepresentable>(
    _ other: Select<T, D.QueryOutput, D>,
    on condition: ((TableColumns, T)) -> some QueryExpressible<Bool>
  ) -> Select<(TableColumns, T), D.QueryOutput, D> { scoped.join(other, on: condition) }
  public static func leftJoin<T: Joinable, D: QueryRepresentable>(
    _ other: Select<T, D.QueryOutput, D>,
    on condition: ((TableColumns, T)) -> some QueryExpressible<Bool>
  ) -> Select<(TableColumns, T.Outer), D.Unwrapped.QueryOutput?, D.Unwrapped?> {
    scoped.leftJoin(other, on: condition)
  }
  @available(*, unavailable, message: "A query is joined, not a type: 'RemindersList.all'")
  @_disfavoredOverload
  public static func join<T: Table>(
    _ other: T.Type, on condition: ((TableColumns, T.TableColumns)) -> some QueryExpressible<Bool>
  ) -> Select<(TableColumns, T.TableColumns), (Self, T), ()> { scoped.join(T.all, on: condition) }
  @available(*, unavailable, message: "A query is joined, not a type: 'RemindersList.all'")
  @_disfavoredOverload
  public static func leftJoin<T: Table>(
    _ other: T.Type, on condition: ((TableColumns, T.TableColumns)) -> some QueryExpressible<Bool>
  ) -> Select<(TableColumns, T.TableColumns.Outer), (Self, T?), ()> {
    scoped.leftJoin(T.all, on: condition)
  }
  public static func rightJoin<T: Joinable, P>(
    _ other: Select<T, P, ()>, on condition: ((TableColumns, T)) -> some QueryExpressible<Bool>
  ) -> Select<
    (TableColumns.Outer, T), (TableColumns.Outer.QueryValue.QueryOutput, P), ()
  > { scoped.rightJoin(other, on: condition) }
  public static func fullJoin<T: Joinable, P>(
    _ other: Select<T, P, ()>, on condition: ((TableColumns, T)) -> some QueryExpressible<Bool>
  ) -> Select<
    (TableColumns.Outer, T.Outer), (TableColumns.Outer.QueryValue.QueryOutput, P?), ()
  > { scoped.fullJoin(other, on: condition) }
  public static var count: Select<TableColumns, Int, Int> { scoped.count }
  public static func count(
    @WhereBuilder filter: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Select<TableColumns, Int, Int> { scoped.count(filter: filter) }
  public static func exists() -> SQLQueryExpression<Bool> { scoped.exists() }
  public static func update(
    _ assign: (inout Updates<Self>) -> Void
  ) -> Update<Self> { scoped.update(assign) }
  public static func delete() -> Delete<Self> { scoped.delete() }
}

extension PrimaryKeyedTable {
  /// `WHERE ("reminders"."id" = ?)`; of a key of several columns `WHERE (("e"."a", "e"."b") = (?, ?))`.
  @inlinable
  public static func find(_ key: TableColumns.PrimaryKey.QueryOutput) -> All { scoped.find(key) }
  @_disfavoredOverload
  public static func find(_ key: some QueryExpression<TableColumns.PrimaryKey>) -> All {
    scoped.find(key)
  }
  public static func find(_ keys: [TableColumns.PrimaryKey.QueryOutput]) -> All {
    scoped.find(keys)
  }
  /// The rows whose keys a query gives, stored as the table's are: `WHERE ("reminders"."id" IN (SELECT …))`.
  public static func find<S: SelectStatement>(_ keys: S) -> All
  where S.Picked: QueryRepresentable, S.Picked.Unwrapped == TableColumns.PrimaryKey.Unwrapped {
    scoped.find(keys)
  }
  /// The rows whose keys of several columns are a query's whole rows.
  public static func find<S: SelectStatement<TableColumns.PrimaryKey>>(_ keys: S) -> All
  where S.Picked == () { scoped.find(keys) }
  @available(*, unavailable, message: "The key is not of the type of the table's primary key")
  @_disfavoredOverload
  public static func find<Key>(_ key: Key) -> All { scoped }
}

// The same of drafts, which are no tables of their own.
extension TableDraft where TableColumns: PrimaryKeyedDefinition {
  public static func find(_ key: TableColumns.PrimaryKey.QueryOutput) -> All { scoped.find(key) }
  public static func find(_ keys: [TableColumns.PrimaryKey.QueryOutput]) -> All {
    scoped.find(keys)
  }
  public static func find<S: SelectStatement>(_ keys: S) -> All
  where S.Picked: QueryRepresentable, S.Picked.Unwrapped == TableColumns.PrimaryKey.Unwrapped {
    scoped.find(keys)
  }
}

extension Select where Scope: PrimaryKeyedDefinition {
  @inlinable public consuming func find(_ key: Scope.PrimaryKey.QueryOutput) -> Self {
    let condition = scope.isKey(key)
    return with { $0.restrict(condition) }
  }
  @_disfavoredOverload
  public func find(_ key: some QueryExpression<Scope.PrimaryKey>) -> Self {
    with { $0.conditions.append("(\(scope.primaryKey) = \(key))") }
  }
  public func find(_ keys: [Scope.PrimaryKey.QueryOutput]) -> Self {
    with { $0.conditions.append(scope.isKey(in: keys)) }
  }
  public func find<S: SelectStatement>(_ keys: S) -> Self
  where S.Picked: QueryRepresentable, S.Picked.Unwrapped == Scope.PrimaryKey.Unwrapped {
    with {
      $0.conditions.append(
        membership(of: scope.primaryKey, in: keys.part.fragment, as: Scope.PrimaryKey.self))
    }
  }
  /// The rows whose keys of several columns are a query's whole rows.
  public func find<S: SelectStatement<Scope.PrimaryKey>>(_ keys: S) -> Self where S.Picked == () {
    with {
      $0.conditions.append(
        membership(of: scope.primaryKey, in: keys.part.fragment, as: Scope.PrimaryKey.self))
    }
  }
}

extension Select {
  /// Of joined tables the first one's key.
  @_disfavoredOverload
  public func find<First: PrimaryKeyedDefinition, each Rest>(
    _ key: First.PrimaryKey.QueryOutput
  ) -> Self where Scope == (First, repeat each Rest) {
    with { $0.conditions.append(First(qualifier: core.source.qualifier).isKey(key)) }
  }
}

/// `enum R: AliasName {}` and `enum Rs: AliasName {}` name an alias `"rs"`.
public protocol AliasName {
  static var aliasName: String { get }
}

extension AliasName {
  public static var aliasName: String {
    tableName(for: typeName(Self.self))
  }
}
