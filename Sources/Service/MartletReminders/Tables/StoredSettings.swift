import MartletQueryBuilder

/// The settings for all clients, in the only row of the table.
@Table("settings")
struct StoredSettings: Equatable, Sendable {
  /// Always ``rowID``.
  let id: Int
  /// The alarm of a reminder that is due at a time, as the text of a `CivilDuration`.
  var defaultAlarm: String?
  /// The alarm of a reminder that is due on a day.
  var defaultDayAlarm: String?

  /// The ID of the row.
  static let rowID = 1
}
