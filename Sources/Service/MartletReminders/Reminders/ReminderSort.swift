import MartletQueryBuilder
import MartletSQLite

/// A sort order of reminders.
///
/// Equal rows are ordered by ID in the same direction. Rows without a value come last in both
/// directions.
public struct ReminderSort: Hashable, Sendable {
  /// A sort key.
  public enum Key: String, CaseIterable, Hashable, Sendable {
    /// The position of the list, then that of the reminder.
    case list
    /// A column of the reminder.
    case position, dueDate, startDate, title, priority, createdAt, updatedAt, completedAt

    /// The keys that have a name in the API. `list` is the default order and has none there.
    public static var named: [Key] { allCases.filter { $0 != .list } }
  }

  /// The sort key.
  public var key: Key
  /// Whether the order is descending.
  public var isDescending: Bool

  /// An order by a key, ascending by default.
  public init(_ key: Key = .list, isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }

  /// The expression that rows are ordered by.
  func term(_ reminder: Reminder.TableColumns) -> any QueryExpressible {
    switch key {
    case .list, .position: reminder.position
    case .dueDate: reminder.dueDate
    case .startDate: reminder.startDate
    case .title: reminder.title.collate(.nocase)
    case .priority: reminder.priority
    case .createdAt: reminder.createdAt
    case .updatedAt: reminder.updatedAt
    case .completedAt: reminder.completedAt
    }
  }

  /// Whether the key may be NULL. Such rows come last.
  var isNullable: Bool { key != .title }

  /// Whether `value` can be a row's sort key.
  func takes(_ value: Value) -> Bool {
    switch (value, key) {
    case (.integer, .list), (.integer, .position), (.integer, .priority): true
    case (.text, .dueDate), (.text, .startDate), (.text, .title): true
    case (.text, .createdAt), (.text, .updatedAt), (.text, .completedAt): true
    case (.null, _): isNullable
    default: false
    }
  }
}
