/// `DELETE FROM "reminders" WHERE …`
public struct Delete<Target: Table>: ChangeStatement {
  let core: SelectCore

  public var query: Query {
    Query("DELETE FROM \(core.source.table)\(core.changeCondition)", isEmpty: core.isNone)
  }
}
