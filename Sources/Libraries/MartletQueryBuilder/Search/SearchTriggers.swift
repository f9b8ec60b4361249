/// Where the text of a full-text table is stored.
public enum FTS5Content: Sendable {
  /// In the full-text table itself.
  case own
  /// In another table (`content=`) or not at all (`content=''`).
  ///
  /// A row is then removed by a command with the text that was indexed
  /// (https://sqlite.org/fts5.html#the_delete_command).
  case external
}

extension FTS5 {
  /// Creates the three temporary triggers that keep this table in sync with `source`. `row`
  /// computes the text to index from a row of `source`.
  ///
  /// ```swift
  /// try ReminderText.createTemporaryTriggers(syncing: Reminder.self) { reminder in
  ///   ReminderText.Columns(
  ///     rowid: reminder.rowid, title: reminder.title, notes: reminder.notes.replace("\n", " "))
  /// }.execute(db)
  /// // … AFTER INSERT ON "reminders" … INSERT INTO "reminderTexts" ("rowid", …) VALUES …
  /// // … AFTER UPDATE OF "title", "notes", "id" ON "reminders" … DELETE …; INSERT …
  /// // … AFTER DELETE ON "reminders" … DELETE FROM "reminderTexts" WHERE …
  /// ```
  /// Text from further tables needs triggers on those tables as well.
  public static func createTemporaryTriggers<Source: Table, Row: Insertable>(
    _ name: String? = nil, syncing source: Source.Type, content: FTS5Content = .own,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    row: (Source.TableColumns) -> Row
  ) -> [Trigger<Source>] where Row.Target == Self {
    let place = "\(fileID):\(line):\(column)"
    return operations(syncing: source, content, row).map { operation in
      Trigger(
        temporary: name.map { "\($0)_\(operation.name)" }, .after, false, operation, place)
    }
  }
  /// Creates the three triggers as a part of the schema. Their names are `name` followed by
  /// `_insert`, `_update` and `_delete`.
  public static func createTriggers<Source: Table, Row: Insertable>(
    _ name: String, syncing source: Source.Type, content: FTS5Content = .own,
    row: (Source.TableColumns) -> Row
  ) -> [Trigger<Source>] where Row.Target == Self {
    operations(syncing: source, content, row).map {
      Source.createTrigger("\(name)_\($0.name)", after: $0)
    }
  }

  private static func operations<Source: Table, Row: Insertable>(
    syncing source: Source.Type, _ content: FTS5Content, _ row: (Source.TableColumns) -> Row
  ) -> [TriggerOperation<Source>] where Row.Target == Self {
    let new = row(TriggerOperation<Source>.new).assignments
    let old = row(TriggerOperation<Source>.old).assignments
    let columns = sources(of: new, in: source)
    let insert = TriggerStep(fragment: insert(new), assignments: new)
    let delete = TriggerStep(fragment: delete(old, content))
    return [
      TriggerOperation(
        name: "insert", event: "INSERT", condition: QueryFragment(), body: [insert]),
      TriggerOperation(
        name: "update",
        event: columns.isEmpty ? "UPDATE" : TriggerOperation<Source>.updateOf(columns),
        condition: QueryFragment(), body: [delete, insert]),
      TriggerOperation(
        name: "delete", event: "DELETE", condition: QueryFragment(), body: [delete]),
    ]
  }

  /// The columns of `source` that the text is computed from, and its key columns, one of which may
  /// be the `rowid`.
  private static func sources<Source: Table>(
    of values: [Assignment], in source: Source.Type
  ) -> [QueryFragment] {
    var names: [String] = []
    for value in values {
      for case .column("new", let name) in value.value.segments
      where name != "rowid" && !names.contains(name) {
        names.append(name)
      }
    }
    for column in Source.TableColumns.all where column.isKey && !names.contains(column.name) {
      names.append(column.name)
    }
    return names.map { QueryFragment(quote: $0) }
  }

  private static func insert(
    _ values: [Assignment], command: String? = nil, into table: QueryFragment? = nil
  ) -> QueryFragment {
    // A command is a value of the column that has the table's name.
    let commands = command.map { [Assignment(tableName, QueryFragment(.text($0)))] } ?? []
    let all = commands + values
    let names = all.map { QueryFragment(quote: $0.column) }.joined(", ")
    // A statement in a trigger names its table without a schema.
    let table = table ?? QueryFragment(quote: tableName)
    return "INSERT INTO \(table) (\(names)) VALUES (\(all.map(\.value).joined(", ")))"
  }

  private static func delete(_ old: [Assignment], _ content: FTS5Content) -> QueryFragment {
    switch content {
    case .external: return insert(old, command: "delete")
    case .own:
      let id =
        old.first { $0.column == "rowid" }?.value ?? QueryFragment(column: "rowid", of: "old")
      return "DELETE FROM \(quote: tableName) WHERE (\(Self.columns.rowid) = \(id))"
    }
  }

  /// Rebuilds the index from the rows of the external content table: `'rebuild'`.
  public static func rebuild() -> PlainStatement {
    PlainStatement(Query(insert([], command: "rebuild", into: identifier)))
  }
  /// Merges the index into one structure, which takes time and makes searches faster: `'optimize'`.
  public static func optimize() -> PlainStatement {
    PlainStatement(Query(insert([], command: "optimize", into: identifier)))
  }
  /// Fails with `SQLITE_CORRUPT_VTAB` if the index does not match the text: `'integrity-check'`.
  public static func integrityCheck() -> PlainStatement {
    PlainStatement(Query(insert([], command: "integrity-check", into: identifier)))
  }
}
