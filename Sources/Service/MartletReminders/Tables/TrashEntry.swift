import MartletQueryBuilder
import MartletTime

/// A deleted list or reminder, for as long as it can be restored. Triggers write the entries.
@Table("trash")
struct TrashEntry: Equatable {
  let id: Int
  var kind: ChangeKind
  /// The ID that the list or the reminder had.
  var itemID: Int
  /// The list of the reminder, or the list itself.
  var listID: Int
  var title: String
  /// The columns of the row, its tags and its calendar object, as JSON.
  var content: String
  var deletedAt: Instant
  /// The entry of the list or of the reminder above it that the reminder was deleted with.
  var entryID: Int?
  /// Whether it is a reminder of a large list whose deletion has begun.
  var isPortion = false
  /// The parent of the reminder.
  var parentID: Int?
}

/// An entry of the trash as the API returns it.
@Selection
public struct TrashItem: Equatable, Sendable {
  /// The ID of the entry.
  public let id: Int
  /// The kind of the deleted row.
  public let kind: ChangeKind
  /// The ID that it had, and has again when it is restored.
  public let itemID: Int
  /// The list of the reminder, or the list itself.
  public let listID: Int
  /// The title.
  public let title: String
  /// When it was deleted.
  public let deletedAt: Instant
  /// When it will be erased.
  public let expiresAt: Instant?
  /// The number of reminders that were deleted with the list, or with the reminder above them.
  public let contains: Int
}

/// The triggers that fill the trash. They are pure SQL and hold for every program that deletes.
enum TrashTriggers {
  /// Adds an entry for a deleted reminder, unless ``list`` has added one. Deletes what is below the
  /// reminder, as a part of its entry.
  static let reminder = Reminder.createTrigger(
    "martlet_reminders_trash",
    before: .delete { old in
      PlainStatement(
        sql: """
          INSERT INTO trash (kind, itemID, listID, title, content, deletedAt, parentID) \
          SELECT 2, reminders.id, remindersListID, title, '', \(sqliteNow), parentID \
          FROM reminders WHERE id = \(old.id)
          """)
      PlainStatement(
        sql: """
          INSERT INTO trash (kind, itemID, listID, title, content, deletedAt, parentID, entryID) \
          SELECT 2, reminders.id, remindersListID, title, '', \(sqliteNow), parentID, (\
          SELECT max(id) FROM trash WHERE itemID = \(old.id) AND kind = 2) \
          FROM reminders WHERE id IN (\(Subtree.below("\(old.id)"))) ORDER BY position, id
          """)
      PlainStatement(sql: "DELETE FROM reminders WHERE id IN (\(Subtree.below("\(old.id)")))")
    } when: { old in
      // 'now' stands still within a statement: an older entry is of another deletion.
      !TrashEntry
        .where {
          $0.itemID == old.id && $0.kind == .reminder && $0.entryID.isNot(nil)
          #sql("\($0.deletedAt) = \(sqliteNow)", as: Bool.self)
        }
        .select(\.id).exists()
    })

  /// Adds an entry for a deleted list, and for each of its reminders. Reminders of a large list
  /// that were deleted before it, in portions, become part of its entry.
  static let list = RemindersList.createTrigger(
    "martlet_remindersLists_trash",
    before: .delete { old in
      let entry: QueryFragment = "(SELECT max(id) FROM trash WHERE itemID = \(old.id) AND kind = 1)"
      PlainStatement(
        sql: """
          INSERT INTO trash (kind, itemID, listID, title, content, deletedAt) \
          VALUES (1, \(old.id), \(old.id), \(old.title), json_object('uid', \(old.uid), \
          \(RemindersList.clientColumns.members(of: "old")), 'position', \(old.position), 'createdAt', \(old.createdAt), \
          'name', (SELECT name FROM calendarCollections WHERE listID = \(old.id)), \
          'properties', (SELECT properties FROM calendarCollections WHERE listID = \(old.id))), \
          \(sqliteNow))
          """)
      PlainStatement(
        sql: """
          INSERT INTO trash (kind, itemID, listID, title, content, deletedAt, parentID, entryID) \
          SELECT 2, reminders.id, remindersListID, title, '', \(sqliteNow), parentID, \(entry) \
          FROM reminders WHERE remindersListID = \(old.id) ORDER BY position, id
          """)
      PlainStatement(
        sql: """
          UPDATE trash SET entryID = \(entry), isPortion = 0, deletedAt = \(sqliteNow) \
          WHERE listID = \(old.id) AND isPortion = 1
          """)
    })

  /// Gives the new entry of a reminder its content.
  static let entry = TrashEntry.createTrigger(
    "martlet_trash_inserted",
    after: .insert { new in
      PlainStatement(
        sql: """
          UPDATE trash SET content = (SELECT \(content) FROM reminders WHERE id = \(new.itemID)) \
          WHERE id = \(new.id) AND content = ''
          """)
      PlainStatement.count(TrashEntry.self)
    })

  /// The columns of `reminders` that ``TrashRepository`` restores, besides the title.
  private static let content: QueryFragment = """
    json_object('uid', uid, 'position', position, 'createdAt', createdAt, \
    'completedAt', completedAt, \(Reminder.clientColumns.members()), \
    'tags', json((SELECT json_group_array(tagID) FROM remindersTags WHERE reminderID = reminders.id)), \
    'alarms', json((SELECT json_group_array(json_array(\
    \(raw: ReminderAlarm.keptColumns.joined(separator: ", ")))) FROM alarms WHERE reminderID = reminders.id)), \
    'lines', (SELECT lines FROM calendarObjects WHERE reminderID = reminders.id), \
    'raw', (SELECT raw FROM calendarObjects WHERE reminderID = reminders.id), \
    'name', (SELECT name FROM calendarObjects WHERE reminderID = reminders.id), \
    'parentUID', coalesce(\
    (SELECT parent.uid FROM reminders AS parent WHERE parent.id = reminders.parentID), \
    (SELECT parentUID FROM calendarObjects WHERE reminderID = reminders.id)))
    """
}
