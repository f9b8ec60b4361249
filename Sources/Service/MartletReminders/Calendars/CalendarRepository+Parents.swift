import MartletQueryBuilder
import MartletSQLite
import MartletStore

extension CalendarRepository {
  /// Puts a reminder below the one that its text names, if that is there and can be its parent.
  /// Otherwise it waits for it.
  static func setParent(of id: Int, _ uid: String?, _ db: Connection) throws {
    let row = try Reminder.stored(id, among: .all, in: db)
    let named = try stored(id, in: db)?.reminder.parentUID
    let found = try uid.flatMap {
      try ReminderRepository.withUID($0, in: row.remindersListID).fetchOne(db)
    }
    let parent = try found.flatMap { try AwaitedParents.canBe($0, parentOf: id, db) ? $0 : nil }
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
