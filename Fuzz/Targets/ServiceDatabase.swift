import MartletReminders
import MartletSQLite
import MartletStore

/// A database of the service in memory, with three reminders.
enum ServiceDatabase {
  static func open() throws -> Connection {
    let connection = try Connection(location: .inMemory)
    try connection.execute("PRAGMA foreign_keys = ON")
    try Migrator(RemindersDatabase.migrations).migrate(connection)
    try SchemaPart.counters(of: []).install(in: connection)
    for trigger in RemindersDatabase.triggers { try connection.execute(trigger.sql) }
    try connection.execute(
      """
      INSERT INTO reminders (remindersListID, title, notes, dueDate) VALUES
        (1, 'take an apple', 'a day', '2026-01-01'), (1, 'milk', '', NULL), (1, 'x y z', 'w', NULL);
      INSERT INTO tags VALUES ('car'), ('two words');
      INSERT INTO remindersTags (reminderID, tagID) VALUES (1, 'car'), (2, 'two words');
      """)
    return connection
  }
}
