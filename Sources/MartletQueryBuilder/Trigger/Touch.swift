/// *Now* as SQLite writes it, to the millisecond: `datetime('subsec')` in the form that SQLite before
/// 3.42 knows too (https://sqlite.org/lang_datefunc.html).
package let sqliteNow: QueryFragment = "strftime('%Y-%m-%d %H:%M:%f', 'now')"

/// *Now* as a column of that kind stores it.
private func now(as kind: ColumnKind) -> QueryFragment {
  switch kind {
  case .integer: "unixepoch('now')"
  case .real: "julianday('now')"
  default: sqliteNow
  }
}

extension TriggerOperation {
  /// Sets a date column of the row to now, or to `date`: `after: .insert(touch: \.createdAt)`.
  public static func insert<V>(
    touch column: KeyPath<Columns, TableColumn<Target, V>>, date: SQLQueryExpression<V>? = nil
  ) -> Self { touch("insert", "INSERT", column, date) }
  /// `after: .update(touch: \.updatedAt, date: #sql("datetime('subsec')"))`
  public static func update<V>(
    touch column: KeyPath<Columns, TableColumn<Target, V>>, date: SQLQueryExpression<V>? = nil
  ) -> Self { touch("update", "UPDATE", column, date) }
  /// Only where one of the columns is assigned to: `.update(of: { ($0.title, $0.notes) }, touch: …)`.
  public static func update<V>(
    @TermBuilder of columns: (Columns) -> [QueryFragment],
    touch column: KeyPath<Columns, TableColumn<Target, V>>, date: SQLQueryExpression<V>? = nil
  ) -> Self { touch("update", updateOf(columns(Target.columns)), column, date) }

  private static func touch<V>(
    _ name: String, _ event: QueryFragment, _ column: KeyPath<Columns, TableColumn<Target, V>>,
    _ date: SQLQueryExpression<V>?
  ) -> Self {
    touch(name, event) {
      $0.set($0.columns[keyPath: column].columnName, date?.queryFragment ?? now(as: V.kind))
    }
  }

  // Disfavoured: `.insert { new in … }` with several statements would be this one, too.

  /// Changes the row that was just inserted: `after: .insert(touch: { $0.position = … })`.
  @_disfavoredOverload
  public static func insert(touch assign: (inout Updates<Target>) -> Void) -> Self {
    touch("insert", "INSERT", assign)
  }
  @_disfavoredOverload
  public static func update(touch assign: (inout Updates<Target>) -> Void) -> Self {
    touch("update", "UPDATE", assign)
  }
  @_disfavoredOverload
  public static func update(
    @TermBuilder of columns: (Columns) -> [QueryFragment],
    touch assign: (inout Updates<Target>) -> Void
  ) -> Self { touch("update", updateOf(columns(Target.columns)), assign) }

  private static func touch(
    _ name: String, _ event: QueryFragment, _ assign: (inout Updates<Target>) -> Void
  ) -> Self {
    let row = Target.all.where { $0.rowid == new.rowid }
    return Self(
      name: name, event: event, condition: QueryFragment(),
      body: TriggerBuilder.buildExpression(row.update(assign)))
  }
}

extension Table {
  /// `createTemporaryTrigger(afterUpdateTouch: \.updatedAt)`
  public static func createTemporaryTrigger<V>(
    _ name: String? = nil, afterUpdateTouch column: KeyPath<TableColumns, TableColumn<Self, V>>,
    date: SQLQueryExpression<V>? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    column at: UInt = #column
  ) -> Trigger<Self> {
    createTemporaryTrigger(
      name, after: .update(touch: column, date: date), fileID: fileID, line: line, column: at)
  }
  public static func createTemporaryTrigger(
    _ name: String? = nil, afterUpdateTouch assign: (inout Updates<Self>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line, column at: UInt = #column
  ) -> Trigger<Self> {
    createTemporaryTrigger(
      name, after: .update(touch: assign), fileID: fileID, line: line, column: at)
  }
  public static func createTemporaryTrigger<V>(
    _ name: String? = nil, afterInsertTouch column: KeyPath<TableColumns, TableColumn<Self, V>>,
    date: SQLQueryExpression<V>? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    column at: UInt = #column
  ) -> Trigger<Self> {
    createTemporaryTrigger(
      name, after: .insert(touch: column, date: date), fileID: fileID, line: line, column: at)
  }
  public static func createTemporaryTrigger(
    _ name: String? = nil, afterInsertTouch assign: (inout Updates<Self>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line, column at: UInt = #column
  ) -> Trigger<Self> {
    createTemporaryTrigger(
      name, after: .insert(touch: assign), fileID: fileID, line: line, column: at)
  }
}
