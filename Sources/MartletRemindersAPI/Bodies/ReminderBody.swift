import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletTime

/// A reminder as a client sends it.
struct ReminderBody {
  var changes = ReminderRepository.Changes()
  var readOnly: [JSONObject.Member] = []

  /// What a page's cursor can hold, which goes into an URL.
  static let titleLengths = 0...1_000
  static let notesLengths = 0...100_000

  /// A new one. `list`: the path names it, and the body may repeat it.
  init(creating request: Request, in list: Int? = nil) throws(APIProblem) {
    var body = try Body(request)
    read(&body)
    if let list {
      if let other = changes.listID, other != list {
        body.fail("listID", "expected \(list) as in the path, or nothing; got \(other)")
      }
      changes.listID = list
    } else {
      body.require("listID", changes.listID != nil)
    }
    body.require("title", changes.title != nil)
    try body.finish()
    try ReminderBody.checkTags(changes)
  }

  /// A JSON Merge Patch (RFC 7396): what is not there stays, `null` clears.
  init(changing request: Request) throws(APIProblem) {
    var body = try Body(request)
    read(&body)
    body.readOnly("id", "position", "createdAt", "updatedAt")
    readOnly = body.readOnly
    try body.finish()
    try ReminderBody.checkTags(changes)
  }

  /// One of a transfer, with its times. The rest of the body, and ``checkTags(_:)``, are the caller's.
  static func transfer(_ body: inout Body) -> TransferReminder {
    var reminder = ReminderBody()
    reminder.read(&body)
    body.require("listID", reminder.changes.listID != nil)
    body.require("title", reminder.changes.title != nil)
    return TransferReminder(
      id: body.integer("id"), reminder.changes, createdAt: body.instant("createdAt"),
      updatedAt: body.instant("updatedAt"))
  }

  /// Throws for more tags than a reminder may have. Asked when the body is known to be right: it is another problem than
  /// a member that cannot be taken.
  static func checkTags(_ changes: ReminderRepository.Changes) throws(APIProblem) {
    guard (changes.tags?.count ?? 0) <= Reminder.mostTags else { throw .tooManyTags }
  }

  private init() {}

  private mutating func read(_ body: inout Body) {
    changes.listID = body.integer("listID")
    changes.title = body.string("title", ReminderBody.titleLengths)
    changes.notes = body.string("notes", ReminderBody.notesLengths)
    changes.dueDate = dueDate(&body)
    changes.priority = body.nullableOneOf(
      "priority", Reminder.Priority.allCases.map { ($0.label, $0) })
    changes.isFlagged = body.bool("isFlagged")
    changes.status = body.oneOf("status", Reminder.Status.allCases.map { ($0.label, $0) })
    var tags = ReminderTags()
    changes.tags = body.strings("tags", until: { $0.count > Reminder.mostTags }) { tags.add($0) }
  }

  private func dueDate(_ body: inout Body) -> DueDate?? {
    guard let value = body.nullableString("dueDate", 0...64) else { return nil }
    guard let text = value else { return .some(nil) }
    do throws(RFC3339.Problem) {
      return try DueDate(text)
    } catch {
      body.fail(
        "dueDate",
        "expected a date (2026-11-20), an instant (2026-11-20T15:36:00Z) or null: \(error)")
      return nil
    }
  }
}
