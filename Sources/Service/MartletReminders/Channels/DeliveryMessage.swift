import MartletCourier
import MartletJSON
import MartletTime

/// The request that takes a delivery to its channel.
enum DeliveryMessage {
  /// The number of characters of a reminder's notes in a notification of ntfy, or a mail.
  static let longestMessage = 500

  /// The values that all messages of a server have in common.
  struct Sender: Sendable {
    /// The address of this server for people, without a slash at its end.
    var publicURL: String?
    /// The address of this server for operators of push services, if a setting has one.
    var contact: String?
    /// The zone of a reminder without one.
    var zone = ZoneInfo.utc
    /// The key pair for push services.
    var pushKey: VAPIDKey?
  }

  /// - Parameter mayAnswer: Whether the reader may answer alarms.
  /// - Returns: `nil` if another program has stored something that cannot be sent.
  static func request(
    _ delivery: Delivery, to channel: Channel, _ sender: Sender, mayAnswer: Bool, at now: Instant
  ) -> CourierRequest? {
    guard let event = JSONValue.stored(delivery.body)?.object else { return nil }
    var facts = Facts(event, delivery, publicURL: sender.publicURL)
    facts.isQuiet = facts.mayBeQuiet && channel.quietHours(at: now, in: sender.zone) != nil
    let settings = channel.allSettings
    switch channel.kind {
    case .webhook:
      return CourierRequest(
        channel.url, fields: [CourierRequest.Field("Content-Type", "application/json")],
        body: Array(delivery.body.utf8), messageID: delivery.eventID,
        secrets: channel.secrets.secrets(at: now))
    case .ntfy:
      guard let topic = settings.topic else { return nil }
      var fields = [CourierRequest.Field("Content-Type", "application/json")]
      if let token = settings.token {
        fields.append(CourierRequest.Field("Authorization", "Bearer \(token)"))
      }
      return CourierRequest(channel.url, fields: fields, body: facts.ntfy(topic))
    case .template:
      guard let body = settings.body else { return nil }
      facts.secret = settings.secret ?? ""
      let text = MessageTemplate(body, mediaType: settings.mediaType).filled { facts[$0] }
      let fields = settings.fields.map { field in
        CourierRequest.Field(
          field.name, MessageTemplate(field: field.value).filled { facts[$0] })
      }
      return CourierRequest(
        settings.method.flatMap { CourierRequest.Method(rawValue: $0) } ?? .post,
        MessageTemplate(url: channel.url).filled { facts[$0] }, fields: fields,
        body: Array(text.utf8))
    case .mail:
      guard let from = settings.from, let to = settings.to else { return nil }
      let envelope = MailEnvelope(
        from: from, to: to, user: settings.user, password: settings.password,
        security: ChannelURL.security(of: channel.url, settings))
      return CourierRequest(
        mail: envelope, server: channel.url,
        text: facts.mail(from: from, to: to, in: sender.zone).bytes)
    case .push:
      guard let recipient = channel.recipient, let key = sender.pushKey,
        let contact = sender.contact ?? channel.contact
      else { return nil }
      let (payload, subject) = facts.push(in: sender.zone, mayAnswer: mayAnswer)
      let seconds = max(0, delivery.expiresAt.milliseconds(since: now) / 1_000)
      let envelope = PushEnvelope(
        to: recipient, from: key, subject: contact, timeToLive: .seconds(seconds),
        urgency: facts.isUrgent ? .high : .normal, about: subject)
      return CourierRequest(push: envelope, endpoint: channel.url, payload: payload)
    }
  }

  /// The beginning of a text, so that it has at most so many bytes in a payload. Control
  /// characters, which take six bytes in JSON, become spaces.
  private static func cut(_ text: String, _ most: Int) -> String {
    var (result, count) = (String.UnicodeScalarView(), 0)
    for scalar in text.unicodeScalars {
      let shown = scalar.value < 0x20 ? " " : scalar
      count += UTF8.width(shown) + (shown == "\"" || shown == "\\" ? 1 : 0)
      guard count <= most else { break }
      result.append(shown)
    }
    return String(result)
  }

  /// The parts of an event that messages for people show.
  private struct Facts {
    let type: ChannelEvent?
    let id: Int?
    var title = ""
    var notes = ""
    /// The name of a channel that is tried, or is broken.
    var name = ""
    /// The number of alarms in a summary, and the first titles.
    var count = 0
    var titles: [String] = []
    /// The secret of a template.
    var secret = ""
    /// Since when a channel is broken.
    var since: String?
    let list: String
    let due: String
    let priority: String?
    let tags: [String]
    let url: String
    /// The token of the reader's answer; `nil` if the alarm cannot be answered.
    let token: String?
    private let publicURL: String?
    /// The URL of an answer.
    private var answerURL: String? { publicURL.map { $0 + "/v1/answers" } }
    /// The page on which the reader answers.
    private var answerPage: String? {
      publicURL.flatMap { url in token.map { "\(url)/#answer=\($0)" } }
    }
    let eventID: String
    /// Whether the alarm rings before its reminder is due.
    let isEarly: Bool
    let alarm: Int?
    let reminderID: Int?
    let zone: String?
    /// When the event happened.
    let time: Instant
    /// Whether the message makes no sound.
    var isQuiet = false

    init(_ event: JSONObject, _ delivery: Delivery, publicURL: String?) {
      type = ChannelEvent(rawValue: delivery.type)
      let data = event["data"]?.object
      let reminder = data?["reminder"]?.object
      let itself = data?["list"]?.object
      let item = reminder ?? itself
      id = item?["id"]?.int64.map(Int.init)
      title = item?["title"]?.string ?? ""
      notes = reminder?["notes"]?.string ?? ""
      list = itself?["title"]?.string ?? ""
      due = reminder?["dueDate"]?.string ?? ""
      priority = (reminder ?? data)?["priority"]?.string
      tags = (reminder?["tags"]?.array ?? []).compactMap(\.string)
      let place = id.map { reminder == nil ? "/#/lists/\($0)" : "/#/reminders/\($0)" }
      url = publicURL.map { $0 + (place ?? "/") } ?? ""
      eventID = delivery.eventID
      let ringing = data?["alarm"]?.object
      alarm = ringing?["id"]?.int64.map(Int.init)
      reminderID = ringing?["reminderID"]?.int64.map(Int.init)
      zone = reminder?["timeZone"]?.string
      time = delivery.createdAt
      token = delivery.token.map { AnswerToken.text(of: delivery.id, $0) }
      self.publicURL = publicURL
      isEarly = (try? DueDate(due)).map { Facts.isEarly($0, delivery.createdAt) } ?? false
      let channel = (data?["channel"] ?? data?["subscription"])?.object
      name = channel?["name"]?.string ?? ""
      since = data?["since"]?.string
      if type == .test {
        title = "Martlet"
        notes = "The channel \(name) works."
      } else if type == .alarmSummary {
        count = data?["count"]?.int64.map(Int.init) ?? 0
        titles = (data?["titles"]?.array ?? []).compactMap(\.string)
        title = "\(count) alarms"
        notes = titles.joined(separator: ", ") + (count > titles.count ? ", …" : "")
      } else if type == .channelBroken {
        title = "\(name) gets nothing"
        notes = channel?["lastError"]?.string ?? "The device has not shown its last alarms."
      }
    }

    subscript(_ name: MessageTemplate.Name) -> String {
      switch name {
      case .title: title
      case .notes: notes
      case .list: list
      case .due: due
      case .type: type?.rawValue ?? ""
      case .id: id.map(String.init) ?? ""
      case .url: url
      case .event: eventID
      case .priority: priority ?? ""
      case .answer: token ?? ""
      case .secret: secret
      }
    }

    /// A message for ntfy (https://docs.ntfy.sh/publish/#publish-as-json).
    func ntfy(_ topic: String) -> [UInt8] {
      let buffer = ByteBuffer(capacity: 512)
      JSONWriter.object(into: buffer) { object in
        object.member("topic", topic)
        object.member("title", title.isEmpty ? "Martlet" : title)
        object.member("message", message)
        object.member("priority", ntfyPriority)
        if !tags.isEmpty { object.member("tags", tags) }
        if !url.isEmpty { object.member("click", url) }
        if let token, let answerURL {
          object.member("actions") { body in
            JSONWriter.array(into: body) { array in
              let first = isEarly ? AlarmAnswer.stop : .done
              for (label, answer) in [
                (isEarly ? "Stop" : "Done", first),
                ("\(AlarmAnswer.usualMinutes) minutes", .snooze),
              ] {
                array.element { Facts.write(label, answer, token, to: answerURL, into: $0) }
              }
            }
          }
        }
      }
      return Array(buffer.bytes)
    }

    /// A mail. Its text has a line for each fact, and links.
    func mail(from: String, to: String, in house: ZoneInfo) -> MailMessage {
      var lines: [String] = []
      if type != .alarmRinging { lines += [title] }
      lines += [type == .alarmRinging ? list : message]
      if let due = dueText(in: house) { lines.append("Due: \(due)") }
      if type == .alarmRinging, !notes.isEmpty {
        lines += ["", String(notes.unicodeScalars.prefix(longestMessage))]
      }
      if !url.isEmpty { lines += ["", url] }
      if let answerPage { lines += ["", "Done, stop, or 10 minutes: \(answerPage)"] }
      return MailMessage(
        from: from, to: to, subject: title.isEmpty ? "Martlet" : title,
        text: lines.joined(separator: "\n") + "\n", id: eventID,
        thread: reminderID.map { "reminder-\($0)" }, date: time,
        isUrgent: isAlarm && !isQuiet)
    }

    /// The due date on the clocks of its zone.
    private func dueText(in house: ZoneInfo) -> String? {
      guard let date = try? DueDate(due) else { return nil }
      guard date.isTimed else { return due }
      let zone = zone.flatMap { try? ZoneDatabase.system.zone(named: $0) } ?? house
      let time = zone.time(at: date.start(in: zone))
      return "\(SQLiteTime.string(time.instant()).prefix(16)) (\(zone.identifier))"
    }

    /// A message for the worker of the web app, and the text that says what it is about. Members
    /// may be added to it, and none is taken away: a device may have an older version of the app.
    func push(in house: ZoneInfo, mayAnswer: Bool) -> (payload: [UInt8], about: String) {
      let buffer = ByteBuffer(capacity: 512)
      JSONWriter.object(into: buffer) { object in
        object.member("v", 1)
        switch type {
        case .test:
          object.member("kind", "test")
          object.member("name", DeliveryMessage.cut(name, 200))
        case .channelBroken:
          object.member("kind", "broken")
          object.member("name", DeliveryMessage.cut(name, 200))
          object.member("since", since)
        case .alarmEnded: object.member("kind", "ended")
        case .alarmSummary:
          object.member("kind", "summary")
          object.member("count", count)
          object.member("titles", titles.map { DeliveryMessage.cut($0, 100) })
          object.member("quiet", isQuiet)
        default: object.member("kind", "ring")
        }
        if type == .alarmRinging || type == .alarmEnded {
          object.member("firing", Outbox.firing(of: eventID))
          object.member("alarm", alarm)
          object.member("reminder", reminderID)
        }
        if type == .alarmRinging {
          object.member("title", DeliveryMessage.cut(title, 600))
          object.member("list", DeliveryMessage.cut(list, 200))
          object.member("due", due.isEmpty ? nil : due)
          object.member("zone", zone ?? house.identifier)
          object.member("rang", RFC3339.string(time))
          let answers = [isEarly ? AlarmAnswer.stop : .done, .snooze].map(\.rawValue)
          object.member("do", mayAnswer ? answers : [])
          object.member("quiet", isQuiet)
        }
        if let token { object.member("token", token) }
      }
      let subject =
        switch type {
        case .test: "test"
        case .channelBroken: "broken \(name)"
        case .alarmSummary: "summary"
        default: "alarm \(alarm ?? 0)"
        }
      return (Array(buffer.bytes), DeliveryMessage.cut(subject, 100))
    }

    /// Whether also a device that saves energy gets it at once.
    var isUrgent: Bool { isAlarm && !isQuiet || type == .test }

    /// Whether it says that something rings.
    private var isAlarm: Bool { type == .alarmRinging || type == .alarmSummary }

    /// Whether it follows quiet hours. What is important is heard at any time.
    var mayBeQuiet: Bool { isAlarm && priority != "high" }

    /// The priority at ntfy, from 1 to 5. An alarm has at least 4, which a phone shows at once, or
    /// 2, which makes no sound.
    private var ntfyPriority: Int {
      if isQuiet { return 2 }
      return switch priority {
      case "high": 5
      case "medium": 4
      default: isAlarm ? 4 : 3
      }
    }

    /// A button of ntfy that sends a request (https://docs.ntfy.sh/publish/#send-http-request). Its
    /// body is plain text, so that ntfy's web page may send it, too.
    private static func write(
      _ label: String, _ answer: AlarmAnswer, _ token: String, to url: String,
      into buffer: ByteBuffer
    ) {
      JSONWriter.object(into: buffer) { object in
        object.member("action", "http")
        object.member("label", label)
        object.member("url", url)
        object.member("method", "POST")
        object.member("body", #"{"token":"\#(token)","do":"\#(answer.rawValue)"}"#)
        object.member("clear", true)
      }
    }

    private static func isEarly(_ due: DueDate, _ now: Instant) -> Bool {
      due.start(in: .utc) > now.adding(seconds: due.isTimed ? 0 : 86_400)
    }

    private var message: String {
      let beginning = String(notes.unicodeScalars.prefix(longestMessage))
      return switch type {
      case .alarmRinging: beginning.isEmpty ? list : beginning
      case .reminderCreated: "Created in \(list)"
      case .reminderChanged: "Changed in \(list)"
      case .reminderCompleted: "Completed in \(list)"
      case .reminderDeleted: "Deleted from \(list)"
      case .listCreated: "List created"
      case .listChanged: "List changed"
      case .listDeleted: "List deleted"
      case .alarmEnded, .alarmSummary, .channelBroken, .test, nil: beginning
      }
    }
  }
}
