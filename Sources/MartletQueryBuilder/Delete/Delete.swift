/// `DELETE FROM "reminders" WHERE …`
public struct Delete<Target: Table>: ChangeStatement {
  var core: SelectCore

  public var query: Query {
    let core = core.resolved
    return core.isNone
      ? Query("", isEmpty: true) : Query("DELETE FROM \(core.source.table)\(core.changeCondition)")
  }

  /// Fewer rows. Several calls hold together.
  public func `where`(@WhereBuilder _ predicate: (Target.TableColumns) -> QueryFragment) -> Self {
    var copy = self
    copy.core.restrictChange(predicate(Target.TableColumns(qualifier: core.source.qualifier)))
    return copy
  }
}
