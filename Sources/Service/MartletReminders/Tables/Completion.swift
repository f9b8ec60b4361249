import MartletQueryBuilder
import MartletTime

/// A completion of a reminder, or an occurrence that was skipped.
@Table("completions")
struct Completion: Equatable {
  let id: Int
  var reminderID: Int
  /// The title at that time.
  var title: String
  /// The dates of the occurrence.
  var dueDate: DueDate?
  var startDate: DueDate?
  /// The rule and the start of the series before, if completing the occurrence changed them.
  var recurrenceRule: String?
  var recurrenceStart: DueDate?
  var completedAt: Instant
  var kind = CompletionKind.completed
  /// The completion of the parent that completed this one as well.
  var causeID: Int?
  /// The subtasks that were completed when the reminder moved on, as a JSON array of IDs.
  var subtasks: String?
  /// A reminder that another program has completed or opened again, which
  /// ``Subtasks/follow(in:most:)`` is still to do with what is below it.
  var followsID: Int?
}

extension Completion: AgingRecord {
  static func id(_ columns: TableColumns) -> TableColumn<Completion, Int> { columns.id }
  static func time(_ columns: TableColumns) -> TableColumn<Completion, Instant> {
    columns.completedAt
  }
}

/// The kind of a completion: completed, skipped, or completed elsewhere.
public enum CompletionKind: Int, QueryBindable, CaseIterable, Sendable {
  /// It was completed, or skipped, or another program has moved the due date past it.
  case completed, skipped, elsewhere

  public static var kind: ColumnKind { .labels(allCases.map(\.label)) }
  /// The name in the API.
  public var label: String {
    switch self {
    case .completed: "completed"
    case .skipped: "skipped"
    case .elsewhere: "elsewhere"
    }
  }
}

/// A completion as the API returns it.
@Selection
public struct CompletionItem: Equatable, Sendable {
  /// The ID of the completion.
  public let id: Int
  /// The reminder.
  public let reminderID: Int
  /// The list of the reminder.
  public let listID: Int
  /// The title of the reminder at that time.
  public let title: String
  /// The due date of the occurrence, if it had one.
  public let dueDate: DueDate?
  /// The start date of the occurrence, if it had one.
  public let startDate: DueDate?
  /// When it was completed or skipped.
  public let completedAt: Instant
  /// The kind of the completion.
  public let kind: CompletionKind
}

/// The triggers that record completions. They are pure SQL and hold for every program that
/// completes a reminder. The service moves a reminder that recurs on to its next occurrence, and
/// then records the completion itself.
enum CompletionTriggers {
  /// Sets `completedAt` of a reminder that is completed when it is created, and records it.
  static let onInsert = Reminder.createTrigger(
    "martlet_reminders_completedOnInsert",
    after: .insert { new in
      PlainStatement(
        sql: "UPDATE reminders SET completedAt = \(time(new)) WHERE id = \(new.id)")
      record(new)
    } when: { new in
      new.status == .completed || new.completedAt.isNot(nil)
    })

  /// Sets `completedAt` and records a completion. When the reminder is opened again, it clears the
  /// one and deletes the other.
  /// ``Subtasks`` completes and opens what is below it.
  static let onUpdate = Reminder.createTrigger(
    "martlet_reminders_completed",
    after: .update(of: { $0.status }) { _, new in
      PlainStatement(
        sql: """
          UPDATE reminders SET completedAt = \(time(new)) \
          WHERE id = \(new.id) AND (completedAt IS NULL) = (\(new.status) = 1)
          """)
      record(new)
      PlainStatement(
        sql: """
          UPDATE completions SET causeID = NULL, followsID = \(new.id) \
          WHERE \(new.status) <> 1 AND causeID = (\(newest(new)))
          """)
      PlainStatement(
        sql: "DELETE FROM completions WHERE \(new.status) <> 1 AND id = (\(newest(new)))")
    } when: { old, new in
      #sql(
        "\(old.status) <> \(new.status) AND 1 IN (\(old.status), \(new.status))", as: Bool.self)
    })

  /// Gives a time that a program has set to the record. A completed reminder always
  /// has a time, and an open one has none.
  static let time = Reminder.createTrigger(
    "martlet_reminders_completedAt",
    after: .update(of: { $0.completedAt }) { old, new in
      PlainStatement(
        sql: """
          UPDATE completions SET completedAt = \(new.completedAt) \
          WHERE \(new.status) = 1 AND \(new.completedAt) IS NOT NULL \
          AND \(old.completedAt) IS NOT NULL AND id = (\(newest(new)))
          """)
      PlainStatement(
        sql: """
          UPDATE reminders SET completedAt = CASE WHEN status = 1 \
          THEN coalesce(\(old.completedAt), \(sqliteNow)) END \
          WHERE id = \(new.id) AND (status = 1) <> (completedAt IS NOT NULL)
          """)
    } when: { old, new in
      #sql(
        """
        \(old.completedAt) IS NOT \(new.completedAt) \
        AND (\(new.completedAt) IS NOT NULL OR \(new.status) = 1)
        """, as: Bool.self)
    })

  /// Deletes the completions of a reminder that cannot be restored any more.
  static let erase = TrashEntry.createTrigger(
    "martlet_trash_deleted",
    after: .delete { old in
      Completion.where {
        $0.reminderID == old.itemID && old.kind == .reminder
          && !Reminder.find(old.itemID).select(\.id).exists()
      }.delete()
      PlainStatement.count(TrashEntry.self)
    })

  /// The value of `completedAt`: set exactly while the reminder is completed.
  private static func time(_ new: Reminder.TableColumns) -> QueryFragment {
    "CASE WHEN \(new.status) = 1 THEN coalesce(\(new.completedAt), \(sqliteNow)) END"
  }

  private static func newest(_ new: Reminder.TableColumns) -> QueryFragment {
    "SELECT max(id) FROM completions WHERE reminderID = \(new.id)"
  }

  private static func record(_ new: Reminder.TableColumns) -> PlainStatement {
    PlainStatement(
      sql: """
        INSERT INTO completions (reminderID, title, dueDate, startDate, completedAt, kind, followsID) \
        SELECT \(new.id), \(new.title), \(new.dueDate), \(new.startDate), \(time(new)), 0, \
        CASE WHEN \(new.allSubtasks) > 0 THEN \(new.id) END WHERE \(new.status) = 1
        """)
  }
}
