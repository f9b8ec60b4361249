import MartletReminders
import MartletTime

/// The settings of the routes of CalDAV.
public struct CalDAVSettings: Sendable {
  /// The zone of times that name none. UTC by default.
  public var zone = ZoneInfo.utc
  /// The default alarms that the operator has set, which the stored ones do not change.
  public var fixedAlarms = DefaultAlarms.Values()
  /// How long the trash keeps what is deleted; zero deletes for good. 30 days by default.
  public var trash: Duration = .seconds(30 * 86_400)
  /// Called with the method, and the kind of report if it is one, of each request.
  public var onRequest: @Sendable (_ method: String, _ report: String) -> Void = { _, _ in }

  /// The default settings.
  public init() {}
}
