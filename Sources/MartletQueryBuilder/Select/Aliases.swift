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
  // The ways to insert of `Table`, under the name that this query gives the table.

  /// `INSERT INTO "lists" AS "r" (…) VALUES (…)`
  @ConflictForms
  public func insert(@InsertBuilder<Output> _ rows: () -> [[Assignment]]) -> Insert<Output> {
    named(Output.insert(rows))
  }
  /// Some columns, and values for them.
  @ConflictForms
  public func insert<Columns: InsertColumns>(
    @InsertColumnsBuilder<Output> _ columns: (Output.TableColumns) -> Columns,
    @InsertValuesBuilder<Columns.Value> values: () -> [InsertedRow]
  ) -> Insert<Output> { named(Output.insert(columns, values: values)) }
  @ConflictForms
  public func insert<V: QueryRepresentable>(
    _ column: KeyPath<Output.TableColumns, TableColumn<Output, V>>,
    @InsertValuesBuilder<V> values: () -> [InsertedRow]
  ) -> Insert<Output> { named(Output.insert(column, values: values)) }
  /// The rows of a query.
  @ConflictForms
  public func insert<Columns: InsertColumns, Rows: SelectStatement>(
    @InsertColumnsBuilder<Output> _ columns: (Output.TableColumns) -> Columns, select: () -> Rows
  ) -> Insert<Output> where Rows.Picked == Columns.Value {
    named(Output.insert(columns, select: select))
  }
  /// The rows of a query, whole.
  @ConflictForms
  public func insert<Columns: InsertColumns>(
    @InsertColumnsBuilder<Output> _ columns: (Output.TableColumns) -> Columns,
    select: () -> some SelectStatement<Output>
  ) -> Insert<Output> where Columns.Value == WholeRow<Output> {
    named(Output.insert(columns, select: select))
  }

  private func named(_ insert: Insert<Output>) -> Insert<Output> {
    var insert = insert
    if core.source.qualifier != Output.qualifiedName { insert.alias = core.source.qualifier }
    // What the table's own `all` says is of rows that are there.
    insert.dropsClauses = core.parted().own.hasClauses
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
