import MartletQueryBuilder
import MartletTime

/// A reminder, as it is stored.
@Table
public struct Reminder: Equatable, Sendable {
  public let id: Int
  public var remindersListID: RemindersList.ID
  public var title = ""
  public var notes = ""
  public var dueDate: DueDate?
  public var priority: Priority?
  public var isFlagged = false
  public var status: Status = .incomplete
  /// Given by the database; `nil` only on the way in.
  public var position: Int?
  public var createdAt: Instant?
  public var updatedAt: Instant?

  /// How many tags one carries.
  public static let mostTags = 5

  public enum Priority: Int, QueryBindable, CaseIterable {
    case low = 1
    case medium, high

    public static var kind: ColumnKind { .labels(["none"] + allCases.map(\.label)) }
    public var label: String {
      switch self {
      case .low: "low"
      case .medium: "medium"
      case .high: "high"
      }
    }
  }

  public enum Status: Int, QueryBindable, CaseIterable {
    case incomplete, completed
    /// Ticked off a moment ago: becomes `completed` by itself after the grace period.
    case completing

    public static var kind: ColumnKind { .labels(allCases.map(\.label)) }
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
  public typealias ID = Int
}

extension Reminder.TableColumns {
  /// Not completed; one that is about to be completed still counts.
  ///
  /// Said by what it is, not by what it is not: two index ranges instead of a scan.
  var isOpen: some QueryExpression<Bool> { status.in([.incomplete, .completing]) }
}

/// A reminder as the service shows it.
@Selection
public struct ReminderItem: Equatable, Sendable {
  public let id: Int
  public let listID: Int
  public let title: String
  public let notes: String
  public let dueDate: DueDate?
  public let priority: Reminder.Priority?
  public let isFlagged: Bool
  public let status: Reminder.Status
  public let position: Int?
  @Column(as: JSONArray<String>.self) public let tags: [String]
  public let createdAt: Instant?
  public let updatedAt: Instant?
}

extension Reminder.TableColumns {
  /// The columns that the service shows.
  var item: ReminderItem.Columns {
    ReminderItem.Columns(
      id: id, listID: remindersListID, title: title, notes: notes,
      dueDate: dueDate, priority: priority, isFlagged: isFlagged, status: status,
      position: position, tags: tags, createdAt: createdAt, updatedAt: updatedAt)
  }

  /// The reminder's tags in alphabetical order: that of the index on `(reminderID, tagID)`, which
  /// answers this without looking at the table.
  private var tags: SQLQueryExpression<JSONArray<String>> {
    SQLQueryExpression(
      ReminderTag.where { $0.reminderID == id }.select { $0.tagID.jsonGroupArray() }.queryFragment)
  }

  /// Asked from the tag's side: few reminders carry a tag, and the index on `(tagID, reminderID)`
  /// knows them.
  func carries(_ tag: String) -> SQLQueryExpression<Bool> {
    id.in(ReminderTag.where { $0.tagID == tag }.select(\.reminderID))
  }
}
