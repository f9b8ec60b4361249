import MartletQueryBuilder

/// The full-text index. A row for each reminder, with the reminder's id as its key.
@Table
public struct ReminderText: FTS5, Equatable {
  public let rowid: Int
  public let title: String
  public let notes: String
  public let tags: String
}
