import MartletQueryBuilder

/// A column that a client sets. What a change of it means for others is printed from the lists of
/// these: the columns that touch a row, the text of a calendar object, and the trash.
///
/// `ClientColumnTests` names the other columns, which the database or a trigger sets.
struct ClientColumn: Sendable {
  /// The name of the column.
  let name: String
  /// Its member in the content of an entry of the trash; `nil` if the entry has a column for it.
  let key: String?
  /// The value that is restored from an entry without this member, in SQL.
  let missing: String?

  fileprivate init(_ name: String, key: String?, missing: String? = nil) {
    self.name = name
    self.key = key
    self.missing = missing
  }

  fileprivate init(_ name: String) { self.init(name, key: name) }
}

extension Reminder {
  /// The columns that clients set. Each is shown by the text of the calendar object; the list of a
  /// reminder, its parent and its position are not.
  static let clientColumns = [
    ClientColumn("title", key: nil), ClientColumn("notes"), ClientColumn("dueDate"),
    ClientColumn("startDate"), ClientColumn("timeZone"),
    ClientColumn("recurrenceRule", key: "rule"),
    ClientColumn("recurrenceBasis", key: "basis", missing: "0"),
    ClientColumn("recurrenceStart", key: "start"),
    ClientColumn("recurrenceExcluded", key: "excluded"), ClientColumn("priority"),
    ClientColumn("isFlagged"), ClientColumn("status"),
  ]
}

extension RemindersList {
  /// The columns that clients set, besides the position.
  static let clientColumns = [ClientColumn("title", key: nil), ClientColumn("color")]
}

extension SmartList {
  /// The columns that clients set, besides the position. The trash has no smart lists.
  static let clientColumns = ["title", "color", "icon", "filter", "sort"].map {
    ClientColumn($0, key: nil)
  }
}

extension ReminderAlarm {
  /// The columns that clients set: when it rings.
  static let clientColumns = ["at", "anchor", "offset", "repeatEvery", "repeatTimes"].map {
    ClientColumn($0, key: nil)
  }
  /// The columns that clients set by what they do with an alarm that has rung.
  static let answerColumns = ["snoozedUntil", "acknowledgedAt"].map { ClientColumn($0, key: nil) }
  /// The columns in the trash, in the order of the array of an alarm: a new one comes last.
  static let keptColumns = [
    "id", "at", "anchor", "offset", "repeatEvery", "repeatTimes", "state", "fireAt", "rung",
    "firedAt", "snoozedUntil", "acknowledgedAt", "armedFor",
  ]
}

extension [ClientColumn] {
  /// The names, for the `UPDATE OF` of a trigger.
  var names: [QueryFragment] { map { "\(raw: "\"\($0.name)\"")" } }

  /// The values of a row, with commas, such as `old` in a trigger.
  func values(of row: String) -> QueryFragment {
    "\(raw: map { "\(row).\"\($0.name)\"" }.joined(separator: ", "))"
  }

  // MARK: The trash

  /// The names and values of the members of an entry's content.
  ///
  /// - Parameter row: The row, such as `old` in a trigger; `nil` for that of the statement.
  func members(of row: String? = nil) -> QueryFragment {
    let prefix = row.map { "\($0)." } ?? ""
    return
      "\(raw: compactMap { column in column.key.map { "'\($0)', \(prefix)\(column.name)" } }.joined(separator: ", "))"
  }

  /// The names of the columns that are restored from the content of an entry.
  var restoredNames: String {
    compactMap { $0.key == nil ? nil : $0.name }.joined(separator: ", ")
  }

  /// Their values.
  var restoredValues: String {
    compactMap { column in
      column.key.map { key in
        column.missing.map { "coalesce(content ->> '\(key)', \($0))" } ?? "content ->> '\(key)'"
      }
    }.joined(separator: ", ")
  }
}
