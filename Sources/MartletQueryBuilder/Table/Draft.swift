/// A row without its primary key, for inserting. What is `nil` is left out of the INSERT, so that the
/// column's DEFAULT works.
///
/// It is also a row of the table that can be fetched, to be changed and put back:
/// `Reminder.Draft.find(1)`.
public protocol TableDraft: Table, Insertable where TableColumns: DraftDefinition {
  init(_ row: Target)
}

/// The columns of a draft: those of the table, and the expressions that are declared on them.
@dynamicMemberLookup
public protocol DraftDefinition: TableDefinition where QueryValue: TableDraft {}

extension DraftDefinition {
  public subscript<E: QueryExpressible>(
    dynamicMember member: KeyPath<QueryValue.Target.TableColumns, E>
  ) -> SQLQueryExpression<E.QueryValue> {
    let columns = QueryValue.Target.TableColumns(qualifier: qualifier)
    return SQLQueryExpression(columns[keyPath: member].queryFragment)
  }
}

extension TableDraft {
  public static var tableName: String { Target.tableName }
  public static var schemaName: String? { Target.schemaName }
  public static var tableFragment: QueryFragment { Target.tableFragment }
  public static var tableAlias: String? { Target.tableAlias }
  public static var all: Select<TableColumns, Self, ()> { drafts(Target.all) }

  /// What the table declares as a static query: `Reminder.Draft.incomplete`.
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
