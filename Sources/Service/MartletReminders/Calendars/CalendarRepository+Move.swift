import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

extension CalendarRepository {
  /// Deletes a reminder, and not what is below it: each object of a calendar stands alone. What was
  /// below it waits for it.
  package static func delete(_ id: Int, isPermanent: Bool, in db: Connection) throws {
    try orphan(below: id, db)
    try ReminderRepository.delete(id, isPermanent: isPermanent, in: db)
  }

  /// Takes the reminders below one from it. They still name it.
  private static func orphan(below id: Int, _ db: Connection) throws {
    let uid = try Reminder.find(id).select(\.uid).fetchOne(db) ?? nil
    for child in try Reminder.where({ $0.parentID.eq(id) }).select(\.id).fetchAll(db) {
      // First, so that the text says the same all the time.
      try `await`(uid, for: child, in: db)
      try Reminder.find(child).update { $0.parentID = nil as Int? }.execute(db)
    }
  }

  /// Moves a reminder to a path, alone. Throws a ``Conflict`` if the list has its UID.
  package static func move(
    _ entry: Entry, to name: String, in list: Int, at now: Instant, zone: ZoneInfo,
    _ db: Connection
  ) throws {
    let row = try ReminderRepository.stored(entry.id, among: .all, in: db)
    if row.remindersListID != list {
      if let uid = row.uid, let other = try self.entry(uid: uid, in: list, db) {
        throw Conflict.uidExists(name: other.name)
      }
      let parent = try row.parentID.flatMap { try Reminder.find($0).select(\.uid).fetchOne(db) }
      try orphan(below: entry.id, db)
      if let parent = parent ?? nil { try `await`(parent, for: entry.id, in: db) }
      var values = ReminderRepository.Values()
      values.listID = list
      values.parentID = .some(nil)
      try ReminderRepository.update(entry.id, values, at: now, zone: zone, in: db)
    }
    guard name != entry.name else { return }
    try db.run(
      """
      INSERT INTO calendarObjects (reminderID) VALUES (?1) ON CONFLICT (reminderID) DO NOTHING
      """, .integer(Int64(entry.id)))
    try db.run(
      "UPDATE calendarObjects SET name = ?2 WHERE reminderID = ?1", .integer(Int64(entry.id)),
      .text(name))
  }
}
