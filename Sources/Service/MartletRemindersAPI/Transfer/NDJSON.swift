import MartletHTTP
import MartletICalendar
import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletTime

/// The export and import format newline-delimited JSON (https://github.com/ndjson/ndjson-spec).
///
/// Each line is an object with a `type`. The first and the last line tell a complete file from a
/// truncated one.
///
///     {"type":"martlet","version":1}
///     {"type":"list","id":2,"uid":"…","title":"Home","color":"#4a99ef",…}
///     {"type":"tag","title":"car"}
///     {"type":"reminder","id":7,"uid":"…","listID":2,"title":"Winter tyres",…,"tags":["car"],…}
///     {"type":"completion","id":3,"reminderID":7,"title":"Winter tyres",…,"kind":"completed"}
///     {"type":"smart-list","uid":"…","title":"Car",…,"filter":{"tag":"car"},"sort":null,…}
///     {"type":"end","lists":1,"tags":1,"reminders":1,"completions":1,"smartLists":1}
public enum NDJSON {
  private static let version = 1

  // MARK: Writing

  /// Writes the lines.
  struct Writer: TransferWriter {
    func begin(into buffer: ByteBuffer) { NDJSON.begin(into: buffer) }
    func write(_ record: TransferRecord, into buffer: ByteBuffer) {
      NDJSON.write(record, into: buffer)
    }
    func end(_ counts: TransferCounts, into buffer: ByteBuffer) { NDJSON.end(counts, into: buffer) }
  }

  private static func begin(into buffer: ByteBuffer) {
    JSONWriter.object(into: buffer) { object in
      object.member("type", "martlet")
      object.member("version", version)
    }
    buffer.append(0x0A)
  }

  private static func write(_ record: TransferRecord, into buffer: ByteBuffer) {
    JSONWriter.object(into: buffer) { object in
      switch record {
      case .list(let list): write(list, &object)
      case .tag(let title):
        object.member("type", "tag")
        object.member("title", title)
      case .reminder(let reminder): write(reminder, &object)
      case .completion(let completion): NDJSON.write(completion, &object)
      case .smartList(let list): write(list, &object)
      // Only calendars have them, and only to read.
      case .occurrence: break
      }
    }
    buffer.append(0x0A)
  }

  private static func end(_ counts: TransferCounts, into buffer: ByteBuffer) {
    JSONWriter.object(into: buffer) { object in
      object.member("type", "end")
      object.member("lists", counts.lists)
      object.member("tags", counts.tags)
      object.member("reminders", counts.reminders)
      object.member("completions", counts.completions)
      object.member("smartLists", counts.smartLists)
    }
    buffer.append(0x0A)
  }

  private static func write(_ list: TransferList, _ object: inout JSONObjectWriter) {
    object.member("type", "list")
    object.member("id", list.id)
    if let uid = list.uid { object.member("uid", uid) }
    object.member("title", list.title)
    object.member("color", ListColor.text(list.color))
    object.member("createdAt", list.createdAt.map { RFC3339.string($0) })
    object.member("updatedAt", list.updatedAt.map { RFC3339.string($0) })
  }

  private static func write(_ reminder: TransferReminder, _ object: inout JSONObjectWriter) {
    let values = reminder.values
    object.member("type", "reminder")
    object.member("id", reminder.id)
    if let uid = values.uid { object.member("uid", uid) }
    object.member("listID", values.listID)
    object.member("parentID", values.parentID ?? nil)
    object.member("title", values.title ?? "")
    object.member("notes", values.notes ?? "")
    object.member("startDate", (values.startDate ?? nil).map(\.description))
    object.member("dueDate", (values.dueDate ?? nil).map(\.description))
    object.member("timeZone", values.timeZone ?? nil)
    if let recurrence = values.recurrence ?? nil {
      object.member("recurrence") { write(recurrence, into: $0) }
    } else {
      object.member("recurrence", nil as String?)
    }
    object.member("priority", (values.priority ?? nil)?.label)
    object.member("isFlagged", values.isFlagged ?? false)
    object.member("status", (values.status ?? .incomplete).label)
    object.member("completedAt", reminder.completedAt.map { RFC3339.string($0) })
    object.member("tags", values.tags ?? [])
    object.member("alarms") { body in
      JSONWriter.array(into: body) { array in
        for alarm in reminder.alarms { array.element { write(alarm, into: $0) } }
      }
    }
    object.member("createdAt", reminder.createdAt.map { RFC3339.string($0) })
    object.member("updatedAt", reminder.updatedAt.map { RFC3339.string($0) })
    if let calendar = reminder.calendar { object.member("calendar", calendar) }
  }

  private static func write(_ alarm: TransferAlarm, into buffer: ByteBuffer) {
    JSONWriter.object(into: buffer) { object in
      alarm.trigger.writeMembers(&object)
      if let until = alarm.snoozedUntil { object.member("snoozedUntil", RFC3339.string(until)) }
      if let time = alarm.acknowledgedAt { object.member("acknowledgedAt", RFC3339.string(time)) }
    }
  }

  private static func write(_ recurrence: Recurrence.Values, into buffer: ByteBuffer) {
    JSONWriter.object(into: buffer) { object in
      object.member("rule", recurrence.rule?.description)
      object.member("basis", (recurrence.basis ?? .due).label)
      object.member("start", (recurrence.start ?? nil).map(\.description))
      object.member("excluded", (recurrence.excluded ?? []).map(\.description))
    }
  }

  private static func write(_ completion: TransferCompletion, _ object: inout JSONObjectWriter) {
    object.member("type", "completion")
    if let id = completion.id { object.member("id", id) }
    object.member("reminderID", completion.reminderID)
    object.member("title", completion.title)
    object.member("dueDate", completion.dueDate.map(\.description))
    object.member("startDate", completion.startDate.map(\.description))
    object.member("completedAt", RFC3339.string(completion.completedAt))
    object.member("kind", completion.kind.label)
    if let rule = completion.rule { object.member("rule", rule.description) }
    if let start = completion.start { object.member("start", start.description) }
    if let cause = completion.causeID { object.member("causeID", cause) }
    if !completion.subtasks.isEmpty { object.member("subtasks", completion.subtasks) }
  }

  private static func write(_ list: TransferSmartList, _ object: inout JSONObjectWriter) {
    let values = list.values
    object.member("type", "smart-list")
    if let uid = values.uid { object.member("uid", uid) }
    object.member("title", values.title ?? "")
    object.member("color", values.color.map { ListColor.text($0) })
    object.member("icon", values.icon ?? "")
    object.member("filter", values.filter ?? JSONObject())
    object.member("sort", values.sort ?? nil)
    object.member("createdAt", list.createdAt.map { RFC3339.string($0) })
    object.member("updatedAt", list.updatedAt.map { RFC3339.string($0) })
  }

  // MARK: Reading

  /// Reads the lines, and checks the first and the last one if the file has them.
  struct Reader: TransferReader {
    private(set) var line = 0
    private var hasBegun = false
    private var isFirst = true
    private var end: TransferCounts?
    private var counts = TransferCounts()

    private let depthLimit: Int

    init(depthLimit: Int = 64) { self.depthLimit = depthLimit }

    /// Reads a line. Empty lines, and the first and the last line, have no records.
    mutating func read(
      _ line: UnsafeBufferPointer<UInt8>
    ) throws(APIProblem) -> [TransferRecord] {
      self.line += 1
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return [] }
      guard end == nil else {
        throw APIProblem(.invalidBody, "There are more lines after the one of type end.")
      }
      if line.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "[") {
        throw APIProblem(
          .invalidBody,
          "The line begins an array, but NDJSON has one object per line: convert the array with jq -c '.[]'."
        )
      }
      var body = try Body(line: line, depthLimit: depthLimit)
      let kind = body.oneOf("type", Kind.allCases.map { ($0.rawValue, $0) })
      body.require("type", kind != nil)
      var record: TransferRecord?
      switch kind {
      case .martlet:
        hasBegun = true
        if !isFirst { body.fail("type", "martlet is only allowed on the first line") }
        let version = body.integer("version")
        body.require("version", version != nil)
        if let version, version != NDJSON.version {
          body.fail("version", "expected \(NDJSON.version): a newer program wrote this file")
        }
      case .list: record = list(&body).map { .list($0) }
      case .tag:
        switch body.string("title", 0...10_000).map(TagTitle.read) {
        case .success(let title)?: record = .tag(title)
        case .failure(let reason)?: body.fail("title", reason.detail)
        case nil: body.require("title", false)
        }
      case .reminder: record = .reminder(reminder(&body))
      case .completion: record = ReminderBody.completion(&body).map { .completion($0) }
      case .smartList: record = .smartList(SmartListBody.transfer(&body))
      case .end:
        var end = TransferCounts()
        end.lists = body.integer("lists") ?? 0
        end.tags = body.integer("tags") ?? 0
        end.reminders = body.integer("reminders") ?? 0
        // Files of before 0.2.0 have none.
        end.completions = body.integer("completions") ?? 0
        end.smartLists = body.integer("smartLists") ?? 0
        self.end = end
      case nil: break
      }
      isFirst = false
      try body.finish()
      if let record { counts.add(record) }
      return record.map { [$0] } ?? []
    }

    private func list(_ body: inout Body) -> TransferList? {
      let id = body.integer("id")
      body.require("id", id != nil)
      let title = body.string("title", ListBody.titleLengths)
      body.require("title", title != nil)
      let color = ListBody.color(&body)
      let uid = body.uid()
      let created = body.instant("createdAt")
      let updated = body.instant("updatedAt")
      guard let id, let title else { return nil }
      return TransferList(
        id: id, title: title, color: color, uid: uid, createdAt: created, updatedAt: updated)
    }

    private func reminder(_ body: inout Body) -> TransferReminder {
      var reminder = ReminderBody.transfer(&body)
      reminder.line = line
      reminder.calendar = body.string("calendar", 0...KeptLines.longest)
      if let calendar = reminder.calendar, !KeptLines.areLines(calendar) {
        body.fail("calendar", "expected content lines (RFC 5545 section 3.1)")
      }
      return reminder
    }

    /// Throws if the file is empty or incomplete. Call it after the last line.
    func finish() throws(APIProblem) {
      guard !isFirst else { throw APIProblem(.invalidBody, "The file is empty.") }
      guard let end else {
        guard hasBegun else { return }
        throw APIProblem(.invalidBody, "The file ends early: its last line is not there.")
      }
      guard end == counts else {
        throw APIProblem(
          .invalidBody,
          """
          The last line counts \(Count(end.lists, "list")), \(Count(end.tags, "tag")), \(Count(end.reminders, "reminder")), \
          \(Count(end.completions, "completion")) and \(Count(end.smartLists, "smart list")); \
          the file has \(counts.lists), \(counts.tags), \(counts.reminders), \(counts.completions) and \
          \(counts.smartLists).
          """)
      }
    }

    private enum Kind: String, CaseIterable {
      case martlet, list, tag, reminder, completion
      case smartList = "smart-list"
      case end
    }
  }
}
