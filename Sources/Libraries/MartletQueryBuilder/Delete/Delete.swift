/// A DELETE statement: `DELETE FROM "reminders" WHERE …` (https://sqlite.org/lang_delete.html).
public struct Delete<Target: Table>: ChangeStatement {
  var core: SelectCore

  public var query: Query {
    let core = core.resolved
    return core.isNone
      ? Query("", isEmpty: true) : Query("DELETE FROM \(core.source.table)\(core.changeCondition)")
  }

  /// Restricts the deletion to fewer rows: `WHERE …`. Several calls are combined with AND.
  public func `where`(@WhereBuilder _ predicate: (Target.TableColumns) -> QueryFragment) -> Self {
    var copy = self
    copy.core.restrictChange(predicate(Target.TableColumns(qualifier: core.source.qualifier)))
    return copy
  }
}
