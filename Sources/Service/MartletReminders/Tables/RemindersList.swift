import MartletQueryBuilder
import MartletSQLite
import MartletTime

/// A row of the table of lists.
@Table
public struct RemindersList: Equatable, Sendable {
  /// The list's ID, from 1.
  public let id: Int
  /// The title, at most 1,000 characters.
  public var title = ""
  /// The color as `0xRRGGBBAA`.
  public var color: Int = RemindersList.defaultColor
  /// The position among the lists, ascending. Assigned by the database; `nil` only in an insert.
  public var position: Int?
  /// When the list was created. Set by the database; `nil` only in an insert.
  public var createdAt: Instant?
  /// When the title or the color last changed. Set by the database; `nil` only in an insert.
  public var updatedAt: Instant?
  /// The UID of calendars, unique. Assigned by the database unless an insert gives one.
  public var uid: String?
  /// The version of its last change. Set by the database.
  public var version = 0

  /// The title of the list that the database creates when there would be no list.
  public static let defaultTitle = "Reminders"
  /// The color of a list created without one, as `0xRRGGBBAA`.
  public static let defaultColor: Int = 0x4a99_efff
}

/// A list as the API returns it.
@Selection
public struct ListItem: Equatable, Sendable {
  /// The list's ID.
  public let id: Int
  /// The UID of calendars, unique.
  public let uid: String?
  /// The title.
  public let title: String
  /// The color as `#rrggbb`.
  public let color: String
  /// The position among the lists, ascending.
  public let position: Int?
  /// The numbers of its reminders.
  public let reminders: ReminderCounts
}

/// The numbers of a list's reminders.
@Selection
public struct ReminderCounts: Equatable, Sendable {
  /// The reminders that are not completed. `completing` counts as open.
  public let open: Int
  /// All reminders.
  public let all: Int
}

/// A list as the change feed shows it.
@Selection
struct FeedList: Equatable {
  let id: Int
  let uid: String?
  let title: String
  let color: String
  let position: Int?
}

extension RemindersList {
  /// Whether a list exists. It reads only the key, so that a live query of a list's contents does
  /// not depend on its title.
  public static func exists(_ id: Int, in db: Connection) throws -> Bool {
    let statement = try db.statement(for: isThere(id))
    defer { statement.reset() }
    return try statement.step()
  }

  private static let isThere = PreparedQuery<Int> { id in
    RemindersList.find(id).select { $0.id }
  }
}
