import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletTime

/// The body of a request that creates or changes an alarm, and the alarms in that of a reminder.
struct AlarmBody {
  /// When a new alarm rings.
  private(set) var trigger: AlarmTrigger?
  /// The values to set of an existing alarm.
  private(set) var values = AlarmRepository.Values()
  /// Read-only members of the body, which must equal the stored values.
  private(set) var readOnly: [JSONObject.Member] = []

  /// The body of a new alarm: `{"offset": "-PT10M"}`.
  init(creating request: Request) throws(APIProblem) {
    var body = try Body(request)
    trigger = AlarmBody.trigger(&body)
    try body.finish()
  }

  /// A JSON Merge Patch (RFC 7396) of an alarm.
  ///
  /// Values that a client cannot set must be the stored ones, so that it can send back what it has
  /// read.
  init(changing request: Request) throws(APIProblem) {
    var body = try Body(request)
    var sent = body
    values.moment = AlarmBody.moment(&body)
    // Null alone does not say when the alarm rings instead.
    if values.moment == nil { sent.readOnly("at", "offset", "from") }
    values.repetition = body.nullableObject("repeat", AlarmBody.repetition).map { $0 ?? nil }
    values.state = body.oneOf("state", ReminderAlarm.State.allCases.map { ($0.label, $0) })
    values.snoozedUntil = body.nullable("snoozedUntil", .instant)
    body.readOnly(
      "id", "reminderID", "listID", "title", "dueDate", "fireAt", "firedAt", "acknowledgedAt")
    readOnly = body.readOnly + sent.readOnly
    try body.finish()
  }

  /// The alarms in the body of a reminder. Members that say what has become of an alarm are
  /// ignored, so that a client can send back what it has read.
  static func all(_ body: inout Body) -> [AlarmTrigger]? {
    body.objects("alarms", most: ReminderAlarm.most) { body in
      for name in ["id", "snoozedUntil", "acknowledgedAt"] { _ = body.value(name) }
      return trigger(&body)
    }
  }

  /// The alarms of a reminder in an import.
  static func transfer(_ body: inout Body) -> [TransferAlarm]? {
    body.objects("alarms", most: ReminderAlarm.most) { body in
      _ = body.value("id")
      let snoozed = body.nullable("snoozedUntil", .instant) ?? nil
      let acknowledged = body.nullable("acknowledgedAt", .instant) ?? nil
      return trigger(&body).map {
        TransferAlarm($0, snoozedUntil: snoozed, acknowledgedAt: acknowledged)
      }
    }
  }

  private static func trigger(_ body: inout Body) -> AlarmTrigger? {
    let faults = body.errors.count
    let moment = moment(&body)
    if moment == nil, body.errors.count == faults { body.require("offset", false) }
    let repetition = (body.nullableObject("repeat", repetition) ?? nil) ?? nil
    return moment.map { AlarmTrigger($0, repetition: repetition) }
  }

  /// The fault of an offset that cannot be read.
  static let expectedOffset =
    "expected an ISO 8601 duration of days and time, such as -PT10M or -P1DT2H, of at most 366 days"

  /// Either `at`, or `offset` with `from`.
  private static func moment(_ body: inout Body) -> AlarmTrigger.Moment? {
    let at = body.nullable("at", .instant) ?? nil
    let offset = body.nullableString("offset", 1...40) ?? nil
    let from =
      body.nullableOneOf(
        "from", ReminderAlarm.Anchor.allCases.map { ($0.label, $0) }) ?? nil
    guard let offset else {
      if from != nil { body.fail("from", "needs an offset") }
      return at.map { .at($0) }
    }
    guard at == nil else {
      body.fail("offset", "is not possible together with at")
      return nil
    }
    guard let duration = AlarmTrigger.offset(offset) else {
      body.fail("offset", expectedOffset)
      return nil
    }
    return .offset(duration, from: from ?? .due)
  }

  private static func repetition(_ body: inout Body) -> AlarmTrigger.Repetition? {
    let text = body.string("every", 1...40)
    let times = body.integer("times", in: AlarmTrigger.Repetition.allowedTimes)
    body.require("every", text != nil)
    body.require("times", times != nil)
    guard let text, let times else { return nil }
    guard let repetition = AlarmTrigger.Repetition(every: text, times: times) else {
      body.fail("every", "expected a duration of 1 minute to 1 day, such as PT5M")
      return nil
    }
    return repetition
  }
}

extension AlarmTrigger {
  /// Writes the members as a request has them.
  func writeMembers(_ object: inout JSONObjectWriter) {
    switch moment {
    case .at(let instant): object.member("at", RFC3339.string(instant))
    case .offset(let offset, let from):
      object.member("offset", offset.description)
      object.member("from", from.label)
    }
    guard let repetition else { return }
    object.member("repeat") { body in
      JSONWriter.object(into: body) {
        $0.member("every", repetition.every.description)
        $0.member("times", repetition.times)
      }
    }
  }
}
