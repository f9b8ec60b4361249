import MartletQueryBuilder
import MartletTime

/// A time that an alarm has rung.
@Table("firings")
struct Firing: Equatable {
  let id: Int
  var alarmID: Int
  var reminderID: Int
  /// When it was to ring.
  var dueAt: Instant
  /// How often it had rung again.
  var rung: Int
  var firedAt: Instant
}
