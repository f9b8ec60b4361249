import MartletQueryBuilder

/// A tag. Its title is its key, equal without regard to ASCII case.
@Table
public struct Tag: Equatable, Sendable {
  @Column(primaryKey: true) public let title: String
}

/// A reminder carries a tag.
@Table("remindersTags")
public struct ReminderTag: Equatable, Sendable {
  public let id: Int
  public var reminderID: Int
  public var tagID: String
}

/// A tag as the service shows it.
@Selection
public struct TagItem: Equatable, Sendable {
  public let title: String
  /// How many reminders carry it.
  public let reminders: Int
}
