import CMartletAssets
import MartletQueryBuilder
import MartletSQLite
import MartletStore

/// The schema of a reminders database: its migrations, its triggers, and what each connection
/// needs.
public enum RemindersDatabase {
  /// The triggers that enforce the invariants. They do not depend on their order, because SQLite
  /// does not define it: `TriggerOrderTests` creates them in random orders. Steps that need an
  /// order are in one trigger.
  public static var triggers: [(name: String, sql: String)] {
    [
      lists, smartLists, reminders, recurrence, subtasks, alarms, calendars, channels, tags, trash,
      counters,
      KeyTriggers.all,
      CountedTables.guards,
    ]
    .flatMap { $0 }
  }

  // A single literal of all triggers takes the type checker twice as long as these.
  private static var lists: [(name: String, sql: String)] {
    [
      named(ListTriggers.idOnInsert), named(ListTriggers.complete), named(ListTriggers.touch),
      named(ListTriggers.log), named(ListTriggers.keepID),
      named(ListTriggers.cascade),
    ]
  }
  private static var smartLists: [(name: String, sql: String)] {
    [
      named(SmartListTriggers.complete), named(SmartListTriggers.touch),
      named(SmartListTriggers.log), named(SmartListTriggers.keepID),
      named(SmartListTriggers.gone),
    ]
  }
  private static var reminders: [(name: String, sql: String)] {
    [
      named(ReminderTriggers.idOnInsert), named(ReminderTriggers.knownListOnUpdate),
      named(ReminderTriggers.keepID), named(ReminderTriggers.complete),
      named(ReminderTriggers.recountOnInsert), named(ReminderTriggers.touch),
      named(ReminderTriggers.log), named(ReminderTriggers.times),
      named(ReminderTriggers.move), named(ReminderTriggers.place),
      named(ReminderTriggers.cascade), named(SearchTriggers.update),
    ]
  }
  private static var recurrence: [(name: String, sql: String)] {
    [
      named(RecurrenceTriggers.onUpdate),
      named(CompletionTriggers.onInsert), named(CompletionTriggers.onUpdate),
      named(CompletionTriggers.time), named(CompletionTriggers.erase),
    ]
  }
  private static var subtasks: [(name: String, sql: String)] {
    [
      named(SubtaskTriggers.onInsert), named(SubtaskTriggers.tree),
      named(SubtaskTriggers.countOnUpdate), named(SubtaskTriggers.recount),
    ]
  }
  private static var alarms: [(name: String, sql: String)] {
    [
      named(AlarmTriggers.onInsert), named(AlarmTriggers.added), named(AlarmTriggers.deleted),
      named(AlarmTriggers.moved), named(AlarmTriggers.changed), named(AlarmTriggers.updated),
      named(AlarmTriggers.stale),
    ]
  }
  private static var calendars: [(name: String, sql: String)] {
    [
      named(CalendarTriggers.moved),
      named(CalendarTriggers.added), named(CalendarTriggers.changed),
      named(CalendarTriggers.uidChanged),
      named(CalendarTriggers.deleted),
      named(CalendarTriggers.collectionOnInsert),
    ]
  }
  private static var channels: [(name: String, sql: String)] {
    [
      named(ChannelTriggers.onInsert), named(ChannelTriggers.onUpdate),
      named(ChannelTriggers.cascade), named(ChannelTriggers.delivery),
      named(ChannelTriggers.updatedDelivery), named(ChannelTriggers.channelMoved),
      named(ChannelTriggers.deliveryMoved),
    ]
  }
  private static var tags: [(name: String, sql: String)] {
    [
      named(TagTriggers.keep), named(TagTriggers.keepID), named(TagTriggers.inserted),
      named(TagTriggers.changed), named(TagTriggers.deleted), named(TagTriggers.title),
      named(TagTriggers.rename), named(TagTriggers.cascade),
    ]
  }
  private static var trash: [(name: String, sql: String)] {
    [named(TrashTriggers.list), named(TrashTriggers.reminder), named(TrashTriggers.entry)]
  }

  private static var counters: [(name: String, sql: String)] {
    [
      named(CountedTables.insertedCompletion), named(CountedTables.updatedCompletion),
      named(CountedTables.deletedCompletion), named(CountedTables.deletedDelivery),
      named(CountedTables.updatedTrash),
      named(CountedTables.insertedState), named(CountedTables.updatedState),
      named(CountedTables.deletedState),
    ]
  }

  /// The tables as the program declares them, to compare with a file's schema.
  static let tables: [any Table.Type] = [
    RemindersList.self, SmartList.self, Reminder.self, Tag.self, ReminderTag.self,
    ReminderText.self,
    CalendarCollection.self, CalendarObject.self, ChangeLine.self, FeedState.self, TrashEntry.self,
    Completion.self, ReminderAlarm.self, Firing.self, Channel.self, Delivery.self,
    KeyPart.self, StoredSettings.self, PushKey.self,
  ]

  private static func named<T>(_ trigger: Trigger<T>) -> (name: String, sql: String) {
    let (sql, issues) = trigger.prepared
    precondition(issues.isEmpty, "\(issues)")
    return (trigger.name, sql)
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
      indexes: ["reminderTexts": ["reminders", "remindersTags"]],
      counted: CountedTables.tables.map { $0.tableName }, triggers: triggers)
  }
}

extension RemindersDatabase {
  /// The migrations embedded in the program, from `Migrations/NNNN_name.sql`.
  public static var migrations: [Migration] {
    var migrations: [Migration] = []
    var asset = cassets
    while let next = asset, let name = next.pointee.name {
      asset = next + 1
      let path = String(cString: name)
      guard path.hasPrefix("Migrations/"), path.hasSuffix(".sql") else { continue }
      let file = path.dropFirst("Migrations/".count).dropLast(".sql".count)
      let pieces = file.split(separator: "_", maxSplits: 1)
      guard pieces.count == 2, let number = Int(pieces[0]) else {
        preconditionFailure("\(path) is not named NNNN_name.sql")
      }
      migrations.append(
        Migration(
          number: number, name: String(pieces[1]),
          sql: UnsafeBufferPointer(start: next.pointee.bytes, count: next.pointee.count)))
    }
    return migrations
  }
}
