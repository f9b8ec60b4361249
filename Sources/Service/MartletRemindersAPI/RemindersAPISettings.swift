import MartletCourier
import MartletLiveAPI
import MartletReminders
import MartletTime

/// The settings of the routes of the reminders service.
public struct RemindersAPISettings: Sendable {
  /// How long the trash keeps what was deleted.
  public var trash = Upkeep.Settings().trash
  /// The zone of a reminder without one. Requests have a setting of their own
  /// (``API/Settings/timeZone``).
  public var zone = ZoneInfo.utc
  /// The alarm of a new reminder that is due at a time, counted from that; `nil`: none.
  public var defaultAlarm: CivilDuration?
  /// The same for one that is due on a day, counted from its midnight.
  public var defaultDayAlarm: CivilDuration?

  /// Where channels may send messages.
  public var outgoing = OutgoingRules()
  /// Asks whether messages can be sent; `nil`: they can.
  public var checkCourier: CourierCheck?

  /// The defaults.
  public init() {}
}

extension RemindersAPISettings {
  /// The alarms of a new reminder that names none.
  func alarms(of due: DueDate?) -> [AlarmTrigger]? {
    let offset = due.flatMap { $0.isTimed ? defaultAlarm : defaultDayAlarm }
    return offset.map { [AlarmTrigger(.offset($0, from: .due))] }
  }
}
