/// What a trigger answers to, and with which statements.
public struct TriggerOperation<Target: Table>: Sendable {
  public typealias Columns = Target.TableColumns

  /// `insert`, `update`, `delete`: part of a generated name.
  let name: String
  /// `UPDATE OF "title", "notes"`
  let event: QueryFragment
  let condition: QueryFragment
  let body: [TriggerStep]

  static var new: Columns { Columns(qualifier: "new") }
  static var old: Columns { Columns(qualifier: "old") }

  public static func insert(
    @TriggerBuilder forEachRow body: (_ new: Columns) -> [TriggerStep],
    @WhereBuilder when: (_ new: Columns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Self {
    Self(name: "insert", event: "INSERT", condition: when(new), body: body(new))
  }

  public static func update(
    @TriggerBuilder forEachRow body: (_ old: Columns, _ new: Columns) -> [TriggerStep],
    @WhereBuilder when: (_ old: Columns, _ new: Columns) -> QueryFragment = { _, _ in
      QueryFragment()
    }
  ) -> Self {
    Self(name: "update", event: "UPDATE", condition: when(old, new), body: body(old, new))
  }

  public static func update(
    @TriggerBuilder forEachRow body: (_ new: Columns) -> [TriggerStep],
    @WhereBuilder when: (_ new: Columns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Self {
    Self(name: "update", event: "UPDATE", condition: when(new), body: body(new))
  }

  /// `UPDATE OF "title", "notes"`: only where one of `columns` is assigned to.
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
  /// What in its statements cannot mean what was meant, with the column it was meant for.
  var issues: [(text: String, column: String?)] {
    var issues: [(text: String, column: String?)] = body.flatMap(\.issues)
    issues += condition.prepare(.literal).issues.map { ($0, nil) }
    return issues
  }
}
