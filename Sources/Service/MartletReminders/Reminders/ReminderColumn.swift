import MartletQueryBuilder

/// A column of `reminders` that a client sets. What a change of it means for others is printed from
/// ``all``: the columns that touch a reminder, its calendar text, and the trash.
///
/// `ReminderColumnTests` names the other columns, which the database or a trigger sets.
struct ReminderColumn: Sendable {
  /// The name of the column.
  let name: String
  /// Its member in the content of an entry of the trash; `nil` if the entry has a column for it.
  let key: String?
  /// The value that is restored from an entry without this member, in SQL.
  let missing: String?

  private init(_ name: String, key: String?, missing: String? = nil) {
    self.name = name
    self.key = key
    self.missing = missing
  }

  private init(_ name: String) { self.init(name, key: name) }

  /// The columns. Each is shown by the text of the calendar object; the list of a reminder, its
  /// parent and its position are not.
  static let all = [
    ReminderColumn("title", key: nil), ReminderColumn("notes"), ReminderColumn("dueDate"),
    ReminderColumn("startDate"), ReminderColumn("timeZone"),
    ReminderColumn("recurrenceRule", key: "rule"),
    ReminderColumn("recurrenceBasis", key: "basis", missing: "0"),
    ReminderColumn("recurrenceStart", key: "start"),
    ReminderColumn("recurrenceExcluded", key: "excluded"), ReminderColumn("priority"),
    ReminderColumn("isFlagged"), ReminderColumn("status"),
  ]

  /// The columns whose change sets `updatedAt` and adds a line to the feed.
  static let touching: [QueryFragment] =
    ["\"remindersListID\"", "\"parentID\""] + all.map { "\(raw: "\"\($0.name)\"")" }

  /// The values of a row, with commas, such as `old` in a trigger.
  static func values(of row: String) -> QueryFragment {
    "\(raw: all.map { "\(row).\"\($0.name)\"" }.joined(separator: ", "))"
  }

  // MARK: The trash

  /// The names and values of the members of an entry's content.
  static let members: QueryFragment =
    "\(raw: all.compactMap { column in column.key.map { "'\($0)', \(column.name)" } }.joined(separator: ", "))"

  /// The names of the columns that are restored from the content of an entry.
  static let restoredNames =
    all.compactMap { $0.key == nil ? nil : $0.name }.joined(separator: ", ")

  /// Their values.
  static let restoredValues = all.compactMap { column in
    column.key.map { key in
      column.missing.map { "coalesce(content ->> '\(key)', \($0))" } ?? "content ->> '\(key)'"
    }
  }.joined(separator: ", ")
}
