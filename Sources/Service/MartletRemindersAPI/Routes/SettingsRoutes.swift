import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletSQLite
import MartletStore
import MartletTime

/// The routes of `/v1/settings`: the settings for all clients.
enum SettingsRoutes {
  static func get(_ settings: RemindersAPISettings) -> Route {
    .read("/v1/settings", parts: .respected, audience: .everyone) { request, _ in
      LiveSource(request, write: stored(settings))
    }
  }

  static func update(_ settings: RemindersAPISettings) -> Route {
    .write(.patch, "/v1/settings", needs: .admin) { request, _ in
      let body = try SettingsBody(request, fixed: settings.fixedAlarms)
      return WriteRoute.Work(current: stored(settings), readOnly: body.readOnly) { db in
        try DefaultAlarms.store(body.alarms, in: db)
        return .changed(stored(settings))
      }
    }
  }

  private static func stored(_ settings: RemindersAPISettings) -> WriteRoute.Current {
    { db, body in
      let alarms = try DefaultAlarms.stored(fixed: settings.fixedAlarms, in: db)
      let key = try PushRepository.publicKey(db)
      let since = try DeliveryFigures.cannotSendSince(db)
      JSONWriter.object(into: body) { object in
        object.member("defaultAlarm", alarms.timed?.description)
        object.member("defaultDayAlarm", alarms.day?.description)
        object.member("defaultForCalendars", alarms.areForCalendars)
        object.member("timeZone", settings.zone.identifier)
        object.member("applicationServerKey", key)
        object.member("sendsNothing", settings.sendsNothing)
        object.member("cannotSendSince", since.map { RFC3339.string($0) })
        object.member("fixed") { body in
          JSONWriter.array(into: body) { array in
            for name in SettingsBody.fixed(settings.fixedAlarms) {
              array.element { JSONWriter.string(name, into: $0) }
            }
          }
        }
      }
      return true
    }
  }
}

/// The body of a request that changes the settings for all clients: a JSON Merge Patch (RFC 7396).
struct SettingsBody {
  /// The names of the members.
  static let timed = "defaultAlarm"
  static let day = "defaultDayAlarm"
  static let zone = "timeZone"

  /// The default alarms to set.
  private(set) var alarms = DefaultAlarms.Values()
  /// Members that must equal the stored values: settings of the operator are among them.
  private(set) var readOnly: [JSONObject.Member] = []

  init(_ request: Request, fixed: DefaultAlarms.Values) throws(APIProblem) {
    var body = try Body(request)
    let names = SettingsBody.fixed(fixed)
    for name in names { body.readOnly(name) }
    body.readOnly(
      SettingsBody.zone, "applicationServerKey", "sendsNothing", "cannotSendSince", "fixed")
    if fixed.timed == nil { alarms.timed = SettingsBody.offset(SettingsBody.timed, &body) }
    if fixed.day == nil { alarms.day = SettingsBody.offset(SettingsBody.day, &body) }
    alarms.areForCalendars = body.bool("defaultForCalendars")
    readOnly = body.readOnly
    try body.finish()
  }

  /// The names of the members that the operator has set.
  static func fixed(_ alarms: DefaultAlarms.Values) -> [String] {
    [alarms.timed == nil ? nil : timed, alarms.day == nil ? nil : day].compactMap { $0 }
  }

  private static func offset(_ name: String, _ body: inout Body) -> CivilDuration?? {
    guard let text = body.nullableString(name, 1...40) else { return nil }
    guard let text else { return .some(nil) }
    guard let offset = AlarmTrigger.offset(text) else {
      body.fail(name, AlarmBody.expectedOffset)
      return nil
    }
    return offset
  }
}
