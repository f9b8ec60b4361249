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
    // A partial index is found by its condition, in which a parameter equals nothing.
    if !targetCondition.isEmpty { sql += " WHERE \(targetCondition.bare.literal)" }
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

  func with(_ conflict: OnConflict) -> Self {
    var copy = self
    copy.conflict = conflict
    return copy
  }
}

extension PrimaryKeyedTable {
  /// Inserts, or changes the row that has the key already:
  /// `… ON CONFLICT ("id") DO UPDATE SET "title" = "excluded"."title"`.
  public static func upsert(
    @InsertBuilder<Self> _ rows: () -> [[Assignment]]
  ) -> Insert<Self> {
    let rows = rows()
    let names = Insert<Self>.names(of: rows)
    let keys = TableColumns.all.filter(\.isKey).map(\.name)
    var insert = Insert<Self>(source: .rows(rows))
    insert.setsNULL = true
    return insert.with(
      OnConflict(
        columns: keys.map { QueryFragment(quote: $0) },
        assignments: names.filter { !keys.contains($0) }.map {
          Assignment($0, QueryFragment(column: $0, of: "excluded"))
        }))
  }
}
