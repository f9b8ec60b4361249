import MartletQueryBuilder
import MartletTime

/// A rule for stored values. Tables and triggers refuse values that the service could not process
/// or send to a client; the raw value is the name of a table's constraint, or a trigger's message.
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

  /// The condition that `value` is a valid time. The modifier makes SQLite normalize the date;
  /// without it, 31 February would be returned unchanged. A time in the year 0 is not valid.
  static func isTime(_ value: QueryFragment) -> QueryFragment {
    "(strftime('%Y-%m-%d %H:%M:%f', max(\(value), '0001-01-01'), '+0 days') = \(value))"
  }

  /// Whether a text has the form of a name of a time zone. A zone of that name may not exist.
  public static func isZoneName(_ text: String) -> Bool {
    (1...200).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte | 0x20 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte >= 0x41
        default: (0x30...0x39).contains(byte) || "_+/-".utf8.contains(byte)
        }
      }
  }

  /// The maximum length of a UID in characters, as iCalendar recommends it (RFC 7986, section 5.3).
  public static let longestUID = 255

  /// The condition that `value` is the title of a tag. `length` stops at a NUL.
  static func isTag(_ value: QueryFragment) -> QueryFragment {
    """
    (instr(\(value), char(0)) = 0 AND length(\(value)) <= 100 AND \(value) NOT IN ('', '.', '..') \
    AND \(value) NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || ']*')
    """
  }
}
