/// SQL that takes the schema of a file back.
enum OldSchema {
  /// To that of migration 16. The triggers that name the tables must be dropped before.
  static let of16 = """
    DROP TABLE calendarCollections; DROP TABLE calendarObjects;
    DROP INDEX reminders_calendar; ALTER TABLE reminders DROP COLUMN calendarVersion;
    DROP INDEX changes_goneFromList; ALTER TABLE changes DROP COLUMN name;
    CREATE TABLE calendarLines (reminderID INTEGER PRIMARY KEY, lines TEXT NOT NULL) STRICT;
    CREATE TABLE replacedTags (reminderID INTEGER NOT NULL) STRICT;
    CREATE TABLE replacedReminders (reminderID INTEGER PRIMARY KEY, parentID INTEGER) STRICT;
    DELETE FROM martlet_migrations WHERE number > 16;
    """
}
