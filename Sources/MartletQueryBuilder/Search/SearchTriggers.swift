/// Where a full-text table keeps its text.
public enum FTS5Content: Sendable {
  /// In itself.
  case own
  /// In another table (`content=`), or nowhere (`content=''`): then a row is forgotten by telling the
  /// index what it held (https://sqlite.org/fts5.html#the_delete_command).
  case external
}

extension FTS5 {
  /// The three triggers that keep this table in step with the one it is about. What `row` makes of a
  /// row of `source` is what is found.
  ///
  /// ```swift
  /// try ReminderText.createTemporaryTriggers(syncing: Reminder.self) { reminder in
  ///   ReminderText.Columns(
  ///     rowid: reminder.rowid, title: reminder.title, notes: reminder.notes.replace("\n", " "))
  /// }.execute(db)
  /// // … AFTER INSERT ON "reminders" … INSERT INTO "reminderTexts" ("rowid", "title", "notes") VALUES …
  /// // … AFTER UPDATE OF "title", "notes", "id" ON "reminders" … DELETE …; INSERT …
  /// // … AFTER DELETE ON "reminders" … DELETE FROM "reminderTexts" WHERE …
  /// ```
  /// Text from further tables needs triggers on those besides.
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
  /// The same as a part of the schema. The names are `name` with `_insert`, `_update` and `_delete`
  /// behind it.
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

  /// Which columns of the row the text is made of, and those that may be its row number.
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
    // A command is a value in the column that has the table's name.
    let commands = command.map { [Assignment(tableName, QueryFragment(.text($0)))] } ?? []
    let all = commands + values
    let names = all.map { QueryFragment(quote: $0.column) }.joined(", ")
    // In a trigger, without a schema.
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

  /// Reads all rows of an external content table into the index anew.
  public static func rebuild() -> Change {
    Change(Query(insert([], command: "rebuild", into: identifier)))
  }
  /// Merges the index into one piece: slow now, faster to search afterwards.
  public static func optimize() -> Change {
    Change(Query(insert([], command: "optimize", into: identifier)))
  }
  /// Fails with `SQLITE_CORRUPT_VTAB` where index and text differ.
  public static func integrityCheck() -> Change {
    Change(Query(insert([], command: "integrity-check", into: identifier)))
  }
}
