import CAssets
import QueryBuilder
import SQLite
import Store

/// What a database of reminders is made of: its migrations, its triggers, and what each connection
/// needs.
public enum RemindersDatabase {
  /// The triggers that enforce the invariants. None depends on another: SQLite does not define the
  /// order in which they fire.
  public static var triggers: [(name: String, sql: String)] {
    [lists, reminders, tags, search, KeyTriggers.all].flatMap { $0 }
  }

  // One literal for all of them takes the type checker twice as long as these four.
  private static var lists: [(name: String, sql: String)] {
    [
      named(ListTriggers.keepOne), named(ListTriggers.complete), named(ListTriggers.touch),
      named(ListTriggers.place), named(ListTriggers.keepID), named(ListTriggers.cascade),
      named(ListTriggers.limits), named(ListTriggers.limitsOfMoved),
    ]
  }
  private static var reminders: [(name: String, sql: String)] {
    [
      named(ReminderTriggers.knownListOnInsert), named(ReminderTriggers.knownListOnUpdate),
      named(ReminderTriggers.complete), named(ReminderTriggers.touch), named(ReminderTriggers.move),
      named(ReminderTriggers.place), named(ReminderTriggers.renumber),
      named(ReminderTriggers.cascade), named(ReminderTriggers.calendar),
    ]
  }
  private static var tags: [(name: String, sql: String)] {
    [
      named(TagTriggers.fiveOnInsert), named(TagTriggers.fiveOnUpdate),
      named(TagTriggers.spelling), named(TagTriggers.touchOnInsert),
      named(TagTriggers.touchOnUpdate), named(TagTriggers.touchOnDelete),
      named(TagTriggers.rename), named(TagTriggers.cascade),
    ]
  }
  private static var search: [(name: String, sql: String)] {
    [
      named(SearchTriggers.insert), named(SearchTriggers.update), named(SearchTriggers.delete),
      named(SearchTriggers.tagInsert), named(SearchTriggers.tagUpdate),
      named(SearchTriggers.tagDelete),
    ]
  }

  /// What the program takes the tables for.
  static let tables: [any Table.Type] = [
    RemindersList.self, Reminder.self, Tag.self, ReminderTag.self, ReminderText.self,
    CalendarLines.self,
    KeyPart.self,
  ]

  private static func named<T>(_ trigger: Trigger<T>) -> (name: String, sql: String) {
    let (sql, issues) = trigger.prepared
    precondition(issues.isEmpty, "\(issues)")
    return (trigger.name, sql)
  }
}

extension RemindersDatabase {
  /// The migrations that the program carries with it, `Migrations/NNNN_name.sql`.
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

  /// Brings a database file to this program's schema and triggers.
  @discardableResult
  public static func migrate(path: String) throws -> Migrator.Report {
    try EmbeddedDatabase.migrate(path: path, migrator)
  }

  /// Whether the database is one of reminders, of this version or an older one; throws where this program
  /// could not migrate it.
  public static func isKnown(_ connection: Connection) throws -> Bool {
    try pendingMigrations(connection).count < migrations.count
  }

  /// The migrations that the next ``migrate(path:)`` will run; throws where this program could not.
  public static func pendingMigrations(_ connection: Connection) throws -> [Migration] {
    try migrator.pending(connection)
  }

  /// How many reminders search knows otherwise than they are: none, as long as the triggers were there.
  public static func straySearchTexts(_ connection: Connection) throws -> Int {
    let count = try connection.value(
      """
      SELECT (SELECT count(*) FROM reminders LEFT JOIN reminderTexts ON reminderTexts.rowid = reminders.id \
      WHERE reminderTexts.title IS NOT reminders.title OR reminderTexts.notes IS NOT reminders.notes) \
      + (SELECT count(*) FROM reminderTexts WHERE rowid NOT IN (SELECT id FROM reminders))
      """)
    return Int(count?.integer ?? 0)
  }

  private static var migrator: Migrator {
    var migrator = Migrator(migrations, triggers: triggers)
    migrator.adoptsOthers = false
    migrator.tables = tables
    return migrator
  }
}
