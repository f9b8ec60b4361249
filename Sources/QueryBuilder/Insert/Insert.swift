/// `INSERT INTO "tags" ("title") VALUES (?), (?)`
///
/// Rows that give different columns (drafts whose `nil` members are left out) are brought to the same
/// columns: where some row gives a value, the others give NULL.
public struct Insert<Target: Table>: ChangeStatement {
  let rows: [[Assignment]]
  var conflict: QueryFragment?

  public var query: Query {
    guard let first = rows.first else { return Query("", isEmpty: true) }
    var names = first.map(\.column)
    for row in rows.dropFirst() {
      for assignment in row where !names.contains(assignment.column) {
        names.append(assignment.column)
      }
    }
    var sql: QueryFragment = "INSERT INTO \(Target.self)"
    // One statement can make only one row of defaults alone: several get a NULL for their key each.
    if names.isEmpty, rows.count > 1, let key = Target.TableColumns.all.first(where: \.isKey) {
      names = [key.name]
    }
    if names.isEmpty {
      sql += " DEFAULT VALUES"
      return Query(sql)
    }
    sql += " (\(names.map { QueryFragment(quote: $0) }.joined(", "))) VALUES "
    sql += rows.map { row in
      let values = names.map { name in
        row.first { $0.column == name }?.value ?? "NULL"
      }
      return "(\(values.joined(", ")))" as QueryFragment
    }.joined(", ")
    if let conflict { sql += " ON CONFLICT \(conflict)" }
    return Query(sql)
  }

  /// `ON CONFLICT DO NOTHING`: rows that break a uniqueness are left out.
  public func onConflictDoNothing() -> Self {
    var copy = self
    copy.conflict = "DO NOTHING"
    return copy
  }
}

extension Table {
  public static func insert(
    @InsertBuilder<Self> _ rows: () -> [[Assignment]]
  ) -> Insert<Self> { Insert(rows: rows()) }

  /// `INSERT INTO "tags" DEFAULT VALUES`
  public static func insert() -> Insert<Self> { Insert(rows: [[]]) }
}

/// Rows, drafts and arrays of them, one a line, with `if` and `for`.
@resultBuilder
public enum InsertBuilder<Target: Table> {
  public static func buildExpression(_ row: some Insertable<Target>) -> [[Assignment]] {
    [row.assignments]
  }
  public static func buildExpression(_ rows: [some Insertable<Target>]) -> [[Assignment]] {
    rows.map(\.assignments)
  }
  public static func buildBlock(_ parts: [[Assignment]]...) -> [[Assignment]] {
    parts.flatMap { $0 }
  }
  public static func buildOptional(_ part: [[Assignment]]?) -> [[Assignment]] { part ?? [] }
  public static func buildEither(first: [[Assignment]]) -> [[Assignment]] { first }
  public static func buildEither(second: [[Assignment]]) -> [[Assignment]] { second }
  public static func buildArray(_ parts: [[[Assignment]]]) -> [[Assignment]] {
    parts.flatMap { $0 }
  }
}
