/// The resolution for a row that violates a uniqueness constraint
/// (https://sqlite.org/lang_upsert.html).
struct OnConflict: Sendable {
  /// The columns of the constraint. Empty for any constraint.
  var columns: [QueryFragment] = []
  var targetCondition = QueryFragment()
  /// The changes to the stored row. Without any the row is skipped.
  var assignments: [Assignment] = []
  var condition = QueryFragment()

  var clause: QueryFragment {
    var sql: QueryFragment = "ON CONFLICT"
    if !columns.isEmpty { sql += " (\(columns.map(\.bare).joined(", ")))" }
    // SQLite finds a partial index by its condition, which must equal the one here. A parameter
    // equals nothing, so values are written as literals.
    if !targetCondition.isEmpty { sql += " WHERE \(targetCondition.bare.literal)" }
    guard !assignments.isEmpty else { return sql + " DO NOTHING" }
    let list = assignments.map { "\(quote: $0.column) = \($0.value)" as QueryFragment }
    sql += " DO UPDATE SET \(list.joined(", "))"
    if !condition.isEmpty { sql += " WHERE \(condition)" }
    return sql
  }
}

extension Insert {
  /// Skips rows that violate a uniqueness constraint: `ON CONFLICT DO NOTHING`.
  public func onConflictDoNothing() -> Self { with(OnConflict()) }

  func with(_ conflict: OnConflict) -> Self {
    var copy = self
    copy.conflict = conflict
    return copy
  }
}

extension PrimaryKeyedTable {
  /// Inserts rows, or updates the rows that have their primary keys:
  /// `… ON CONFLICT ("id") DO UPDATE SET "title" = "excluded"."title"`.
  ///
  /// A draft's `nil` sets a column to NULL if its property is optional in the table too; otherwise
  /// the column is left out.
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
