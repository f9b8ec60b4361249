import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// Reads, restores and erases what was deleted. Every function that takes a connection runs in that
/// connection's transaction.
public enum TrashRepository {
  /// A page of entries, the newest first. Throws ``InvalidCursor`` if the cursor belongs to another
  /// collection.
  ///
  /// - Parameter keep: How long an entry is kept.
  public static func page(
    _ request: PageRequest, among lists: ListExtent, keep: Duration
  ) throws(InvalidCursor) -> PageQuery {
    let fingerprint = Fingerprint("trash").value
    let after = try request.keys(for: fingerprint)
    var condition: QueryFragment?
    if let after {
      guard after.count == 2, let time = after[0].text, let id = after[1].integer else {
        throw InvalidCursor()
      }
      condition = """
        ((\(TrashEntry.columns.deletedAt), \(TrashEntry.columns.id)) < (\(bind: time), \(bind: id)))
        """
    }
    let shown = entries(among: lists)
    return PageQuery(
      segments: [
        { [condition] limit in
          shown
            .where { _ in if let condition { SQLQueryExpression<Bool>(condition) } }
            .order { ($0.deletedAt.desc(), $0.id.desc()) }
            .limit(limit)
            .select { $0.item(keep: keep) }
            .query(hiding: [TrashEntry.columns.deletedAt, TrashEntry.columns.id])
        }
      ],
      keyCount: 2, limit: request.limit, fingerprint: fingerprint,
      total: request.wantsTotal ? shown.count.query : nil)
  }

  /// The entries that are not part of another one.
  private static func entries(among lists: ListExtent) -> Where<TrashEntry> {
    TrashEntry.where { entry in
      // An index of these rows is only used for this text.
      #sql("\(entry.entryID) IS NULL", as: Bool.self)
      if let extent = lists.condition(entry.listID) { extent }
    }
  }

  // MARK: Restoring

  /// The largest number of reminders of an entry that is restored in one transaction.
  static let mostAtOnce = 5_000
  /// The number of reminders restored at a time of a larger one.
  static let portion = 500

  /// Restores a portion of an entry that has too many reminders for one transaction. Returns false
  /// if it does not have too many. Throws like ``restore(_:into:among:in:)``.
  public static func restorePortion(
    _ id: Int, into list: Int? = nil, among lists: ListExtent = .all, in db: Connection
  ) throws -> Bool {
    let contained = TrashEntry.where { $0.entryID.eq(id) }
    guard try contained.limit(1, offset: mostAtOnce).select(\.id).fetchOne(db) != nil else {
      return false
    }
    return try reading(id) {
      let entry = try stored(id, among: lists, in: db)
      let target = try restoreItself(entry, into: list, among: lists, in: db)
      try restoreContained(entry, into: target, most: portion, in: db)
      return true
    }
  }

  /// Restores an entry under the ID that it had, and returns the kind and the ID.
  ///
  /// Throws ``DomainError/notFound(_:)`` if there is no such entry in `lists`, and
  /// ``DomainError/listIsGone(_:)`` for a reminder whose list does not exist, unless `list` says
  /// where it goes, ``DomainError/idExists(_:)`` if another program has used an ID again, and
  /// ``DomainError/unreadable(_:)`` if one has spoiled the entry.
  public static func restore(
    _ id: Int, into list: Int? = nil, among lists: ListExtent = .all, in db: Connection
  ) throws -> (kind: ChangeKind, id: Int) {
    try reading(id) {
      let entry = try stored(id, among: lists, in: db)
      let target = try restoreItself(entry, into: list, among: lists, in: db)
      try restoreContained(entry, into: target, in: db)
      try TrashEntry.find(id).delete().execute(db)
      return (entry.kind, entry.itemID)
    }
  }

  /// Runs the restore of an entry. Its content is what triggers have written, or another program:
  /// what no row can have is an error of the entry.
  private static func reading<Result>(_ id: Int, _ restore: () throws -> Result) throws -> Result {
    do {
      return try restore()
    } catch is RowDecodingError {
      throw DomainError.unreadable(.trash(id))
    } catch let error as SQLiteError
      where error.isOfValues && RuleViolation(rawValue: error.brokenRule) == nil
    {
      throw DomainError.unreadable(.trash(id))
    }
  }

  private static func stored(
    _ id: Int, among lists: ListExtent, in db: Connection
  ) throws -> TrashEntry {
    guard let entry = try entries(among: lists).where({ $0.id == id }).fetchOne(db) else {
      throw DomainError.notFound(.trash(id))
    }
    return entry
  }

  /// Restores the list or the reminder of an entry, unless a portion of the entry was restored
  /// before. Returns the list that the rest is restored in.
  private static func restoreItself(
    _ entry: TrashEntry, into list: Int?, among lists: ListExtent, in db: Connection
  ) throws -> Int {
    switch entry.kind {
    case .list:
      if try !isRestored(entry, in: db) { try restoreList(entry, in: db) }
      return entry.itemID
    case .reminder:
      let target = list ?? entry.listID
      guard try lists.contains(target) && RemindersList.exists(target, in: db) else {
        if list != nil { throw RuleViolation.unknownList }
        throw DomainError.listIsGone(entry.listID)
      }
      if try !isRestored(entry, in: db) { try restoreReminder(entry, into: target, in: db) }
      return target
    case .smartList:
      // The trash has none.
      throw DomainError.notFound(.trash(entry.id))
    }
  }

  /// Whether the row of an entry is there. Throws ``DomainError/idExists(_:)`` if it is another
  /// one: a program can insert a row with the ID of a deleted one.
  private static func isRestored(_ entry: TrashEntry, in db: Connection) throws -> Bool {
    let table = entry.kind == .list ? RemindersList.tableName : Reminder.tableName
    let isItself = try db.value(
      "SELECT createdAt IS ?2 ->> 'createdAt' FROM \(table) WHERE id = ?1",
      .integer(Int64(entry.itemID)), .text(entry.content))
    if isItself?.integer == 0 {
      throw DomainError.idExists(
        entry.kind == .list ? .list(entry.itemID) : .reminder(entry.itemID))
    }
    return isItself != nil
  }

  private static func restoreList(_ entry: TrashEntry, in db: Connection) throws {
    let id = Value.integer(Int64(entry.id))
    try db.run(
      """
      INSERT INTO remindersLists
        (id, title, \(RemindersList.clientColumns.restoredNames), position, uid)
      SELECT itemID, title, \(RemindersList.clientColumns.restoredValues),
        content ->> 'position', CASE WHEN NOT EXISTS (
        SELECT 1 FROM remindersLists WHERE uid = content ->> 'uid') THEN content ->> 'uid' END
      FROM trash WHERE id = ?
      """, id)
    try db.run(
      """
      UPDATE remindersLists SET createdAt = (SELECT content ->> 'createdAt' FROM trash WHERE id = ?1)
      WHERE id = (SELECT itemID FROM trash WHERE id = ?1)
      """, id)
    // A name that was given again is not restored. What the feed has forgotten of the list is not
    // known any more, but it is not later than all that it has forgotten.
    try db.run(
      """
      INSERT INTO calendarCollections (listID, name, properties, horizon)
      SELECT itemID, CASE WHEN NOT EXISTS (
        SELECT 1 FROM calendarCollections WHERE name = content ->> 'name') THEN content ->> 'name' END,
        content ->> 'properties', (SELECT horizon FROM feedState)
      FROM trash WHERE id = ?
      """, id)
  }

  /// Restores the reminders that are a part of an entry, parents before their subtasks.
  private static func restoreContained(
    _ entry: TrashEntry, into list: Int, most: Int = .max, in db: Connection
  ) throws {
    let contained = TrashEntry.where { $0.entryID.eq(entry.id) }
    var rest = most
    while rest > 0 {
      var rows =
        try contained
        .where {
          #sql(
            """
            \($0.parentID) IS NULL \
            OR EXISTS (SELECT 1 FROM reminders WHERE reminders.id = \($0.parentID))
            """, as: Bool.self)
        }
        .order { $0.id }.limit(min(rest, portion)).fetchAll(db)
      // Then what is left has lost its parent.
      if rows.isEmpty {
        rows = try contained.order { $0.id }.limit(min(rest, portion)).fetchAll(db)
      }
      guard !rows.isEmpty else { return }
      for row in rows {
        if try Reminder.find(row.itemID).exists(in: db) {
          throw DomainError.idExists(.reminder(row.itemID))
        }
        try restoreReminder(row, into: list, in: db)
        try TrashEntry.find(row.id).delete().execute(db)
      }
      rest -= rows.count
    }
  }

  /// Inserts the row of a reminder, its tags and its calendar object. In another list it comes
  /// last. It has its parent again if that is in the list.
  /// A UID that another reminder of the list has by now is replaced. Its completions are still
  /// there: they are deleted when the entry is erased.
  private static func restoreReminder(
    _ entry: TrashEntry, into list: Int, in db: Connection
  ) throws {
    let id = Value.integer(Int64(entry.id))
    let list = Value.integer(Int64(list))
    let newest =
      try Completion.where { $0.reminderID == entry.itemID }.select { $0.id.max() }
      .fetchOne(db) ?? nil
    try db.run(
      """
      INSERT INTO reminders
        (id, remindersListID, title, \(Reminder.clientColumns.restoredNames), position, parentID, uid)
      SELECT itemID, ?2, title, \(Reminder.clientColumns.restoredValues),
        CASE WHEN listID = ?2 THEN content ->> 'position' END,
        CASE WHEN EXISTS (
          SELECT 1 FROM reminders AS parent
          WHERE parent.id = trash.parentID AND parent.remindersListID = ?2)
          AND \(Subtree.levelOfParent) < \(Subtree.mostLevels) THEN parentID END,
        CASE WHEN NOT EXISTS (
          SELECT 1 FROM reminders WHERE uid = content ->> 'uid' AND remindersListID = ?2)
        THEN content ->> 'uid' END
      FROM trash WHERE id = ?1
      """, id, list)
    try db.run(
      """
      INSERT INTO tags SELECT value FROM trash, json_each(content, '$.tags') WHERE trash.id = ?
      ON CONFLICT DO NOTHING
      """, id)
    try db.run(
      """
      INSERT INTO remindersTags (reminderID, tagID)
      SELECT itemID, value FROM trash, json_each(content, '$.tags') WHERE trash.id = ?
      """, id)
    // When they ring next is worked out again: what has passed meanwhile does not ring. An ID that
    // another program has used again is replaced.
    try db.run(
      """
      INSERT INTO alarms (reminderID, isStale, \(ReminderAlarm.keptColumns.joined(separator: ", ")))
      SELECT itemID, \(keptAlarm("state")) = 0, \(restoredAlarm)
      FROM trash, json_each(content, '$.alarms') WHERE trash.id = ?
      """, id)
    try db.run(
      """
      UPDATE reminders SET (createdAt, completedAt) = (
        SELECT content ->> 'createdAt', coalesce(content ->> 'completedAt', completedAt)
        FROM trash WHERE id = ?1)
      WHERE id = (SELECT itemID FROM trash WHERE id = ?1)
      """, id)
    // After everything that would make its text anew. A name that was given again is not restored,
    // and neither is a text with another UID, or another parent, than it has now. It waits for a
    // parent that is not there.
    try db.run(
      """
      INSERT INTO calendarObjects (reminderID, name, parentUID, raw, lines)
      SELECT itemID, CASE WHEN NOT EXISTS (
        SELECT 1 FROM calendarObjects CROSS JOIN reminders
          ON reminders.id = reminderID AND remindersListID = ?2
        WHERE name = content ->> 'name') THEN content ->> 'name' END,
        CASE WHEN restored.parentID IS NULL THEN content ->> 'parentUID' END,
        CASE WHEN restored.uid = content ->> 'uid' AND (restored.parentID IS NULL OR (
          SELECT uid FROM reminders AS parent WHERE parent.id = restored.parentID)
          = content ->> 'parentUID') THEN content ->> 'raw' END,
        content ->> 'lines'
      FROM trash JOIN reminders AS restored ON restored.id = itemID WHERE trash.id = ?1 AND coalesce(
        content ->> 'lines', content ->> 'raw', content ->> 'name', content ->> 'parentUID')
        IS NOT NULL
      """, id, list)
    try AwaitedParents.join(around: entry.itemID, in: db)
    // The insert of a completed reminder has recorded a completion. The old record has it already.
    if let newest {
      try Completion.where { $0.reminderID == entry.itemID && $0.id > newest }.delete().execute(db)
    }
  }

  /// The value of a column of an alarm in the trash, in SQL.
  private static func keptAlarm(_ column: String) -> String {
    "value ->> \(ReminderAlarm.keptColumns.firstIndex(of: column) ?? -1)"
  }

  /// The values of ``ReminderAlarm/keptColumns``. Only a snoozed alarm rings when it was to ring.
  private static let restoredAlarm = ReminderAlarm.keptColumns.map { column in
    let value = keptAlarm(column)
    return switch column {
    case "id": "CASE WHEN NOT EXISTS (SELECT 1 FROM alarms WHERE id = \(value)) THEN \(value) END"
    case "fireAt": "CASE WHEN \(keptAlarm("state")) = 2 THEN \(value) END"
    case "armedFor": "CASE WHEN \(keptAlarm("state")) <> 0 THEN \(value) END"
    default: value
    }
  }.joined(separator: ", ")

  // MARK: Erasing

  /// Erases an entry and what is part of it. Throws ``DomainError/notFound(_:)`` if there is no
  /// such entry in `lists`.
  public static func erase(_ id: Int, among lists: ListExtent, in db: Connection) throws {
    guard try entries(among: lists).where({ $0.id == id }).select(\.id).fetchOne(db) != nil else {
      throw DomainError.notFound(.trash(id))
    }
    try TrashEntry.where { $0.id == id || $0.entryID.eq(id) }.delete().execute(db)
  }

  /// Erases a portion of the entries in `lists`. Returns false if the last of them were erased.
  public static func erasePortion(among lists: ListExtent, in db: Connection) throws -> Bool {
    let ids =
      try TrashEntry
      .where { if let extent = lists.condition($0.listID) { extent } }
      .order { $0.id }.limit(mostAtOnce).select(\.id).fetchAll(db)
    try TrashEntry.where { $0.id.in(ids) }.delete().execute(db)
    return ids.count == mostAtOnce
  }

  static func entries(of kind: ChangeKind, _ item: Int) -> Where<TrashEntry> {
    TrashEntry.where { $0.itemID == item && $0.kind == kind }
  }

  /// Erases the entry of an item that was deleted in the same transaction.
  static func erase(_ kind: ChangeKind, _ item: Int, in db: Connection) throws {
    for id in try entries(of: kind, item).select(\.id).fetchAll(db) {
      try TrashEntry.where { $0.id == id || $0.entryID.eq(id) }.delete().execute(db)
    }
  }
}

extension TrashEntry.TableColumns {
  fileprivate func item(keep: Duration) -> TrashItem.Columns {
    let seconds = String(keep.components.seconds)
    // Another program may have left any value.
    return TrashItem.Columns(
      id: id, kind: SQLQueryExpression("iif(\(kind) = 1, 1, 2)"), itemID: itemID, listID: listID,
      title: title,
      deletedAt: SQLQueryExpression(
        "iif(\(ValueRule.isTime("\(deletedAt)")), \(deletedAt), '0001-01-01 00:00:00.000')"),
      expiresAt: SQLQueryExpression(
        "strftime('%Y-%m-%d %H:%M:%f', \(deletedAt), '+\(raw: seconds) seconds')"),
      contains: SQLQueryExpression(
        "(SELECT count(*) FROM trash AS part WHERE part.entryID = \(id))"))
  }
}

extension SQLiteError {
  /// Whether a value is the reason: a constraint or a type refuses it, or it is no JSON.
  fileprivate var isOfValues: Bool {
    isConstraint || symbol == "SQLITE_MISMATCH" || symbol == "SQLITE_ERROR"
  }
}
