/// *Now* as SQLite writes it, to the millisecond: `datetime('subsec')` in the form that SQLite before
/// 3.42 knows too (https://sqlite.org/lang_datefunc.html).
package let sqliteNow: QueryFragment = "strftime('%Y-%m-%d %H:%M:%f', 'now')"

extension TriggerOperation {
  /// Sets a date column of the row to now: `after: .update(touch: \.updatedAt)`.
  public static func insert<V>(touch column: KeyPath<Columns, TableColumn<Target, V>>) -> Self {
    touch("insert", "INSERT") { $0.set($0.columns[keyPath: column].name, sqliteNow) }
  }
  public static func update<V>(touch column: KeyPath<Columns, TableColumn<Target, V>>) -> Self {
    touch("update", "UPDATE") { $0.set($0.columns[keyPath: column].name, sqliteNow) }
  }
  public static func update<V>(
    @TermBuilder of columns: (Columns) -> [QueryFragment],
    touch column: KeyPath<Columns, TableColumn<Target, V>>
  ) -> Self {
    touch("update", updateOf(columns(Target.columns))) {
      $0.set($0.columns[keyPath: column].name, sqliteNow)
    }
  }

  /// Changes the row that was just inserted: `after: .insert(touch: { $0.position = … })`.
  public static func insert(touch assign: (inout Updates<Target>) -> Void) -> Self {
    touch("insert", "INSERT", assign)
  }
  public static func update(touch assign: (inout Updates<Target>) -> Void) -> Self {
    touch("update", "UPDATE", assign)
  }

  private static func touch(
    _ name: String, _ event: QueryFragment, _ assign: (inout Updates<Target>) -> Void
  ) -> Self {
    let row = Target.all.where { $0.rowid == new.rowid }
    return Self(
      name: name, event: event, condition: QueryFragment(),
      body: [row.update(assign).query.fragment])
  }
}

extension Table {
  /// `createTemporaryTrigger(afterUpdateTouch: \.updatedAt)`
  public static func createTemporaryTrigger<V>(
    _ name: String? = nil, afterUpdateTouch column: KeyPath<TableColumns, TableColumn<Self, V>>,
    fileID: StaticString = #fileID, line: UInt = #line, column at: UInt = #column
  ) -> Trigger<Self> {
    createTemporaryTrigger(
      name, after: .update(touch: column), fileID: fileID, line: line, column: at)
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
    fileID: StaticString = #fileID, line: UInt = #line, column at: UInt = #column
  ) -> Trigger<Self> {
    createTemporaryTrigger(
      name, after: .insert(touch: column), fileID: fileID, line: line, column: at)
  }
  public static func createTemporaryTrigger(
    _ name: String? = nil, afterInsertTouch assign: (inout Updates<Self>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line, column at: UInt = #column
  ) -> Trigger<Self> {
    createTemporaryTrigger(
      name, after: .insert(touch: assign), fileID: fileID, line: line, column: at)
  }
}
