import MartletQueryBuilder
import MartletSQLite
import MartletTime

/// The settings for all clients, in the only row of the table.
@Table("settings")
struct StoredSettings: Equatable, Sendable {
  /// Always ``rowID``.
  let id: Int
  /// The alarm of a reminder that is due at a time, as the text of a `CivilDuration`.
  var defaultAlarm: String?
  /// The alarm of a reminder that is due on a day.
  var defaultDayAlarm: String?
  /// Whether a to-do that a calendar program writes without an alarm gets the default one.
  var defaultForCalendars = true
  /// Since when the service itself cannot send to channels; `nil` if it can.
  var cannotSendSince: Instant?

  /// The ID of the row.
  static let rowID = 1

  /// Changes the row, which another program may have deleted.
  static func change(in db: Connection, _ body: (inout StoredSettings) -> Void) throws {
    var row = try StoredSettings.find(rowID).fetchOne(db) ?? StoredSettings(id: rowID)
    body(&row)
    try StoredSettings.upsert { row }.execute(db)
  }
}
