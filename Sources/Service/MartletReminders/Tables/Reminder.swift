import MartletQueryBuilder
import MartletSQLite
import MartletTime

/// A row of the table of reminders.
@Table
public struct Reminder: Equatable, Sendable {
  /// The reminder's ID, from 1.
  public let id: Int
  /// The ID of its list.
  public var remindersListID: RemindersList.ID
  /// The title, at most 1,000 characters.
  public var title = ""
  /// The notes, at most 100,000 characters.
  public var notes = ""
  /// The due date, if any.
  public var dueDate: DueDate?
  /// The priority; `nil` if it has none.
  public var priority: Priority?
  /// Whether it is flagged.
  public var isFlagged = false
  /// The status.
  public var status: Status = .incomplete
  /// The position in its list, ascending. Assigned by the database; `nil` only in an insert.
  public var position: Int?
  /// When it was created. Set by the database; `nil` only in an insert.
  public var createdAt: Instant?
  /// When it last changed. Set by the database; `nil` only in an insert.
  public var updatedAt: Instant?
  /// The UID of calendars, unique in the list. Assigned by the database unless an insert gives one.
  public var uid: String?
  /// The version of its last change. Set by the database.
  public var version = 0
  /// From when on it can be done, if any; a day or an instant like ``dueDate``.
  public var startDate: DueDate?
  /// The name of the zone of its times of day.
  public var timeZone: String?
  /// The value of an RRULE (RFC 5545); `nil` for a reminder that does not recur.
  public var recurrenceRule: String?
  /// The date that the next occurrence is counted from.
  public var recurrenceBasis: Recurrence.Basis = .due
  /// The first due date of the series.
  public var recurrenceStart: DueDate?
  /// The occurrences that are left out, as a JSON array.
  public var recurrenceExcluded: String?
  /// When it was completed. Set by the database, exactly while it is.
  public var completedAt: Instant?
  /// The reminder that this one is a part of.
  public var parentID: Int?
  /// The number of its direct subtasks. Set by the database.
  public var allSubtasks = 0
  /// The number of them that are not completed. Set by the database.
  public var openSubtasks = 0
  /// The number of its alarms. Set by the database.
  public var alarmCount = 0
  /// The version of the last change that its text as a calendar object shows. Set by the database;
  /// `nil` only in an insert, so that the index of versions gets one entry instead of two.
  public var calendarVersion: Int?

  /// The maximum number of tags on a reminder.
  public static let mostTags = 5

  /// The priority of a reminder.
  public enum Priority: Int, QueryBindable, CaseIterable {
    /// The lowest priority.
    case low = 1
    /// The higher priorities.
    case medium, high

    public static var kind: ColumnKind { .labels(["none"] + allCases.map(\.label)) }
    /// The priority's name in the API.
    public var label: String {
      switch self {
      case .low: "low"
      case .medium: "medium"
      case .high: "high"
      }
    }
  }

  /// The status of a reminder.
  public enum Status: Int, QueryBindable, CaseIterable {
    /// Open, or done.
    case incomplete, completed
    /// Checked off just now. It becomes `completed` after the grace period.
    case completing

    public static var kind: ColumnKind { .labels(allCases.map(\.label)) }
    /// The status's name in the API.
    public var label: String {
      switch self {
      case .incomplete: "incomplete"
      case .completed: "completed"
      case .completing: "completing"
      }
    }
  }
}

extension RemindersList {
  /// The type of a list's ID.
  public typealias ID = Int
}

extension Reminder.TableColumns {
  /// Whether the reminder is not completed; `completing` counts as open.
  ///
  /// The condition lists the open states, because SQLite searches them as two ranges of an index.
  /// `<>` would need a scan.
  var isOpen: some QueryExpression<Bool> { status.in([.incomplete, .completing]) }
}

/// A reminder as the API returns it.
@Selection
public struct ReminderItem: Equatable, Sendable {
  /// The reminder's ID.
  public let id: Int
  /// The UID of calendars, unique in the list.
  public let uid: String?
  /// The ID of its list.
  public let listID: Int
  /// The reminder that this one is a part of, if any.
  public let parentID: Int?
  /// The title.
  public let title: String
  /// The notes.
  public let notes: String
  /// From when on it can be done, if any.
  public let startDate: DueDate?
  /// The due date, if any.
  public let dueDate: DueDate?
  /// The name of the zone of its times of day.
  public let timeZone: String?
  /// How it recurs, if it does.
  public let recurrence: RecurrenceItem?
  /// The priority; `nil` if it has none.
  public let priority: Reminder.Priority?
  /// Whether it is flagged.
  public let isFlagged: Bool
  /// The status.
  public let status: Reminder.Status
  /// When it was completed; `nil` if it is not.
  public let completedAt: Instant?
  /// The position in its list, ascending.
  public let position: Int?
  /// The titles of its tags in alphabetical order.
  @Column(as: JSONArray<String>.self) public let tags: [String]
  /// Its alarms, by ID.
  @Column(as: [AlarmSummary].JSONRepresentation.self) public let alarms: [AlarmSummary]
  /// The numbers of its direct subtasks.
  public let subtasks: SubtaskCounts
  /// When it was created.
  public let createdAt: Instant?
  /// When it last changed.
  public let updatedAt: Instant?
}

extension Reminder.TableColumns {
  /// The columns of a ``ReminderItem``.
  var item: ReminderItem.Columns { item(notes: notes) }

  /// The same with other notes.
  func item(notes: some QueryExpression<String>) -> ReminderItem.Columns {
    ReminderItem.Columns(
      id: id, uid: uid, listID: remindersListID, parentID: parentID, title: title, notes: notes,
      startDate: startDate, dueDate: dueDate, timeZone: timeZone, recurrence: recurrence,
      priority: priority, isFlagged: isFlagged, status: status, completedAt: completedAt,
      position: position, tags: tags, alarms: alarms,
      subtasks: SubtaskCounts.Columns(open: openSubtasks, all: allSubtasks), createdAt: createdAt,
      updatedAt: updatedAt)
  }

  /// The titles of the reminder's tags in alphabetical order, which is the order of the covering
  /// index on `(reminderID, tagID)`.
  private var tags: SQLQueryExpression<JSONArray<String>> {
    SQLQueryExpression(
      ReminderTag.where { $0.reminderID == id }.select { $0.tagID.jsonGroupArray() }.queryFragment)
  }

  /// The condition that the reminder carries a tag. It starts from the tag, because few reminders
  /// carry one and the index on `(tagID, reminderID)` finds them.
  func carries(_ tag: String) -> SQLQueryExpression<Bool> {
    id.in(ReminderTag.where { $0.tagID == tag }.select(\.reminderID))
  }
}

extension Reminder {
  /// A stored reminder. Throws ``DomainError/notFound(_:)`` if it does not exist in `lists`.
  static func stored(
    _ id: Int, among lists: ListExtent, in db: Connection
  ) throws -> Reminder {
    let found = PreparedRows(query: row(id), decode: decodeRow)
    guard let row = try found.fetchOne(db), lists.contains(row.remindersListID) else {
      throw DomainError.notFound(.reminder(id))
    }
    return row
  }

  private static let row = PreparedQuery<Int> { Reminder.find($0) }
  private static let decodeRow = Reminder.find(0).decode
}

/// The full-text index. It has a row for each reminder, whose texts are as
/// ``UnspacedScripts/separated(_:)`` makes them.
@Table
public struct ReminderText: FTS5, Equatable {
  /// The ID of the reminder.
  public let rowid: Int
  /// The reminder's title.
  public let title: String
  /// The reminder's notes.
  public let notes: String
  /// The titles of the reminder's tags, separated by spaces.
  public let tags: String
}
