import MartletQueryBuilder
import MartletTime

/// A rule for stored values. Triggers refuse values that the service could not process or send to a
/// client; the raw value is the trigger's message.
///
/// The service validates what clients send before it writes. These rules apply to other programs,
/// such as a `sqlite3` shell. They do not cover text that is not UTF-8, which plain SQL cannot
/// detect efficiently. Such text is stored as it is, and each invalid byte sequence is read as
/// U+FFFD.
public enum ValueRule: String, Error, Sendable, CaseIterable {
  /// An ID is a whole number from 1 to the largest allowed one.
  case id = "martlet: an id is a whole number from 1 to 9007199254740992"
  /// `REPLACE` would delete a row with the same ID. Triggers do not run for it.
  case replaced =
    "martlet: REPLACE would delete the row that is there: use ON CONFLICT DO UPDATE, or UPDATE"
  /// The ID of a row would change, which other tables and clients have.
  case keepsID = "martlet: a row keeps its id: insert another one, and delete this one"
  /// A position is a whole number whose magnitude does not exceed the largest allowed ID.
  case position =
    "martlet: a position is a whole number from -9007199254740992 to 9007199254740992"
  /// `createdAt` and `updatedAt` are times in UTC.
  case time = "martlet: createdAt and updatedAt are times in UTC, yyyy-MM-dd HH:mm:ss.SSS"
  /// A due date is an existing day or a time in UTC.
  case dueDate =
    "martlet: a due date is a day that exists, yyyy-MM-dd, or a time in UTC, yyyy-MM-dd HH:mm:ss.SSS"
  /// A start date is like a due date.
  case startDate =
    "martlet: a start date is a day that exists, yyyy-MM-dd, or a time in UTC, yyyy-MM-dd HH:mm:ss.SSS"
  /// `completedAt` is a time in UTC.
  case completedAt = "martlet: completedAt is a time in UTC, yyyy-MM-dd HH:mm:ss.SSS"
  /// A time zone is a name such as Europe/Vienna.
  case timeZone = "martlet: a time zone is a name such as Europe/Vienna"
  /// A recurrence has a rule of RFC 5545, and its left-out occurrences are a JSON array of texts.
  case recurrence =
    "martlet: a rule has at most 500 ASCII characters, and excluded is a JSON array of dates"
  /// A series has a rule, and starts with a date or a time like the due date.
  case series =
    "martlet: recurrenceStart, recurrenceBasis and recurrenceExcluded need a rule, and a start like dueDate"
  /// The times of an alarm are in UTC.
  case alarmTime = "martlet: the times of an alarm are in UTC, yyyy-MM-dd HH:mm:ss.SSS"
  /// The times of channels and deliveries are in UTC.
  case channelTime =
    "martlet: the times of channels and deliveries are in UTC, yyyy-MM-dd HH:mm:ss.SSS"
  /// A title has at most 1,000 characters and no NUL.
  case title = "martlet: a title has at most 1000 characters, and none of them is NUL"
  /// Notes have at most 100,000 characters and no NUL.
  case notes = "martlet: notes have at most 100000 characters, and none of them is NUL"
  /// A color is `0xRRGGBBAA`.
  case color = "martlet: a color is 0xRRGGBBAA, from 0 to 4294967295"
  /// A UID has 1 to 255 characters and no control characters.
  case uid = "martlet: a uid has 1 to 255 characters, none of them a control character"
  /// A tag has 1 to 100 characters, no control characters, and is neither `.` nor `..`.
  case tag =
    "martlet: a tag has 1 to 100 characters, none of them a control character, and is not . or .."

  /// The largest ID and position, 2^53: JSON parsers that read numbers as doubles are exact up to
  /// this whole number (RFC 8259, section 6).
  ///
  /// An `AUTOINCREMENT` sequence at its own maximum, 2^63 - 1, would refuse every further row
  /// (https://sqlite.org/autoinc.html).
  static let largest = 9_007_199_254_740_992

  // MARK: Conditions, in SQL; `value` is a column's name

  static func isPosition(_ value: QueryFragment) -> QueryFragment {
    "(\(value) BETWEEN -\(raw: "\(largest)") AND \(raw: "\(largest)"))"
  }

  /// The condition that `value` is a valid time. The modifier makes SQLite normalize the date;
  /// without it, 31 February would be returned unchanged.
  static func isTime(_ value: QueryFragment) -> QueryFragment {
    "(strftime('%Y-%m-%d %H:%M:%f', \(value), '+0 days') = \(value))"
  }

  static func isTimeOrNull(_ value: QueryFragment) -> QueryFragment {
    "\(value) IS NULL OR \(isTime(value))"
  }

  static func isDueDate(_ value: QueryFragment) -> QueryFragment {
    """
    (\(value) IS NULL OR \(value) = CASE length(\(value)) WHEN 10 THEN date(\(value), '+0 days') \
    ELSE strftime('%Y-%m-%d %H:%M:%f', \(value), '+0 days') END)
    """
  }

  static func isTimeZone(_ value: QueryFragment) -> QueryFragment {
    """
    (\(value) IS NULL OR (length(\(value)) BETWEEN 1 AND 200 \
    AND \(value) NOT GLOB '*[^A-Za-z0-9_+/-]*'))
    """
  }

  /// The same in Swift. A zone of that name may not exist.
  public static func isZoneName(_ text: String) -> Bool {
    (1...200).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte | 0x20 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte >= 0x41
        default: (0x30...0x39).contains(byte) || "_+/-".utf8.contains(byte)
        }
      }
  }

  /// The condition that `start` is like `due` and not after it, or one of them is missing. Texts of
  /// the same kind have the same length, and sort like the dates.
  static func isStart(_ start: QueryFragment, of due: QueryFragment) -> QueryFragment {
    """
    (\(start) IS NULL OR \(due) IS NULL \
    OR (length(\(start)) = length(\(due)) AND \(start) <= \(due)))
    """
  }

  /// The condition that a rule and the occurrences it leaves out are well-formed. Only the service
  /// can tell whether it can evaluate the rule.
  static func isRecurrence(
    _ rule: QueryFragment, excluded: QueryFragment
  ) -> QueryFragment {
    """
    ((\(rule) IS NULL OR (length(\(rule)) BETWEEN 1 AND 500 \
    AND \(rule) NOT GLOB '*[^ -~]*')) \
    AND (\(excluded) IS NULL OR (length(\(excluded)) <= 20000 AND json_valid(\(excluded)) \
    AND json_type(\(excluded)) = 'array' AND NOT EXISTS (\
    SELECT 1 FROM json_each(\(excluded)) WHERE type <> 'text'))))
    """
  }

  /// The condition that `value` has at most `longest` characters and no NUL. `length` stops at a
  /// NUL, so that is checked first.
  static func isText(_ value: QueryFragment, longest: Int) -> QueryFragment {
    "(instr(\(value), char(0)) = 0 AND length(\(value)) <= \(raw: "\(longest)"))"
  }

  static func isTitle(_ value: QueryFragment) -> QueryFragment { isText(value, longest: 1_000) }
  static func isNotes(_ value: QueryFragment) -> QueryFragment { isText(value, longest: 100_000) }

  /// The condition that `value` is a valid UID, or NULL.
  static func isUID(_ value: QueryFragment) -> QueryFragment {
    """
    (\(value) IS NULL OR (\(isText(value, longest: longestUID)) AND \(value) <> '' \
    AND \(value) NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || ']*'))
    """
  }

  /// The maximum length of a UID in characters, as iCalendar recommends it (RFC 7986, section 5.3).
  public static let longestUID = 255

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
