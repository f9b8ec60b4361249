import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

extension CalendarRepository {
  /// Deletes a reminder, and not what is below it: each object of a calendar stands alone. What was
  /// below it waits for it.
  package static func delete(_ id: Int, isPermanent: Bool, in db: Connection) throws {
    let orphans = try orphan(below: id, db)
    try ReminderRepository.delete(id, isPermanent: isPermanent, in: db)
    for orphan in orphans { try AwaitedParents.join(around: orphan, in: db) }
  }

  /// Moves a reminder to a path, alone. Throws a ``Conflict`` if the list has its UID.
  package static func move(
    _ entry: Entry, to name: String, in list: Int, at now: Instant, zone: ZoneInfo,
    _ db: Connection
  ) throws {
    let row = try Reminder.stored(entry.id, among: .all, in: db)
    if row.remindersListID != list {
      if let uid = row.uid, let other = try self.entry(uid: uid, in: list, db) {
        throw Conflict.uidExists(name: other.name)
      }
      let orphans = try orphan(below: entry.id, db)
      try orphan(entry.id, db)
      var values = ReminderRepository.Values()
      values.listID = list
      try ReminderRepository.update(entry.id, values, at: now, zone: zone, in: db)
      if row.parentID != nil {
        try AwaitedParents.join(around: entry.id, from: row.parentID, in: db)
      }
      for orphan in orphans { try AwaitedParents.join(around: orphan, in: db) }
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
