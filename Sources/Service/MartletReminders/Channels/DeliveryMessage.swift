import MartletCourier
import MartletJSON
import MartletTime

/// The request that takes a delivery to its channel.
enum DeliveryMessage {
  /// The number of characters of a reminder's notes in a notification of ntfy.
  static let longestMessage = 500

  /// - Parameter publicURL: The address of this server for people, without a slash at its end.
  /// - Returns: `nil` if another program has stored something that cannot be sent.
  static func request(
    _ delivery: Delivery, to channel: Channel, publicURL: String?, at now: Instant
  ) -> CourierRequest? {
    guard let event = JSONValue.stored(delivery.body)?.object else { return nil }
    let facts = Facts(event, delivery, publicURL: publicURL)
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
      let text = MessageTemplate(body, mediaType: settings.mediaType).filled { facts[$0] }
      return CourierRequest(
        settings.method.flatMap { CourierRequest.Method(rawValue: $0) } ?? .post, channel.url,
        fields: settings.fields, body: Array(text.utf8))
    }
  }

  /// The parts of an event that messages for people show.
  private struct Facts {
    let type: ChannelEvent?
    let id: Int?
    var title = ""
    var notes = ""
    let list: String
    let due: String
    let priority: String?
    let tags: [String]
    let url: String

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
      priority = reminder?["priority"]?.string
      tags = (reminder?["tags"]?.array ?? []).compactMap(\.string)
      let place = id.map { reminder == nil ? "/#/lists/\($0)" : "/#/reminders/\($0)" }
      url = publicURL.map { $0 + (place ?? "/") } ?? ""
      if type == .test {
        title = "Martlet"
        notes = "The channel \(data?["channel"]?.object?["name"]?.string ?? "") works."
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
      }
    }

    /// A message for ntfy (https://docs.ntfy.sh/publish/#publish-as-json).
    func ntfy(_ topic: String) -> [UInt8] {
      let buffer = ByteBuffer(capacity: 512)
      JSONWriter.object(into: buffer) { object in
        object.member("topic", topic)
        object.member("title", title.isEmpty ? "Martlet" : title)
        object.member("message", message)
        object.member("priority", priority == "high" ? 5 : priority == "medium" ? 4 : 3)
        if !tags.isEmpty { object.member("tags", tags) }
        if !url.isEmpty { object.member("click", url) }
      }
      return Array(buffer.bytes)
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
      case .test, nil: beginning
      }
    }
  }
}
