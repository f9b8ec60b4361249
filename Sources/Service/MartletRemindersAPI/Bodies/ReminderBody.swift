import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletTime

/// The body of a request that creates or changes a reminder.
struct ReminderBody {
  /// The fields to set.
  var values = ReminderRepository.Values()
  /// Read-only members of the body, which must equal the stored values.
  var readOnly: [JSONObject.Member] = []

  /// Whether it is a record of an import.
  private var isTransfer = false

  /// The allowed lengths of a title. A page cursor contains the title, and must fit into a URL.
  static let titleLengths = 0...1_000
  /// The allowed lengths of the notes.
  static let notesLengths = 0...100_000

  /// Reads the body of a request that creates a reminder.
  ///
  /// - Parameter list: The list in the path, which the body may repeat. If it is `nil`, the body
  ///   must name the list.
  init(creating request: Request, in list: Int? = nil) throws(APIProblem) {
    var body = try Body(request)
    read(&body)
    values.uid = body.uid()
    if let list {
      if let other = values.listID, other != list {
        body.fail("listID", "expected \(list) as in the path, or no listID; got \(other)")
      }
      values.listID = list
    } else if (values.parentID ?? nil) == nil {
      // A subtask is in the list of its parent.
      body.require("listID", values.listID != nil)
    }
    body.require("title", values.title != nil)
    try body.finish()
    try ReminderBody.checkTags(values)
  }

  /// Reads a JSON Merge Patch (RFC 7396). Absent members stay unchanged; `null` clears a member.
  init(changing request: Request) throws(APIProblem) {
    var body = try Body(request)
    read(&body)
    body.readOnly("id", "uid", "position", "completedAt", "subtasks", "createdAt", "updatedAt")
    readOnly = body.readOnly
    try body.finish()
    try ReminderBody.checkTags(values)
  }

  /// Reads a reminder of an import, including its times.
  ///
  /// The caller reads the other members, calls `finish()` and ``checkTags(_:)``.
  static func transfer(_ body: inout Body) -> TransferReminder {
    var reminder = ReminderBody()
    reminder.isTransfer = true
    reminder.read(&body)
    reminder.values.uid = body.uid()
    body.require("listID", reminder.values.listID != nil)
    body.require("title", reminder.values.title != nil)
    var transfer = TransferReminder(
      id: body.integer("id"), reminder.values, createdAt: body.instant("createdAt"),
      updatedAt: body.instant("updatedAt"), completedAt: body.instant("completedAt"))
    let alarms = AlarmBody.transfer(&body)
    (transfer.alarms, transfer.namesAlarms) = (alarms ?? [], alarms != nil)
    // A table may have the time alone.
    if transfer.completedAt != nil, transfer.values.status == nil {
      transfer.values.status = .completed
    }
    return transfer
  }

  /// Reads a completion of an import; `nil` if a member is missing or invalid.
  static func completion(_ body: inout Body) -> TransferCompletion? {
    let reader = ReminderBody()
    let own = body.integer("id")
    let id = body.integer("reminderID")
    let title = body.string("title", ReminderBody.titleLengths)
    let due = reader.dueDate("dueDate", &body) ?? nil
    let startDate = reader.dueDate("startDate", &body) ?? nil
    let completed = body.instant("completedAt")
    let start = reader.dueDate("start", &body) ?? nil
    let rule = reader.rule(&body)
    let cause = body.integer("causeID")
    let subtasks = body.integers("subtasks")
    let kind = body.oneOf("kind", CompletionKind.allCases.map { ($0.label, $0) })
    body.require("reminderID", id != nil)
    body.require("title", title != nil)
    body.require("completedAt", completed != nil)
    body.require("kind", kind != nil)
    guard let id, let title, let completed, let kind else { return nil }
    var completion = TransferCompletion(
      reminderID: id, title: title, dueDate: due, startDate: startDate, completedAt: completed,
      kind: kind)
    completion.id = own
    (completion.rule, completion.start) = (rule, start)
    (completion.causeID, completion.subtasks) = (cause, subtasks ?? [])
    return completion
  }

  /// Throws ``APIProblem/tooManyTags`` if there are more tags than a reminder may have.
  ///
  /// Call it after the body was validated: an invalid body is reported first, as another problem
  /// type.
  static func checkTags(_ values: ReminderRepository.Values) throws(APIProblem) {
    guard (values.tags?.count ?? 0) <= Reminder.mostTags else { throw .tooManyTags }
  }

  private init() {}

  private mutating func read(_ body: inout Body) {
    values.listID = body.integer("listID")
    values.parentID = body.nullable("parentID", .integer(1...))
    values.title = body.string("title", ReminderBody.titleLengths)
    values.notes = body.string("notes", ReminderBody.notesLengths)
    values.startDate = dueDate("startDate", &body)
    values.dueDate = dueDate("dueDate", &body)
    values.timeZone = timeZone(&body)
    values.recurrence = body.nullableObject("recurrence", recurrence)
    values.priority = body.nullableOneOf(
      "priority", Reminder.Priority.allCases.map { ($0.label, $0) })
    values.isFlagged = body.bool("isFlagged")
    values.status = body.oneOf("status", Reminder.Status.allCases.map { ($0.label, $0) })
    if !isTransfer { values.alarms = AlarmBody.all(&body) }
    var tags = ReminderTags()
    values.tags = body.strings("tags", until: { $0.count > Reminder.mostTags }) { tags.add($0) }
  }

  private func dueDate(_ name: String, _ body: inout Body) -> DueDate?? {
    let expected = "\(ReminderBody.dateForms) or null"
    guard let value = body.nullableFormatted(name, expected) else { return nil }
    guard let text = value else { return .some(nil) }
    do throws(RFC3339.Problem) {
      return try DueDate(text)
    } catch {
      body.fail(name, "expected \(expected): \(error)")
      return nil
    }
  }

  private static let dateForms = "a date (2026-11-20), an instant (2026-11-20T15:36:00Z)"

  private func timeZone(_ body: inout Body) -> String?? {
    guard let value = body.nullableString("timeZone", 1...200) else { return nil }
    guard let name = value else { return .some(nil) }
    // It comes from a machine that may have other zones.
    if isTransfer, ValueRule.isZoneName(name) { return name }
    return body.zone(named: name).map { .some($0.identifier) }
  }

  private func recurrence(_ body: inout Body) -> Recurrence.Values {
    var values = Recurrence.Values()
    values.rule = rule(&body)
    values.basis = body.oneOf("basis", Recurrence.Basis.allCases.map { ($0.label, $0) })
    values.start = dueDate("start", &body)
    values.excluded = excluded(&body)
    return values
  }

  private func rule(_ body: inout Body) -> RecurrenceRule? {
    guard let text = body.string("rule", 1...RecurrenceRule.longest) else { return nil }
    do throws(RecurrenceRule.Problem) {
      return try RecurrenceRule(text)
    } catch {
      body.fail("rule", "expected a rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=MO: \(error)")
      return nil
    }
  }

  private func excluded(_ body: inout Body) -> [DueDate]? {
    let most = Recurrence.mostExcluded
    var dates: Set<DueDate> = []
    let texts = body.strings("excluded", until: { $0.count > most }) { text in
      do throws(RFC3339.Problem) {
        // A date that occurs again is left out.
        let date = try DueDate(text)
        return .success(dates.insert(date).inserted ? date.stored : nil)
      } catch {
        return .failure(FieldReason("expected \(ReminderBody.dateForms): \(error)"))
      }
    }
    guard let texts else { return nil }
    if texts.count > most { body.fail("excluded", "expected at most \(most) dates") }
    return texts.compactMap { DueDate(stored: $0) }.sorted { $0.stored < $1.stored }
  }
}

extension Body {
  /// Reads the member `uid` of a new list or reminder.
  mutating func uid() -> String? {
    guard let uid = string("uid", UIDRule.lengths) else { return nil }
    if UIDRule.hasControlCharacter(uid) { fail("uid", "contains a control character") }
    return uid
  }

  /// The time zone with this name, which the member `timeZone` has.
  mutating func zone(named name: String) -> ZoneInfo? {
    do throws(ZoneProblem) { return try ZoneDatabase.system.zone(named: name) } catch {
      fail("timeZone", "expected a time zone such as Europe/Vienna: \(error)")
      return nil
    }
  }
}
