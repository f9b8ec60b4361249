/// The current time as SQLite writes it, with milliseconds.
///
/// It is the value of `datetime('subsec')`, in a form that SQLite before 3.42 supports, too
/// (https://sqlite.org/lang_datefunc.html).
package let sqliteNow: QueryFragment = "strftime('%Y-%m-%d %H:%M:%f', 'now')"

/// The current time as a column of that kind stores it.
private func now(as kind: ColumnKind) -> QueryFragment {
  switch kind {
  case .integer: "unixepoch('now')"
  case .real: "julianday('now')"
  default: sqliteNow
  }
}

extension TriggerOperation {
  /// Sets a date column of an inserted row to the current time or to `date`:
  /// `after: .insert(touch: \.createdAt)`.
  public static func insert<V>(
    touch column: KeyPath<Columns, TableColumn<Target, V>>, date: SQLQueryExpression<V>? = nil
  ) -> Self { touch("insert", "INSERT", column, date) }
  /// Sets a date column of an updated row to the current time or to `date`:
  /// `after: .update(touch: \.updatedAt, date: #sql("datetime('subsec')"))`.
  public static func update<V>(
    touch column: KeyPath<Columns, TableColumn<Target, V>>, date: SQLQueryExpression<V>? = nil
  ) -> Self { touch("update", "UPDATE", column, date) }
  /// Sets a date column of an updated row if one of the given columns was assigned:
  /// `.update(of: { ($0.title, $0.notes) }, touch: …)`.
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

  // Disfavored, because `.insert { new in … }` with several statements would match these, too.

  /// Changes an inserted row: `after: .insert(touch: { $0.position = … })`.
  @_disfavoredOverload
  public static func insert(touch assign: (inout Updates<Target>) -> Void) -> Self {
    touch("insert", "INSERT", assign)
  }
  /// Changes an updated row: `after: .update(touch: { $0.position = … })`.
  @_disfavoredOverload
  public static func update(touch assign: (inout Updates<Target>) -> Void) -> Self {
    touch("update", "UPDATE", assign)
  }
  /// Changes an updated row if one of the given columns was assigned:
  /// `.update(of: { $0.title }, touch: { … })`.
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
  /// Creates a temporary trigger that sets a date column of each updated row:
  /// `createTemporaryTrigger(afterUpdateTouch: \.updatedAt)`.
  public static func createTemporaryTrigger<V>(
    _ name: String? = nil, afterUpdateTouch column: KeyPath<TableColumns, TableColumn<Self, V>>,
    date: SQLQueryExpression<V>? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    column at: UInt = #column
  ) -> Trigger<Self> {
    createTemporaryTrigger(
      name, after: .update(touch: column, date: date), fileID: fileID, line: line, column: at)
  }
  /// Creates a temporary trigger that changes each updated row:
  /// `createTemporaryTrigger(afterUpdateTouch: { … })`.
  public static func createTemporaryTrigger(
    _ name: String? = nil, afterUpdateTouch assign: (inout Updates<Self>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line, column at: UInt = #column
  ) -> Trigger<Self> {
    createTemporaryTrigger(
      name, after: .update(touch: assign), fileID: fileID, line: line, column: at)
  }
  /// Creates a temporary trigger that sets a date column of each inserted row:
  /// `createTemporaryTrigger(afterInsertTouch: \.createdAt)`.
  public static func createTemporaryTrigger<V>(
    _ name: String? = nil, afterInsertTouch column: KeyPath<TableColumns, TableColumn<Self, V>>,
    date: SQLQueryExpression<V>? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    column at: UInt = #column
  ) -> Trigger<Self> {
    createTemporaryTrigger(
      name, after: .insert(touch: column, date: date), fileID: fileID, line: line, column: at)
  }
  /// Creates a temporary trigger that changes each inserted row:
  /// `createTemporaryTrigger(afterInsertTouch: { … })`.
  public static func createTemporaryTrigger(
    _ name: String? = nil, afterInsertTouch assign: (inout Updates<Self>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line, column at: UInt = #column
  ) -> Trigger<Self> {
    createTemporaryTrigger(
      name, after: .insert(touch: assign), fileID: fileID, line: line, column: at)
  }
}
