import MartletQueryBuilder

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
