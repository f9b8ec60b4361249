/// The change that fires a trigger, and the statements that the trigger runs.
public struct TriggerOperation<Target: Table>: Sendable {
  /// The columns of the table, qualified with `old` or `new`.
  public typealias Columns = Target.TableColumns

  /// `insert`, `update` or `delete`, as a part of a generated name.
  let name: String
  /// The event in SQL: `UPDATE OF "title", "notes"`.
  let event: QueryFragment
  let condition: QueryFragment
  let body: [TriggerStep]

  static var new: Columns { Columns(qualifier: "new") }
  static var old: Columns { Columns(qualifier: "old") }

  /// Fires for each inserted row: `INSERT … FOR EACH ROW WHEN …`.
  public static func insert(
    @TriggerBuilder forEachRow body: (_ new: Columns) -> [TriggerStep],
    @WhereBuilder when: (_ new: Columns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Self {
    Self(name: "insert", event: "INSERT", condition: when(new), body: body(new))
  }

  /// Fires for each updated row, with its values before and after: `UPDATE … FOR EACH ROW WHEN …`.
  public static func update(
    @TriggerBuilder forEachRow body: (_ old: Columns, _ new: Columns) -> [TriggerStep],
    @WhereBuilder when: (_ old: Columns, _ new: Columns) -> QueryFragment = { _, _ in
      QueryFragment()
    }
  ) -> Self {
    Self(name: "update", event: "UPDATE", condition: when(old, new), body: body(old, new))
  }

  /// Fires for each updated row, with its values after the update: `UPDATE … FOR EACH ROW WHEN …`.
  public static func update(
    @TriggerBuilder forEachRow body: (_ new: Columns) -> [TriggerStep],
    @WhereBuilder when: (_ new: Columns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Self {
    Self(name: "update", event: "UPDATE", condition: when(new), body: body(new))
  }

  /// Fires for each updated row if one of `columns` was assigned:
  /// `UPDATE OF "title", "notes" … FOR EACH ROW WHEN …`.
  public static func update(
    @TermBuilder of columns: (Columns) -> [QueryFragment],
    @TriggerBuilder forEachRow body: (_ old: Columns, _ new: Columns) -> [TriggerStep],
    @WhereBuilder when: (_ old: Columns, _ new: Columns) -> QueryFragment = { _, _ in
      QueryFragment()
    }
  ) -> Self {
    Self(
      name: "update", event: updateOf(columns(Target.columns)), condition: when(old, new),
      body: body(old, new))
  }

  /// Fires for each deleted row: `DELETE … FOR EACH ROW WHEN …`.
  public static func delete(
    @TriggerBuilder forEachRow body: (_ old: Columns) -> [TriggerStep],
    @WhereBuilder when: (_ old: Columns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Self {
    Self(name: "delete", event: "DELETE", condition: when(old), body: body(old))
  }

  static func updateOf(_ columns: [QueryFragment]) -> QueryFragment {
    "UPDATE OF \(columns.map(\.bare).joined(", "))"
  }
}

extension TriggerOperation {
  /// The reasons why statements cannot work as written, with the column concerned.
  var issues: [(text: String, column: String?)] {
    var issues: [(text: String, column: String?)] = body.flatMap(\.issues)
    issues += condition.prepare(.literal).issues.map { ($0, nil) }
    return issues
  }
}
