import MartletQueryBuilder
import MartletTime

/// A list of reminders, as it is stored.
@Table
public struct RemindersList: Equatable, Sendable {
  public let id: Int
  public var title = ""
  /// `0xRRGGBBAA`
  public var color: Int = RemindersList.defaultColor
  /// Given by the database; `nil` only on the way in.
  public var position: Int?
  public var createdAt: Instant?
  public var updatedAt: Instant?

  public static let defaultTitle = "Reminders"
  public static let defaultColor: Int = 0x4a99_efff
}

/// A list as the service shows it.
@Selection
public struct ListItem: Equatable, Sendable {
  public let id: Int
  public let title: String
  /// `#rrggbb`
  public let color: String
  public let position: Int?
  public let reminders: ReminderCounts
}

/// How many reminders there are: not yet completed, and all.
@Selection
public struct ReminderCounts: Equatable, Sendable {
  public let open: Int
  public let all: Int
}
