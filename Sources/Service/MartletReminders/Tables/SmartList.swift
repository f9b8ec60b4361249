import MartletQueryBuilder
import MartletTime

/// A row of the table of smart lists: stored filters of reminders.
@Table
public struct SmartList: Equatable, Sendable {
  /// The maximum number of smart lists.
  public static let most = 100

  /// The ID, from 1.
  public let id: Int
  /// The UID, unique. Assigned by the database unless an insert gives one.
  public var uid: String?
  /// The title, at most 1,000 characters.
  public var title: String
  /// The color as `0xRRGGBBAA`.
  public var color: Int = RemindersList.defaultColor
  /// A symbol for people, such as an emoji; at most ``SmartListRepository/longestIcon`` characters.
  public var icon = ""
  /// A JSON object with the names and values of the parameters of `GET /v1/reminders`.
  public var filter = "{}"
  /// The order of the reminders, as the parameter `sort` has it; `nil`: the default.
  public var sort: String?
  /// The position among the smart lists, ascending. Assigned by the database; `nil` only in an
  /// insert.
  public var position: Int?
  /// When the smart list was created. Set by the database; `nil` only in an insert.
  public var createdAt: Instant?
  /// When it last changed, apart from its position. Set by the database; `nil` only in an insert.
  public var updatedAt: Instant?
  /// The version of its last change. Set by the database.
  public var version = 0
}

/// A filter as it is stored: the text of a JSON object.
struct FilterText: RawRepresentable, QueryBindable, Equatable, Sendable {
  let rawValue: String
  static var kind: ColumnKind { .json }
}

/// A smart list as the change feed shows it.
@Selection
struct FeedSmartList: Equatable {
  let id: Int
  let uid: String?
  let title: String
  let color: String
  let icon: String
  let filter: FilterText
  let sort: String?
  let position: Int?
}
