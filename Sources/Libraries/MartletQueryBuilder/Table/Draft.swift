/// A row to insert, whose primary key may be missing.
///
/// Values that are `nil` are left out of the INSERT, so that the column's DEFAULT applies. Drafts
/// can also be fetched, changed and stored again: `Reminder.Draft.find(1)`.
public protocol TableDraft: Table, Insertable where TableColumns: DraftDefinition {
  /// Creates a draft with all values of a row, including its key.
  init(_ row: Target)
}

/// The columns of a draft: those of the table, and the expressions declared on them.
@dynamicMemberLookup
public protocol DraftDefinition: TableDefinition where QueryValue: TableDraft {}

extension DraftDefinition {
  /// An expression that is declared on the columns of the table.
  public subscript<E: QueryExpressible>(
    dynamicMember member: KeyPath<QueryValue.Target.TableColumns, E>
  ) -> SQLQueryExpression<E.QueryValue> {
    let columns = QueryValue.Target.TableColumns(qualifier: qualifier)
    return SQLQueryExpression(columns[keyPath: member].queryFragment)
  }
}

extension TableDraft {
  /// The name of the table.
  public static var tableName: String { Target.tableName }
  /// The schema of the table, if it declares one.
  public static var schemaName: String? { Target.schemaName }
  /// The source of the table in FROM.
  public static var tableFragment: QueryFragment { Target.tableFragment }
  /// The name of the table in queries, if it is not its own.
  public static var tableAlias: String? { Target.tableAlias }
  /// All rows of the table, as drafts.
  public static var all: Select<TableColumns, Self, ()> { drafts(Target.all) }

  /// A query that the table declares as a static property, of drafts: `Reminder.Draft.incomplete`.
  public static subscript(
    dynamicMember query: KeyPath<Target.Type, Where<Target>>
  ) -> Where<Self> { drafts(Target.self[keyPath: query]) }

  fileprivate static func drafts(_ rows: Where<Target>) -> Where<Self> {
    var core = rows.core
    let scope = TableColumns(qualifier: core.source.qualifier)
    core.columns = scope.selection
    return Select(core: core, scope: scope, decode: Self.decode)
  }
}

extension Select where Picked == (), Output: TableDraft, Scope == Output.TableColumns {
  /// Adds the clauses of a query that the table declares as a static property.
  public subscript(
    dynamicMember query: KeyPath<Output.Target.Type, Where<Output.Target>>
  ) -> Self {
    let drafts = Output.drafts(Output.Target.self[keyPath: query])
    return drafts.with {
      $0 = $0.named(core.source.qualifier)
      $0.precede(by: core)
    }
  }
}
