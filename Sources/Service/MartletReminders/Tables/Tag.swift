import MartletQueryBuilder

/// A tag. Its title is its key, compared without regard to ASCII case.
@Table
public struct Tag: Equatable, Sendable {
  /// The title in its first spelling.
  @Column(primaryKey: true) public let title: String
}

/// A tag on a reminder.
@Table("remindersTags")
public struct ReminderTag: Equatable, Sendable {
  /// The ID of the row.
  public let id: Int
  /// The ID of the reminder that carries the tag.
  public var reminderID: Int
  /// The title of the tag.
  public var tagID: String
}

/// A tag as the API returns it.
@Selection
public struct TagItem: Equatable, Sendable {
  /// The title.
  public let title: String
  /// The number of reminders that carry the tag.
  public let reminders: Int
}
