// Aliases of queries, whatever clauses they have: `Reminder.where { !$0.isCompleted }.as(R.self)`.

extension Select where Scope: TableDefinition {
  /// The same query with its table under an alias, in every clause: `FROM "reminders" AS "rs"`.
  public func `as`<A: AliasName>(_: A.Type) -> Self {
    var core = core.named(A.aliasName)
    core.source.call(core.source.table, self.core.source.qualifier)
    return Self(core: core, scope: Scope(qualifier: A.aliasName), decode: decode)
  }
}

extension Select where Picked == (), Output: Table, Scope == Output.TableColumns {
  // The forms of `Table.insert`, with the table under the alias of this query.

  /// Inserts rows: `INSERT INTO "lists" AS "r" (…) VALUES (…)`.
  @ConflictForms
  public func insert(@InsertBuilder<Output> _ rows: () -> [[Assignment]]) -> Insert<Output> {
    named(Output.insert(rows))
  }
  /// Inserts values for chosen columns: `insert { ($0.id, $0.title) } values: { (1, "x") }`.
  @ConflictForms
  public func insert<Columns: InsertColumns>(
    @InsertColumnsBuilder<Output> _ columns: (Output.TableColumns) -> Columns,
    @InsertValuesBuilder<Columns.Value> values: () -> [InsertedRow]
  ) -> Insert<Output> { named(Output.insert(columns, values: values)) }
  /// Inserts values for a single column: `insert(\.title) { "new" }`.
  @ConflictForms
  public func insert<V: QueryRepresentable>(
    _ column: KeyPath<Output.TableColumns, TableColumn<Output, V>>,
    @InsertValuesBuilder<V> values: () -> [InsertedRow]
  ) -> Insert<Output> { named(Output.insert(column, values: values)) }
  /// Inserts the rows of a query: `INSERT INTO "lists" AS "r" (…) SELECT …`.
  @ConflictForms
  public func insert<Columns: InsertColumns, Rows: SelectStatement>(
    @InsertColumnsBuilder<Output> _ columns: (Output.TableColumns) -> Columns, select: () -> Rows
  ) -> Insert<Output> where Rows.Picked == Columns.Value {
    named(Output.insert(columns, select: select))
  }
  /// Inserts the whole rows of a query: `insert { $0 } select: { Archived.all }`.
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
    // The clauses of the table's `all` are about existing rows and have no effect here. Any other
    // clause is an error.
    insert.dropsClauses = core.parted().own.hasClauses
    return insert
  }
}

/// An optional table is the side of an outer join that may be missing: its columns and rows are
/// optional.
extension Optional where Wrapped: Table {
  /// All rows of the table, as optionals.
  public static var all: Select<Wrapped.TableColumns.Outer, Wrapped?, ()> {
    Select(
      core: Wrapped.scoped.core, scope: Wrapped.scoped.scope.outer, decode: Self.decode)
  }
  /// Selects columns of the table, each of them optional.
  public static func select<S: SelectedTerms>(
    @SelectBuilder _ columns: (Wrapped.TableColumns.Outer) -> S
  ) -> Select<Wrapped.TableColumns.Outer, S.Output, S.Picked> { all.select(columns) }
  /// Filters the rows of the table by its columns, each of them optional.
  public static func `where`(
    @WhereBuilder _ predicate: (Wrapped.TableColumns.Outer) -> QueryFragment
  ) -> Select<Wrapped.TableColumns.Outer, Wrapped?, ()> { all.where(predicate) }
}
