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
  /// Makes a key pair for push services; `nil`: none can be made.
  public var makePushKey: PushKeyMaker?
  /// The address of this server for the operators of push services: `mailto:…` or `https://…`; by
  /// default, that from which a browser has subscribed.
  public var pushContact: String?
  /// Whether nothing is sent to channels and devices.
  public var sendsNothing = false

  /// The defaults.
  public init() {}
}
