// ON CONFLICT behind each of the three sources of an INSERT: rows, values for chosen columns, a query. A
// closure that assigns takes the stored row's columns, `$0`, and if it wants to those of the row that could
// not be inserted, `$1`; so does the condition behind it.
//
// Swift gives a closure named `where` to the first parameter of that name: hence forms with and without a
// condition on the uniqueness (a partial index).
//
//     Tag.insert { tag } onConflict: { $0.title } doUpdate: { $0.uses += $1.uses } where: { $0.uses < 9 }
//     // … ON CONFLICT ("title") DO UPDATE SET "uses" = ("tags"."uses" + "excluded"."uses")
//     //   WHERE ("tags"."uses" < ?)

extension Table {
  /// What an update behind a conflict assigns.
  public typealias ConflictUpdate = (inout Updates<Self>, TableColumns) -> Void
  /// A condition on the stored row and on the one that could not be inserted.
  public typealias ConflictCondition = (TableColumns, TableColumns) -> QueryFragment

  private static func conflict(
    _ target: (TableColumns) -> [QueryFragment] = { _ in [] },
    partial targetCondition: (TableColumns) -> QueryFragment = { _ in QueryFragment() },
    doUpdate update: ConflictUpdate, where condition: ConflictCondition
  ) -> OnConflict {
    let excluded = TableColumns(qualifier: "excluded")
    var updates = Updates<Self>(qualifiedName)
    update(&updates, excluded)
    return OnConflict(
      columns: target(columns), targetCondition: targetCondition(columns),
      assignments: updates.assignments, condition: condition(columns, excluded))
  }
}

// Rows.
extension Table {
  public static func insert(
    @InsertBuilder<Self> _ rows: () -> [[Assignment]],
    onConflictDoUpdate update: ConflictUpdate,
    @WhereBuilder where condition: ConflictCondition
  ) -> Insert<Self> {
    insert(rows).with(
      conflict(doUpdate: update, where: condition))
  }
  public static func insert(
    @InsertBuilder<Self> _ rows: () -> [[Assignment]],
    onConflictDoUpdate update: ConflictUpdate,
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> {
    insert(rows).with(
      conflict(doUpdate: update, where: { old, _ in condition(old) }))
  }
  public static func insert(
    @InsertBuilder<Self> _ rows: () -> [[Assignment]],
    onConflictDoUpdate update: (inout Updates<Self>) -> Void,
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> {
    insert(rows).with(
      conflict(doUpdate: { old, _ in update(&old) }, where: { old, _ in condition(old) }))
  }
  public static func insert(
    @InsertBuilder<Self> _ rows: () -> [[Assignment]],
    @TermBuilder onConflict target: (TableColumns) -> [QueryFragment],
    doUpdate update: ConflictUpdate = { _, _ in },
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> {
    insert(rows).with(
      conflict(target, doUpdate: update, where: { old, _ in condition(old) }))
  }
  public static func insert(
    @InsertBuilder<Self> _ rows: () -> [[Assignment]],
    @TermBuilder onConflict target: (TableColumns) -> [QueryFragment],
    doUpdate update: (inout Updates<Self>) -> Void,
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> {
    insert(rows).with(
      conflict(
        target, doUpdate: { old, _ in update(&old) }, where: { old, _ in condition(old) }))
  }
  public static func insert(
    @InsertBuilder<Self> _ rows: () -> [[Assignment]],
    @TermBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @WhereBuilder where partial: (TableColumns) -> QueryFragment,
    doUpdate update: ConflictUpdate,
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> {
    insert(rows).with(
      conflict(
        target, partial: partial, doUpdate: update, where: { old, _ in condition(old) }))
  }
  public static func insert(
    @InsertBuilder<Self> _ rows: () -> [[Assignment]],
    @TermBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @WhereBuilder where partial: (TableColumns) -> QueryFragment,
    doUpdate update: (inout Updates<Self>) -> Void,
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> {
    insert(rows).with(
      conflict(
        target, partial: partial, doUpdate: { old, _ in update(&old) },
        where: { old, _ in condition(old) }))
  }
}

// Values for chosen columns.
extension Table {
  public static func insert<Columns: InsertColumns>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns,
    @InsertValuesBuilder<Columns.Value> values: () -> [InsertedRow],
    onConflictDoUpdate update: ConflictUpdate,
    @WhereBuilder where condition: ConflictCondition
  ) -> Insert<Self> {
    insert(columns, values: values).with(
      conflict(doUpdate: update, where: condition))
  }
  public static func insert<Columns: InsertColumns>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns,
    @InsertValuesBuilder<Columns.Value> values: () -> [InsertedRow],
    onConflictDoUpdate update: ConflictUpdate,
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> {
    insert(columns, values: values).with(
      conflict(doUpdate: update, where: { old, _ in condition(old) }))
  }
  public static func insert<Columns: InsertColumns>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns,
    @InsertValuesBuilder<Columns.Value> values: () -> [InsertedRow],
    onConflictDoUpdate update: (inout Updates<Self>) -> Void,
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> {
    insert(columns, values: values).with(
      conflict(doUpdate: { old, _ in update(&old) }, where: { old, _ in condition(old) }))
  }
  public static func insert<Columns: InsertColumns>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns,
    @InsertValuesBuilder<Columns.Value> values: () -> [InsertedRow],
    @TermBuilder onConflict target: (TableColumns) -> [QueryFragment],
    doUpdate update: ConflictUpdate = { _, _ in },
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> {
    insert(columns, values: values).with(
      conflict(target, doUpdate: update, where: { old, _ in condition(old) }))
  }
  public static func insert<Columns: InsertColumns>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns,
    @InsertValuesBuilder<Columns.Value> values: () -> [InsertedRow],
    @TermBuilder onConflict target: (TableColumns) -> [QueryFragment],
    doUpdate update: (inout Updates<Self>) -> Void,
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> {
    insert(columns, values: values).with(
      conflict(
        target, doUpdate: { old, _ in update(&old) }, where: { old, _ in condition(old) }))
  }
  public static func insert<Columns: InsertColumns>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns,
    @InsertValuesBuilder<Columns.Value> values: () -> [InsertedRow],
    @TermBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @WhereBuilder where partial: (TableColumns) -> QueryFragment,
    doUpdate update: ConflictUpdate,
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> {
    insert(columns, values: values).with(
      conflict(
        target, partial: partial, doUpdate: update, where: { old, _ in condition(old) }))
  }
  public static func insert<Columns: InsertColumns>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns,
    @InsertValuesBuilder<Columns.Value> values: () -> [InsertedRow],
    @TermBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @WhereBuilder where partial: (TableColumns) -> QueryFragment,
    doUpdate update: (inout Updates<Self>) -> Void,
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> {
    insert(columns, values: values).with(
      conflict(
        target, partial: partial, doUpdate: { old, _ in update(&old) },
        where: { old, _ in condition(old) }))
  }
}

// The rows of a query.
extension Table {
  public static func insert<Columns: InsertColumns, Rows: SelectStatement>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns, select: () -> Rows,
    onConflictDoUpdate update: ConflictUpdate,
    @WhereBuilder where condition: ConflictCondition
  ) -> Insert<Self> where Rows.Picked == Columns.Value {
    insert(columns, select: select).with(
      conflict(doUpdate: update, where: condition))
  }
  public static func insert<Columns: InsertColumns, Rows: SelectStatement>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns, select: () -> Rows,
    onConflictDoUpdate update: ConflictUpdate,
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> where Rows.Picked == Columns.Value {
    insert(columns, select: select).with(
      conflict(doUpdate: update, where: { old, _ in condition(old) }))
  }
  public static func insert<Columns: InsertColumns, Rows: SelectStatement>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns, select: () -> Rows,
    onConflictDoUpdate update: (inout Updates<Self>) -> Void,
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> where Rows.Picked == Columns.Value {
    insert(columns, select: select).with(
      conflict(doUpdate: { old, _ in update(&old) }, where: { old, _ in condition(old) }))
  }
  public static func insert<Columns: InsertColumns, Rows: SelectStatement>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns, select: () -> Rows,
    @TermBuilder onConflict target: (TableColumns) -> [QueryFragment],
    doUpdate update: ConflictUpdate = { _, _ in },
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> where Rows.Picked == Columns.Value {
    insert(columns, select: select).with(
      conflict(target, doUpdate: update, where: { old, _ in condition(old) }))
  }
  public static func insert<Columns: InsertColumns, Rows: SelectStatement>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns, select: () -> Rows,
    @TermBuilder onConflict target: (TableColumns) -> [QueryFragment],
    doUpdate update: (inout Updates<Self>) -> Void,
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> where Rows.Picked == Columns.Value {
    insert(columns, select: select).with(
      conflict(
        target, doUpdate: { old, _ in update(&old) }, where: { old, _ in condition(old) }))
  }
  public static func insert<Columns: InsertColumns, Rows: SelectStatement>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns, select: () -> Rows,
    @TermBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @WhereBuilder where partial: (TableColumns) -> QueryFragment,
    doUpdate update: ConflictUpdate,
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> where Rows.Picked == Columns.Value {
    insert(columns, select: select).with(
      conflict(
        target, partial: partial, doUpdate: update, where: { old, _ in condition(old) }))
  }
  public static func insert<Columns: InsertColumns, Rows: SelectStatement>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns, select: () -> Rows,
    @TermBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @WhereBuilder where partial: (TableColumns) -> QueryFragment,
    doUpdate update: (inout Updates<Self>) -> Void,
    @WhereBuilder where condition: (TableColumns) -> QueryFragment = { _ in QueryFragment() }
  ) -> Insert<Self> where Rows.Picked == Columns.Value {
    insert(columns, select: select).with(
      conflict(
        target, partial: partial, doUpdate: { old, _ in update(&old) },
        where: { old, _ in condition(old) }))
  }
}
