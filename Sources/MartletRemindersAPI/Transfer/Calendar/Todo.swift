import MartletICalendar
import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletTime

/// Builds a reminder from the content lines of a to-do.
struct Todo {
  private var members: [JSONObject.Member] = []
  private var tags: [String] = []
  private var dates = TodoDates()
  private var isDone: Bool?
  /// The UID of the parent, and the line that names it.
  private var parent: (uid: String, line: String)?
  /// The title of the list, if the to-do names it.
  private(set) var list: String?
  /// The lines without a corresponding field, which are stored unchanged.
  var kept = KeptLines()
  private var size = 0

  /// Reads a line.
  ///
  /// - Parameter zone: Returns the time zone of a name, or the default zone for `nil`.
  mutating func read(
    _ line: ContentLine, zone: (String?) throws(APIProblem) -> ZoneInfo
  ) throws(APIProblem) {
    switch line.name {
    case "SUMMARY": set("title", .string(ContentLine.text(line.value)))
    case "DESCRIPTION": set("notes", .string(ContentLine.text(line.value)))
    case "UID":
      // Kept as well, because it may have parameters, or may not be a UID here.
      let uid = ContentLine.text(line.value)
      if UIDRule.isValid(uid) { set("uid", .string(uid)) }
      try keep(line)
    case "RELATED-TO":
      if parent == nil, line.namesParent {
        parent = (ContentLine.text(line.value), line.text)
      }
      try keep(line)
    case "CREATED": setInstant("createdAt", line)
    case "LAST-MODIFIED": setInstant("updatedAt", line)
    case "CATEGORIES": try add(tags: line)
    case ICalendar.Name.list: list = ContentLine.text(line.value)
    case ICalendar.Name.flag: set("isFlagged", .bool(line.value.uppercased() == "TRUE"))
    case "PRIORITY":
      if let priority = Todo.priority(line.value) { set("priority", .string(priority.label)) }
      if line.value != Todo.priority(line.value).map(Todo.number) { try keep(line) }
    case "STATUS":
      isDone = Todo.isDone(line.value)
      if !["COMPLETED", "NEEDS-ACTION"].contains(line.value.uppercased()) { try keep(line) }
    case "COMPLETED":
      isDone = isDone ?? true
      setInstant("completedAt", line)
      try keep(line)
    // The time when the file was made.
    case "DTSTAMP": break
    default: if try !dates.read(line, zone: zone) { try keep(line) }
    }
  }

  /// Stores a line unchanged.
  mutating func keep(_ line: ContentLine) throws(APIProblem) {
    try count(line.text)
    kept.add(line)
  }

  /// Adds the length of a stored text. Throws if the to-do stores too much.
  mutating func count(_ text: String) throws(APIProblem) {
    size += text.utf8.count + 1
    guard size <= KeptLines.longest else {
      throw APIProblem(
        .invalidBody,
        "The to-do has more than \(KeptLines.longest >> 20) MiB of properties that Martlet has no field for."
      )
    }
  }

  private mutating func set(_ name: String, _ value: JSONValue) {
    members.removeAll { $0.name == name }
    members.append(.init(name: name, value: value))
  }

  /// Sets a time. An invalid time is ignored, because it is no reason to refuse the file.
  private mutating func setInstant(_ name: String, _ line: ContentLine) {
    // Some programs omit the Z.
    guard let instant = CalendarTime.instant(line.value, in: .utc) else { return }
    set(name, .string(RFC3339.string(instant)))
  }

  /// Adds tags. Tags beyond the limit of five, and titles that are not valid tags, are stored
  /// unchanged.
  private mutating func add(tags line: ContentLine) throws(APIProblem) {
    let isExact = line.parameter(ICalendar.Name.exact) != nil
    var others: [String] = []
    for text in ContentLine.texts(line.value) {
      // Many programs write a space after the comma.
      let title = isExact ? text : String(text.unicodeScalars.drop { $0 == " " })
      if case .success(let tag) = TagTitle.read(title) {
        if tags.contains(where: { Tag.key($0) == Tag.key(tag) }) { continue }
        if tags.count < Reminder.mostTags {
          tags.append(tag)
          continue
        }
      }
      if !title.isEmpty { others.append(title) }
    }
    guard !others.isEmpty else { return }
    let kept: ContentLine
    do throws(CalendarError) { kept = try ContentLine(Todo.categories(others)) } catch {
      throw APIProblem(error)
    }
    try keep(kept)
  }

  /// The line `CATEGORIES:car,home`.
  ///
  /// It is marked if a title begins with a space, because readers drop a space there.
  static func categories(_ titles: [String]) -> String {
    let isExact = titles.contains { $0.utf8.first == UInt8(ascii: " ") }
    return (isExact ? "CATEGORIES;\(ICalendar.Name.exact)=TRUE:" : "CATEGORIES:")
      + titles.map(ContentLine.escaped).joined(separator: ",")
  }

  /// Reads the dates, which depend on each other. Call it after the last line.
  mutating func readDates() throws(APIProblem) {
    let (members, others) = dates.members()
    self.members += members
    for line in others { try keep(line) }
  }

  /// The reminder.
  ///
  /// - Parameter list: The ID of its list in the transfer.
  func reminder(in list: Int) throws(APIProblem) -> TransferReminder {
    var members = members
    if !members.contains(where: { $0.name == "title" }) {
      members.append(.init(name: "title", value: .string("")))
    }
    members.append(.init(name: "listID", value: .integer(Int64(list))))
    members.append(.init(name: "tags", value: .array(tags.map { .string($0) })))
    if isDone == true { members.append(.init(name: "status", value: .string("completed"))) }
    var body = Body(JSONObject(members: members), calling: "The to-do")
    var reminder = ReminderBody.transfer(&body)
    try body.finish()
    let text = kept.text
    if !text.isEmpty { reminder.calendar = text }
    (reminder.parentUID, reminder.parentLine) = (parent?.uid, parent?.line)
    return reminder
  }

  // MARK: Values

  /// The priority for a value of `PRIORITY` (section 3.8.1.9): 1 is the highest, 9 the lowest, 0
  /// none.
  static func priority(_ value: String) -> Reminder.Priority? {
    switch Int(value) {
    case 1?, 2?, 3?, 4?: .high
    case 5?: .medium
    case 6?, 7?, 8?, 9?: .low
    default: nil
    }
  }

  /// The value of `PRIORITY` for a priority.
  static func number(_ priority: Reminder.Priority) -> String {
    switch priority {
    case .high: "1"
    case .medium: "5"
    case .low: "9"
    }
  }

  /// Whether a value of `STATUS` means that the reminder is completed.
  static func isDone(_ status: String) -> Bool {
    ["COMPLETED", "CANCELLED"].contains(status.uppercased())
  }
}

extension ContentLine {
  /// Whether a `RELATED-TO` names the parent, as it does without `RELTYPE` (RFC 5545 section
  /// 3.2.15).
  var namesParent: Bool { (parameter("RELTYPE") ?? "PARENT").uppercased() == "PARENT" }
}
