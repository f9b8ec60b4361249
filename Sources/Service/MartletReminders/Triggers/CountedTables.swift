import MartletQueryBuilder
import MartletStore

/// How the server knows what other programs have changed: by the lines of the change feed for
/// lists, reminders and smart lists, and by a counter for each other table that many results depend
/// on.
enum CountedTables {
  /// The tables whose triggers increment their counter with each row that is inserted, updated or
  /// deleted.
  ///
  /// What is read of other tables is read again after each commit of another program: of keys, of
  /// the names of calendars. A commit that writes to such tables alone refreshes everything.
  static let tables: [any Table.Type] = [
    Tag.self, ReminderTag.self, Completion.self, ReminderAlarm.self, Channel.self, Delivery.self,
    TrashEntry.self, FeedState.self,
  ]

  /// The table of the counters.
  static let part = SchemaPart.counters(of: [])
  /// Its name.
  static let table = "tableVersions"

  /// The triggers of tables that have no others for an event.
  static let insertedCompletion = Completion.createTrigger(
    "martlet_completions_inserted", after: .insert { _ in PlainStatement.count(Completion.self) })
  static let updatedCompletion = Completion.createTrigger(
    "martlet_completions_updated",
    after: .update { _, _ in PlainStatement.count(Completion.self) })
  static let deletedCompletion = Completion.createTrigger(
    "martlet_completions_deleted", after: .delete { _ in PlainStatement.count(Completion.self) })
  static let deletedDelivery = Delivery.createTrigger(
    "martlet_deliveries_deleted", after: .delete { _ in PlainStatement.count(Delivery.self) })
  static let updatedTrash = TrashEntry.createTrigger(
    "martlet_trash_updated", after: .update { _, _ in PlainStatement.count(TrashEntry.self) })
  static let insertedState = FeedState.createTrigger(
    "martlet_feedState_inserted", after: .insert { _ in PlainStatement.count(FeedState.self) })
  static let updatedState = FeedState.createTrigger(
    "martlet_feedState_updated", after: .update { _, _ in PlainStatement.count(FeedState.self) })
  static let deletedState = FeedState.createTrigger(
    "martlet_feedState_deleted", after: .delete { _ in PlainStatement.count(FeedState.self) })

  /// The triggers that count what the lines of the feed do not say. A version that is not the
  /// newest line was set by hand, which may have hidden the change from the triggers.
  static let guards = ChangeTable.guards(
    table: "changes", version: "version",
    unlogged: [
      unlogged("remindersLists", .list), unlogged("reminders", .reminder),
      unlogged("smartLists", .smartList),
    ])

  private static func unlogged(
    _ table: String, _ kind: ChangeKind
  ) -> (table: String, columns: String, condition: String) {
    (
      table, "version",
      """
      new.version <> old.version AND new.version IS NOT (\
      SELECT CASE WHEN kind = \(kind.rawValue) AND itemID = new.id AND gone IS NULL THEN version END \
      FROM changes ORDER BY version DESC LIMIT 1)
      """
    )
  }
}

extension PlainStatement {
  /// Increments the counter of a table.
  static func count<T: Table>(_ table: T.Type) -> PlainStatement {
    PlainStatement(sql: "\(raw: ChangeTable.increment(of: T.tableName))")
  }
}
