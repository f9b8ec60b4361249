import MartletQueryBuilder

/// The triggers that enforce the invariants of lists. They are pure SQL and hold for every program
/// that writes to the file.
enum ListTriggers {
  /// Refuses an explicit ID above the largest allowed one.
  ///
  /// It runs before the insert, when an ID that SQLite assigns is not known yet: assigned IDs may
  /// exceed the limit.
  static let idOnInsert = RemindersList.createTrigger(
    "martlet_remindersLists_idOnInsert",
    before: .insert { _ in
      Raise(.abort, ValueRule.id.rawValue)
    } when: { new in
      new.id > ValueRule.largest
    })

  /// Checks the ID and the UID of a new list, places it last unless it has a position, and sets its
  /// times.
  static let complete = RemindersList.createTrigger(
    "martlet_remindersLists_complete",
    after: .insert { new in
      Refusal(
        (
          unless: ChangeLine.isNew("\(new.id)", .list, inList: "\(new.id)"),
          ValueRule.replaced.rawValue
        ),
        (unless: "\(new.id) >= 1", ValueRule.id.rawValue),
        UID.isUnique("\(new.uid)", among: RemindersList.self, "\(new.id)"))
      KeyPart.where { $0.part == new.id }.delete()
      PlainStatement.line(.list, "\(new.id)", inList: "\(new.id)")
      RemindersList.find(new.id).update {
        $0.uid = UID.given
        $0.position = #sql("coalesce(position, \(RemindersList.nextPosition))")
        $0.createdAt = #sql("strftime('%Y-%m-%d %H:%M:%f', 'now')")
        $0.updatedAt = #sql("strftime('%Y-%m-%d %H:%M:%f', 'now')")
        $0.version = #sql("last_insert_rowid()")
      }
    })

  static let touch = RemindersList.createTrigger(
    "martlet_remindersLists_touch",
    after: .update(of: { _ in return RemindersList.clientColumns.names }) { old, new in
      PlainStatement.line(.list, "\(new.id)", inList: "\(new.id)")
      RemindersList.find(new.id).update {
        $0.updatedAt = #sql("\(PlacedRow.touched(after: "\(old.updatedAt)"))")
        $0.version = #sql("last_insert_rowid()")
      }
    })

  /// Checks and records a change that ``touch`` does not: of the UID, the position, or a time that
  /// a program sets. A list without a position comes last.
  static let log = RemindersList.createTrigger(
    "martlet_remindersLists_log",
    after: .update(of: { ($0.uid, $0.position, $0.createdAt, $0.updatedAt) }) { old, new in
      PlacedRow.rules(
        unique: UID.isUnique("\(new.uid)", among: RemindersList.self, "\(new.id)"))
      PlainStatement.line(.list, "\(new.id)", inList: "\(new.id)")
      RemindersList.find(new.id).update {
        $0.uid = UID.given
        $0.position = #sql("coalesce(position, \(RemindersList.nextPosition))")
        $0.updatedAt = #sql("max(updatedAt, coalesce(createdAt, updatedAt))")
        $0.version = #sql("last_insert_rowid()")
      }
    } when: { old, new in
      PlacedRow.isUnlogged(.list, "\(new.id)", "\(old.version)", "\(new.version)")
        && (old.uid.isNot(new.uid) || old.position.isNot(new.position)
          || old.createdAt.isNot(new.createdAt) || old.updatedAt.isNot(new.updatedAt))
    })

  static let keepID = RemindersList.keepsID

  /// Deletes a list's reminders, even with foreign keys disabled (as in a `sqlite3` shell), and the
  /// grants of keys to it, because another list may get its ID some day. Deleting the last list
  /// creates a new one.
  static let cascade = RemindersList.createTrigger(
    "martlet_remindersLists_cascade",
    after: .delete { old in
      Reminder.where { $0.remindersListID == old.id }.delete()
      CalendarCollection.where { $0.listID == old.id }.delete()
      KeyPart.where { $0.part == old.id }.delete()
      PlainStatement(
        sql: """
          INSERT INTO remindersLists (title) SELECT \(bind: RemindersList.defaultTitle) \
          WHERE NOT EXISTS (SELECT 1 FROM remindersLists)
          """)
      PlainStatement.goneLine(.list, "\(old.id)", fromList: "\(old.id)")
    })
}

/// A list that an API key is limited to. The domain deletes these rows together with the list.
@Table("apiKeyParts")
struct KeyPart {
  let id: Int
  var keyID: Int
  var part: Int
}

extension RemindersList {
  /// The position after the last list, or 0 for the first list.
  fileprivate static var nextPosition: SQLQueryExpression<Int> {
    SQLQueryExpression(
      RemindersList.select { Positions.next(after: "\($0.position.max())") }.queryFragment)
  }
}
