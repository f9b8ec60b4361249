import MartletQueryBuilder
import MartletTime

/// A value that a trigger refuses, because the service could not work with it or tell it to a client. The raw
/// value is the message of the trigger.
///
/// The service checks what clients send before it writes; these rules are for other programs, a `sqlite3` shell
/// for instance. Text that is not UTF-8 is not among them: plain SQL cannot see it at a fair price. It is
/// stored as it came, and is read with U+FFFD in the place of each fault.
public enum ValueRule: String, Error, Sendable, CaseIterable {
  case id = "martlet: an id is a whole number from 1 to 9007199254740992"
  case position =
    "martlet: a position is a whole number from -9007199254740992 to 9007199254740992"
  case time = "martlet: createdAt and updatedAt are times in UTC, yyyy-MM-dd HH:mm:ss.SSS"
  case dueDate =
    "martlet: a due date is a day that exists, yyyy-MM-dd, or a time in UTC, yyyy-MM-dd HH:mm:ss.SSS"
  case title = "martlet: a title has at most 1000 characters, and none of them is NUL"
  case notes = "martlet: notes have at most 100000 characters, and none of them is NUL"
  case color = "martlet: a color is 0xRRGGBBAA, from 0 to 4294967295"
  case tag =
    "martlet: a tag has 1 to 100 characters, none of them a control character, and is not . or .."

  /// The largest id and position: the last whole number up to which every JSON parser is exact (RFC 8259
  /// section 6). An `AUTOINCREMENT` at its end, 2^63 - 1, would refuse every further row
  /// (https://sqlite.org/autoinc.html).
  static let largest = 9_007_199_254_740_992

  // MARK: Conditions, in SQL; `value` is a column's name

  static func isPosition(_ value: QueryFragment) -> QueryFragment {
    "(\(value) BETWEEN -\(raw: "\(largest)") AND \(raw: "\(largest)"))"
  }

  /// Said with a modifier, because SQLite tells the 31st of February as it came until it calculates with it.
  static func isTime(_ value: QueryFragment) -> QueryFragment {
    "(length(\(value)) = \(raw: "\(SQLiteTime.length)") AND strftime('%Y-%m-%d %H:%M:%f', \(value), '+0 days') = \(value))"
  }

  static func isDueDate(_ value: QueryFragment) -> QueryFragment {
    "(\(value) IS NULL OR (length(\(value)) = 10 AND date(\(value), '+0 days') = \(value)) OR \(isTime(value)))"
  }

  /// `length` stops at a NUL, which is looked for first.
  static func isText(_ value: QueryFragment, longest: Int) -> QueryFragment {
    "(instr(\(value), char(0)) = 0 AND length(\(value)) <= \(raw: "\(longest)"))"
  }

  static func isTitle(_ value: QueryFragment) -> QueryFragment { isText(value, longest: 1_000) }
  static func isNotes(_ value: QueryFragment) -> QueryFragment { isText(value, longest: 100_000) }

  static func isColor(_ value: QueryFragment) -> QueryFragment {
    "(\(value) BETWEEN 0 AND 4294967295)"
  }

  static func isTag(_ value: QueryFragment) -> QueryFragment {
    """
    (\(isText(value, longest: 100)) AND \(value) NOT IN ('', '.', '..') \
    AND \(value) NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || ']*')
    """
  }
}
