import MartletQueryBuilder
import MartletTime

/// A time that an alarm has rung.
@Table("firings")
struct Firing: Equatable {
  var id: Int
  var alarmID: Int
  var reminderID: Int
  /// When it was to ring.
  var dueAt: Instant
  /// How often it had rung again.
  var rung: Int
  var firedAt: Instant
  /// When the service saw that its alarm does not ring any more.
  var endedAt: Instant?
}

extension Firing {
  /// The same, under the ID of its row.
  func stored(as id: Int) -> Firing {
    var firing = self
    firing.id = id
    return firing
  }
}

extension Firing: AgingRecord {
  /// How long a record is kept.
  static let keep = Duration.seconds(30 * 86_400)

  static func id(_ columns: TableColumns) -> TableColumn<Firing, Int> { columns.id }
  static func time(_ columns: TableColumns) -> TableColumn<Firing, Instant> { columns.firedAt }
}
