import MartletICalendar
import MartletQueryBuilder
import MartletSQLite
import MartletStore

extension CalendarRepository {
  /// Puts a reminder below the first one that its text names, is there and can be its parent.
  /// Otherwise it waits for one.
  static func setParent(of id: Int, _ said: TransferReminder, _ db: Connection) throws {
    let row = try Reminder.stored(id, among: .all, in: db)
    let named = try stored(id, in: db)?.reminder.parentUID
    let all = [said.parentUID].compactMap { $0 } + said.otherParentUIDs
    var (uid, parent) = (named.flatMap { all.contains($0) ? $0 : nil } ?? all.first, Int?.none)
    for candidate in all where parent == nil {
      let found = try ReminderRepository.withUID(candidate, in: row.remindersListID).fetchOne(db)
      guard let found, try AwaitedParents.canBe(found, parentOf: id, db) else { continue }
      (uid, parent) = (candidate, found)
    }
    // First, so that the text says the same all the time.
    if parent == nil, uid != named || row.parentID != nil {
      try AwaitedParents.wait(id, for: uid, in: db)
    }
    if parent != row.parentID {
      if uid == named {
        try AwaitedParents.relink(id, below: parent, db)
      } else {
        try Reminder.find(id).update { $0.parentID = parent }.execute(db)
      }
      if row.parentID != nil { try AwaitedParents.join(around: id, from: row.parentID, in: db) }
    }
  }

  // MARK: Parents that name their subtasks

  /// The subtasks that a text names and the stored text of the reminder does not.
  static func newChildren(_ said: TransferReminder, of id: Int?, _ db: Connection) throws
    -> [String]
  {
    guard !said.childUIDs.isEmpty, let id else { return said.childUIDs }
    let stored = try CalendarObject.find(id).select(\.lines).fetchOne(db) ?? nil
    let known = Set(TodoGroups.children(KeptLines(stored ?? "").properties, of: said.values.uid))
    return said.childUIDs.filter { !known.contains($0) }
  }

  /// The reminder with a UID, if it can be a subtask of another one of its list, and neither it nor
  /// its text names a parent.
  static func child(_ uid: String, below id: Int, _ db: Connection) throws -> Int? {
    guard let list = try Reminder.find(id).select(\.remindersListID).fetchOne(db),
      let child = try ReminderRepository.withUID(uid, in: list).fetchOne(db),
      try stored(child, in: db)?.reminder.parentUID == nil,
      try AwaitedParents.canBe(id, parentOf: child, db)
    else { return nil }
    return child
  }

  /// Puts reminders below one whose text names them.
  static func adopt(_ children: [String], below id: Int, _ db: Connection) throws {
    for uid in children {
      guard let child = try child(uid, below: id, db) else { continue }
      try Reminder.find(child).update { $0.parentID = id }.execute(db)
    }
  }

  /// Puts a new reminder, whose text names no parent, below the one whose text names it.
  static func adopt(_ id: Int, _ db: Connection) throws {
    guard let row = try Reminder.find(id).fetchOne(db), row.parentID == nil, let uid = row.uid
    else { return }
    let rows = try db.rows(naming, .integer(Int64(row.remindersListID)))
    for row in rows {
      guard let parent = row[0].integer.map(Int.init),
        TodoGroups.children(KeptLines(row[1].text ?? "").properties, of: nil).contains(uid),
        try child(uid, below: parent, db) == id
      else { continue }
      return try Reminder.find(id).update { $0.parentID = parent }.execute(db)
    }
  }

  /// The texts of a list that name subtasks, of which an index knows.
  static let naming = """
    SELECT reminderID, lines FROM calendarObjects WHERE instr(upper(lines), 'CHILD') > 0 \
    AND (SELECT remindersListID FROM reminders WHERE id = reminderID) = ? ORDER BY reminderID
    """

  /// Takes a reminder from its parent. It still names it, and waits for it.
  static func orphan(_ id: Int, _ db: Connection) throws {
    guard let uid = try stored(id, in: db)?.reminder.parentUID else { return }
    try AwaitedParents.wait(id, for: uid, in: db)
    try AwaitedParents.relink(id, below: nil, db)
  }

  /// Takes the reminders below one from it, and returns them. They still name it.
  static func orphan(below id: Int, _ db: Connection) throws -> [Int] {
    let children = try Reminder.where({ $0.parentID.eq(id) }).select(\.id).fetchAll(db)
    for child in children { try orphan(child, db) }
    return children
  }
}
