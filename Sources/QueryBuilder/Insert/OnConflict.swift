/// What becomes of a row that breaks a uniqueness (https://sqlite.org/lang_upsert.html).
struct OnConflict: Sendable {
  /// The columns of the uniqueness; none: any.
  var columns: [QueryFragment] = []
  var targetCondition = QueryFragment()
  /// Without assignments the row is left out.
  var assignments: [Assignment] = []
  var condition = QueryFragment()

  var clause: QueryFragment {
    var sql: QueryFragment = "ON CONFLICT"
    if !columns.isEmpty { sql += " (\(columns.map(\.bare).joined(", ")))" }
    if !targetCondition.isEmpty { sql += " WHERE \(targetCondition.bare)" }
    guard !assignments.isEmpty else { return sql + " DO NOTHING" }
    let list = assignments.map { "\(quote: $0.column) = \($0.value)" as QueryFragment }
    sql += " DO UPDATE SET \(list.joined(", "))"
    if !condition.isEmpty { sql += " WHERE \(condition)" }
    return sql
  }
}

extension Insert {
  /// `ON CONFLICT DO NOTHING`: rows that break a uniqueness are left out.
  public func onConflictDoNothing() -> Self { with(OnConflict()) }

  fileprivate func with(_ conflict: OnConflict) -> Self {
    var copy = self
    copy.conflict = conflict
    return copy
  }
}

extension Table {
  /// `{ $0.a = $1.a }`: the stored row's columns, and those of the row that could not be inserted.
  public typealias ConflictUpdate = (inout Updates<Self>, TableColumns) -> Void

  private static func assignments(_ update: ConflictUpdate) -> [Assignment] {
    var updates = Updates<Self>(columns)
    update(&updates, TableColumns(qualifier: "excluded"))
    return updates.assignments
  }

  /// `ON CONFLICT DO UPDATE SET …`
  public static func insert(
    @InsertBuilder<Self> _ rows: () -> [[Assignment]],
    onConflictDoUpdate update: ConflictUpdate,
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> {
    insert(rows).with(
      OnConflict(assignments: assignments(update), condition: condition(columns)))
  }
  public static func insert(
    @InsertBuilder<Self> _ rows: () -> [[Assignment]],
    onConflictDoUpdate update: (inout Updates<Self>) -> Void,
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> {
    insert(rows, onConflictDoUpdate: { updates, _ in update(&updates) }, where: condition)
  }

  /// `ON CONFLICT ("a", "b") WHERE … DO UPDATE SET … WHERE …`
  public static func insert(
    @InsertBuilder<Self> _ rows: () -> [[Assignment]],
    @TermBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @WhereBuilder where targetCondition: (TableColumns) -> QueryFragment = { _ in
      QueryFragment()
    },
    doUpdate update: ConflictUpdate = { _, _ in },
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> {
    insert(rows).with(
      OnConflict(
        columns: target(columns), targetCondition: targetCondition(columns),
        assignments: assignments(update), condition: condition(columns)))
  }
  public static func insert(
    @InsertBuilder<Self> _ rows: () -> [[Assignment]],
    @TermBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @WhereBuilder where targetCondition: (TableColumns) -> QueryFragment = { _ in
      QueryFragment()
    },
    doUpdate update: (inout Updates<Self>) -> Void,
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> {
    insert(
      rows, onConflict: target, where: targetCondition,
      doUpdate: { updates, _ in update(&updates) }, where: condition)
  }
}

extension PrimaryKeyedTable {
  /// Inserts, or changes the row that has the key already:
  /// `… ON CONFLICT ("id") DO UPDATE SET "title" = "excluded"."title"`.
  public static func upsert(
    @InsertBuilder<Self> _ rows: () -> [[Assignment]]
  ) -> Insert<Self> {
    let rows = rows()
    var names: [String] = []
    for row in rows {
      for assignment in row where !names.contains(assignment.column) {
        names.append(assignment.column)
      }
    }
    let keys = TableColumns.all.filter(\.isKey).map(\.name)
    return Insert<Self>(source: .rows(rows)).with(
      OnConflict(
        columns: keys.map { QueryFragment(quote: $0) },
        assignments: names.filter { !keys.contains($0) }.map {
          Assignment($0, QueryFragment(column: $0, of: "excluded"))
        }))
  }
}
