import MartletQueryBuilder
import MartletSQLite

/// The orders that a client may ask for.
///
/// Ties are broken by id in the same direction; rows without a value come last in both.
public struct ReminderSort: Hashable, Sendable {
  public enum Key: String, CaseIterable, Hashable, Sendable {
    /// The list's place, then the reminder's.
    case list
    case position, dueDate, title, priority, createdAt, updatedAt

    /// The ones with a name in the API; `list` is what one gets without asking.
    public static var named: [Key] { allCases.filter { $0 != .list } }
  }

  public var key: Key
  public var isDescending: Bool

  public init(_ key: Key = .list, isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }

  /// What the column is compared by.
  func term(_ reminder: Reminder.TableColumns) -> any QueryExpressible {
    switch key {
    case .list, .position: reminder.position
    case .dueDate: reminder.dueDate
    case .title: reminder.title.collate(.nocase)
    case .priority: reminder.priority
    case .createdAt: reminder.createdAt
    case .updatedAt: reminder.updatedAt
    }
  }

  /// Whether rows may have no value, which then come last.
  var isNullable: Bool { key != .title }

  /// Whether `value` can be a row's sort key.
  func takes(_ value: Value) -> Bool {
    switch (value, key) {
    case (.integer, .list), (.integer, .position), (.integer, .priority): true
    case (.text, .dueDate), (.text, .title), (.text, .createdAt), (.text, .updatedAt): true
    case (.null, _): isNullable
    default: false
    }
  }
}
