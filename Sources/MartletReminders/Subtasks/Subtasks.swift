import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// What happens to the subtasks of a reminder that moves on to its next occurrence. Of a reminder
/// that stays completed, ``CompletionTriggers`` completes the subtasks.
struct Subtasks {
  private let below: Where<Reminder>
  private let belowSQL: QueryFragment

  /// The subtasks of a reminder, at all levels.
  init(of id: Int) {
    let below = Subtree.below("\(bind: id)")
    belowSQL = below
    self.below = Reminder.where { #sql("\($0.id) IN (\(below))", as: Bool.self) }
  }

  /// Makes all subtasks incomplete. Open ones are recorded as completed with the reminder, unless
  /// it was skipped. The records of completed ones stay.
  ///
  /// - Parameter cause: The record of the reminder, which remembers the completed subtasks.
  func begin(
    anew cause: Int, _ kind: CompletionKind, at now: Instant, in db: Connection
  ) throws {
    let done = try below.where { $0.status == .completed }.order { $0.id }.select(\.id).fetchAll(db)
    if kind == .completed {
      try db.statement(
        for: Query(
          """
          INSERT INTO completions (reminderID, title, dueDate, startDate, completedAt, kind, causeID) \
          SELECT id, title, dueDate, startDate, \(bind: SQLiteTime.string(now)), 0, \(bind: cause) \
          FROM reminders WHERE status <> 1 AND id IN (\(belowSQL)) ORDER BY id
          """)
      ).run()
    }
    // A trigger deletes the record of a completion that is undone. Here it is not undone.
    let records = try Completion.where { $0.reminderID.in(done) }.fetchAll(db)
    try below.where { $0.status != .incomplete }.update { $0.status = .incomplete }.execute(db)
    let kept = Set(try Completion.where { $0.reminderID.in(done) }.select(\.id).fetchAll(db))
    for record in records where !kept.contains(record.id) {
      try Completion.insert { record }.execute(db)
    }
    guard !done.isEmpty else { return }
    let list = "[" + done.map(String.init).joined(separator: ",") + "]"
    try Completion.find(cause).update { $0.subtasks = list }.execute(db)
  }

  /// Undoes it: subtasks that were completed are completed again, if they are still open.
  func undo(_ completion: Completion, in db: Connection) throws {
    // A reminder that has left the tree keeps its record.
    let caused = Completion.where { $0.causeID.eq(completion.id) }
    try caused.where { #sql("\($0.reminderID) IN (\(belowSQL))", as: Bool.self) }
      .delete().execute(db)
    try caused.update { $0.causeID = nil }.execute(db)
    let before = Set(
      (completion.subtasks ?? "").split { !$0.isNumber }.compactMap { Int($0) })
    guard !before.isEmpty else { return }
    let open = try below.where { $0.status == .incomplete }.select(\.id).fetchAll(db)
    let newest = try Completion.select { $0.id.max() }.fetchOne(db) ?? nil
    for id in open where before.contains(id) {
      let time = try Completion.where { $0.reminderID == id }.order { $0.id.desc() }.limit(1)
        .select(\.completedAt).fetchOne(db)
      try Reminder.where { $0.id == id && $0.status == .incomplete }.update {
        $0.status = .completed
        $0.completedAt = time
      }.execute(db)
    }
    // Triggers have completed what is below these, too.
    let others = open.filter { !before.contains($0) }
    try Reminder.where { $0.id.in(others) && $0.status == .completed }
      .update { $0.status = .incomplete }.execute(db)
    // They have their old records.
    try Completion.where { $0.id > (newest ?? 0) }.delete().execute(db)
  }
}
