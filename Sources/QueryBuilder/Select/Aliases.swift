// A query under an alias, whatever clauses it has already: `Reminder.where { !$0.isCompleted }.as(R.self)`.

extension Select where Scope: TableDefinition {
  /// The same rows under another name: the columns in its clauses are the alias's.
  public func `as`<A: AliasName>(_: A.Type) -> Self {
    var core = core.named(A.aliasName)
    core.source.call(core.source.table, self.core.source.qualifier)
    return Self(core: core, scope: Scope(qualifier: A.aliasName), decode: decode)
  }
}

extension Select where Picked == (), Output: Table, Scope == Output.TableColumns {
  /// `INSERT INTO "lists" AS "r" (…) VALUES (…)`
  public func insert(@InsertBuilder<Output> _ rows: () -> [[Assignment]]) -> Insert<Output> {
    var insert = Output.insert(rows)
    if core.source.qualifier != Output.qualifiedName { insert.alias = core.source.qualifier }
    return insert
  }
}

/// An optional table stands for the empty side of an outer join: its columns are optional, and so are its rows.
extension Optional where Wrapped: Table {
  public static var all: Select<Wrapped.TableColumns.Outer, Wrapped?, ()> {
    Select(
      core: Wrapped.scoped.core, scope: Wrapped.scoped.scope.outer, decode: Self.decode)
  }
  public static func select<S: SelectedTerms>(
    @SelectBuilder _ columns: (Wrapped.TableColumns.Outer) -> S
  ) -> Select<Wrapped.TableColumns.Outer, S.Output, S.Picked> { all.select(columns) }
  public static func `where`(
    @WhereBuilder _ predicate: (Wrapped.TableColumns.Outer) -> QueryFragment
  ) -> Select<Wrapped.TableColumns.Outer, Wrapped?, ()> { all.where(predicate) }
}
