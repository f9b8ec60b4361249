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
  /// The default alarms that the operator has set. Clients set the others.
  public var fixedAlarms = DefaultAlarms.Values()

  /// Where channels may send messages.
  public var outgoing = OutgoingRules()
  /// Asks whether messages can be sent; `nil`: they can.
  public var checkCourier: CourierCheck?

  /// The defaults.
  public init() {}
}
