import MartletQueryBuilder
import MartletSQLite
import MartletStore

extension Importer {
  /// Puts the subtasks below their parents, which may come after them.
  mutating func setParents(_ found: [Int: Int]) throws {
    for (id, parent, line) in subtasks {
      switch parent {
      case .id(let given):
        guard let parent = found[given] else {
          throw TransferError.unknownParent(given, line: line)
        }
        do {
          guard
            try Reminder.find(id).select(\.remindersListID).fetchOne(db)
              == Reminder.find(parent).select(\.remindersListID).fetchOne(db)
          else { throw RuleViolation.parentList }
          try setParent(of: id, parent)
        } catch {
          guard
            let rule = error as? RuleViolation
              ?? (error as? SQLiteError).flatMap({ RuleViolation(rawValue: $0.brokenRule) })
          else { throw error }
          throw TransferError.parent(rule, line: line)
        }
      case .uids(let uids): try setParent(of: id, uids)
      }
    }
  }

  private func setParent(of id: Int, _ parent: Int) throws {
    let updated = try Reminder.find(id).select(\.updatedAt).fetchOne(db) ?? nil
    try Reminder.find(id).update { $0.parentID = parent }.execute(db)
    // A recurring subtask that is completed like its parent was completed with it, and stays so.
    try db.run(
      """
      UPDATE completions SET causeID = (SELECT max(id) FROM completions WHERE reminderID = ?2)
      WHERE id = (SELECT max(id) FROM completions WHERE reminderID = ?1) AND 2 = (
        SELECT count(*) FROM reminders WHERE status = 1
        AND (id = ?2 OR (id = ?1 AND recurrenceRule IS NOT NULL)))
      """, .integer(Int64(id)), .integer(Int64(parent)))
    // The time of the file, which the change has replaced.
    try Reminder.find(id).update { $0.updatedAt = updated }.execute(db)
  }

  /// A subtask of another program may be below itself, or too deep, or its parent may be elsewhere.
  /// Then it has no parent here, and the UID is stored.
  private mutating func setParent(of id: Int, _ uids: [String]) throws {
    guard let uid = uids.first,
      let list = try Reminder.find(id).select(\.remindersListID).fetchOne(db)
    else { return }
    for uid in uids {
      guard let parent = try ReminderRepository.withUID(uid, in: list).fetchOne(db),
        try AwaitedParents.canBe(parent, parentOf: id, db)
      else { continue }
      return try setParent(of: id, parent)
    }
    try AwaitedParents.wait(id, for: uid, in: db)
    try noteParent(uid, of: id)
  }

  /// Notes that a reminder is not below the parent that the transfer names.
  private mutating func noteParent(_ uid: String, of id: Int) throws {
    guard let row = try Reminder.find(id).fetchOne(db) else { return }
    let parent = uid.unicodeScalars.count > 100 ? "its parent" : "“\(uid)”"
    note(
      row.uid, row.title,
      "It is not below \(parent), which is not in the list, or would have over five levels.")
  }

  /// Puts the changed reminders below the parents that the transfer names. One that says nothing
  /// stays below a parent that names it.
  mutating func setParentsOfChanged() throws {
    let named = Dictionary(parents.map { ($0.id, Set($0.children)) }) { $0.union($1) }
    for (id, said) in changed {
      if said.parentUID == nil, let row = try Reminder.find(id).fetchOne(db), let uid = row.uid,
        let parent = row.parentID, named[parent]?.contains(uid) == true
      {
        continue
      }
      try CalendarRepository.setParent(of: id, said, db)
      let parent = try Reminder.find(id).select(\.parentID).fetchOne(db) ?? nil
      if parent == nil, let uid = said.parentUID { try noteParent(uid, of: id) }
    }
  }

  /// Puts reminders that name no parent below the ones that name them.
  func adopt() throws {
    for (id, children) in parents {
      for uid in children {
        guard let child = try CalendarRepository.child(uid, below: id, db) else { continue }
        try setParent(of: child, id)
      }
    }
    for id in orphans { try CalendarRepository.adopt(id, db) }
  }
}
