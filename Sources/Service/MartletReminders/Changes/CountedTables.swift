import MartletStore

/// How the server knows what other programs have changed: by the lines of the change feed for
/// lists, reminders and smart lists, and by a counter for each other table that many results depend
/// on.
enum CountedTables {
  /// The tables with a counter.
  ///
  /// The others have none. What is read of them is read again after each commit of another program:
  /// keys, tags, completions, the trash, channels, deliveries, the state of the feed. A commit that
  /// writes to no table with a counter or lines refreshes everything. Each counter costs three
  /// triggers that every connection parses, and a write for each changed row.
  static let names = ["remindersTags", "alarms"]

  /// The table of the counters. The triggers are among ``RemindersDatabase/triggers``.
  static let part = SchemaPart.counters(of: [])
  /// Its name.
  static let table = "tableVersions"

  static let triggers =
    SchemaPart.counters(of: names).triggers.map { ($0.name, $0.sql) }
    + ChangeTable.guards(
      table: "changes", version: "version",
      unlogged: [
        unlogged("remindersLists", .list), unlogged("reminders", .reminder),
        unlogged("smartLists", .smartList),
      ])

  /// The updates that add no line, because ``ReminderTriggers/log`` takes them for those of another
  /// trigger: the version is set by hand, or the row had no position.
  private static func unlogged(
    _ table: String, _ kind: ChangeKind
  ) -> (table: String, columns: String, condition: String) {
    (
      table, "uid, position, createdAt, updatedAt, completedAt, version",
      """
      CASE WHEN new.version = old.version THEN old.position IS NULL ELSE new.version IS NOT (\
      SELECT CASE WHEN kind = \(kind.rawValue) AND itemID = new.id AND gone IS NULL THEN version END \
      FROM changes ORDER BY version DESC LIMIT 1) END
      """
    )
  }
}

extension RemindersDatabase {
  /// The change table of lists, reminders and smart lists, for the configuration of the store.
  public static var changeTable: ChangeTable {
    ChangeTable(
      table: "changes", version: "version", kind: "kind", item: "itemID", group: "listID",
      sources: [
        .init("remindersLists", kind: Int64(ChangeKind.list.rawValue), id: "id"),
        .init(
          "reminders", kind: Int64(ChangeKind.reminder.rawValue), id: "id",
          group: "remindersListID"),
        .init("smartLists", kind: Int64(ChangeKind.smartList.rawValue), id: "id"),
      ],
      indexes: ["reminderTexts": ["reminders", "remindersTags"]], triggers: triggers)
  }
}
