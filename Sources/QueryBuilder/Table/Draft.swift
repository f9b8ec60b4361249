/// A row without its primary key, for inserting. What is `nil` is left out of the INSERT, so that the
/// column's DEFAULT works.
///
/// It can be fetched, too, to be changed and put back: `Reminder.Draft.find(1)`.
public protocol TableDraft: Insertable {
  init(_ row: Target)
}

extension TableDraft {
  public typealias All = Select<Target.TableColumns, Self, ()>

  public static var all: All { drafts(Target.scoped) }
  public static var unscoped: All { drafts(Target.unscoped) }

  public static func `where`(
    @WhereBuilder _ predicate: (Target.TableColumns) -> QueryFragment
  ) -> All { all.where(predicate) }
  public static func `where`<E: QueryExpression>(_ column: KeyPath<Target.TableColumns, E>) -> All
  where E.QueryValue.Unwrapped == Bool { all.where(column) }
  public static func order(@TermBuilder by terms: (Target.TableColumns) -> [QueryFragment]) -> All {
    all.order(by: terms)
  }
  public static func limit(_ count: Int, offset: Int? = nil) -> All {
    all.limit(count, offset: offset)
  }

  private static func drafts(_ rows: Target.All) -> All {
    Select(core: rows.core, scope: rows.scope) { row throws(DecodingProblem) in
      Self(try Target(row: &row))
    }
  }
}

extension TableDraft
where
  Target.TableColumns: PrimaryKeyedDefinition,
  Target.TableColumns.PrimaryKey: ColumnRepresentation
{
  public static func find(_ key: Target.TableColumns.PrimaryKey.QueryOutput) -> All {
    all.find(key)
  }
  public static func find(_ keys: [Target.TableColumns.PrimaryKey.QueryOutput]) -> All {
    all.find(keys)
  }
}
