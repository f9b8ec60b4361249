import MartletCourier
import MartletJSON
import MartletQueryBuilder
import MartletTime

/// Where alarms and changes are sent.
@Table("channels")
struct Channel: Equatable, Sendable {
  let id: Int
  var kind: ChannelKind
  var name: String
  var url: String
  /// The types of the events that are sent, as a JSON array of texts.
  var events: String
  /// The lists whose reminders are sent, as a JSON array of IDs; `nil`: all.
  var lists: String?
  /// A ``ChannelSettings`` without its secrets, as JSON.
  var settings: String
  /// ``ChannelCredentials`` as JSON.
  var credentials: String
  var isEnabled = true
  /// Whether changes are sent, and not only alarms.
  var isFollowing = false
  /// The newest change that it has seen.
  var version = 0
  /// The newest reminder, list and completion that it has seen.
  var reminderID = 0
  var listID = 0
  var completionID = 0
  /// Since when no message was delivered.
  var failingSince: Instant?
  var lastError: String?
  var createdAt: Instant
  /// The API key that made a push subscription, which ends with it; `nil` if there were no keys.
  var keyID: Int?
  /// When a push service last accepted a message.
  var sentAt: Instant?
  /// When the device last reported that it has shown a message.
  var seenAt: Instant?
  /// When the push service reported that the subscription has ended.
  var lostAt: Instant?
  /// Since when people should know that it does not work: ``ChannelHealth``.
  var brokenAt: Instant?
  /// How long after it began to ring an alarm is sent, as a duration; `nil`: at once.
  var after: String?
  /// ``QuietHours`` as JSON.
  var quiet: String?
}

/// The protocol of a channel.
public enum ChannelKind: Int, QueryBindable, CaseIterable, Sendable {
  /// A receiver of webhooks (Standard Webhooks), an ntfy server, or any HTTP API by a template.
  case webhook, ntfy, template
  /// A subscription of a browser (Web Push), which has routes of its own.
  case push
  /// A mail server, and the address of a reader.
  case mail

  /// The kinds that `POST /v1/channels` makes.
  public static let made: [ChannelKind] = [.webhook, .ntfy, .template, .mail]

  /// Whether its messages are for people, and can make no sound.
  var isForPeople: Bool { self == .ntfy || self == .push || self == .mail }

  /// The lane of its messages.
  var lane: CourierLane {
    switch self {
    case .webhook, .ntfy, .template: .request
    case .push: .push
    case .mail: .mail
    }
  }

  public static var kind: ColumnKind { .labels(allCases.map(\.label)) }
  /// The name in the API.
  public var label: String {
    switch self {
    case .webhook: "webhook"
    case .ntfy: "ntfy"
    case .template: "template"
    case .push: "push"
    case .mail: "mail"
    }
  }
}

/// An event that is sent to channels.
public enum ChannelEvent: String, CaseIterable, Sendable {
  /// An alarm rings, or does not ring any more.
  case alarmRinging = "alarm.ringing"
  case alarmEnded = "alarm.ended"
  /// A reminder was created, changed, completed, or is gone.
  case reminderCreated = "reminder.created"
  case reminderChanged = "reminder.changed"
  case reminderCompleted = "reminder.completed"
  case reminderDeleted = "reminder.deleted"
  /// A list was created, changed, or is gone.
  case listCreated = "list.created"
  case listChanged = "list.changed"
  case listDeleted = "list.deleted"
  /// Several alarms ring at once, for people in one message.
  case alarmSummary = "alarm.summary"
  /// Another channel does not work.
  case channelBroken = "channel.broken"
  /// A client tries the channel.
  case test = "channel.test"

  /// The types that a channel can be set to.
  public static let choices = allCases.filter { $0 != .test && $0 != .alarmSummary }
    .map(\.rawValue)
  /// All of them.
  public static let all = "*"
  /// The types that do not come from the change feed.
  static let notOfFeed = [alarmRinging, alarmEnded, channelBroken]

  /// How long it is tried to deliver an event.
  var lifetime: Duration {
    switch self {
    case .alarmRinging, .alarmEnded, .alarmSummary, .channelBroken, .test: .seconds(86_400)
    default: .seconds(4 * 86_400)
    }
  }
}

extension Channel {
  /// Whether alarms are sent to people: one that does not ring any more is not sent.
  var isForPeople: Bool { sendsTexts || after != nil || quiet != nil }

  /// Whether it sends texts to people: several alarms are one message then.
  var sendsTexts: Bool {
    kind.isForPeople
      || kind == .template && JSONValue.stored(settings)?["people"]?.bool == true
  }

  /// How long after it began to ring an alarm is sent.
  var pause: Duration {
    .milliseconds(after.flatMap { CivilDuration($0) }?.milliseconds ?? 0)
  }

  /// The quiet hours; `nil` also if another program has stored something else.
  var quietHours: QuietHours? {
    let stored = quiet.flatMap { JSONValue.stored($0)?.object }
    guard let stored, let from = stored["from"]?.string, let to = stored["to"]?.string,
      let mode = stored["mode"]?.string.flatMap({ QuietHours.Mode(rawValue: $0) })
    else { return nil }
    return QuietHours(from: from, to: to, mode: mode, timeZone: stored["timeZone"]?.string)
  }

  /// The end of the quiet hours, and how alarms are handled until then; `nil` at other times.
  ///
  /// - Parameter house: The zone of the server.
  func quietHours(at now: Instant, in house: ZoneInfo) -> (mode: QuietHours.Mode, end: Instant)? {
    guard let hours = quietHours, let end = hours.end(at: now, house) else { return nil }
    // Apple's devices might make a sound for a silent message.
    return (kind == .push && !takesBack ? .later : hours.mode, end)
  }

  /// Whether events of this type are sent.
  func sends(_ event: ChannelEvent) -> Bool {
    if event == .alarmEnded, !takesBack { return false }
    if event == .channelBroken, sendsTexts { return true }
    let names = (JSONValue.stored(events)?.array ?? []).compactMap(\.string)
    return names.contains(event.rawValue) || names.contains(ChannelEvent.all)
  }

  /// Whether a notification that a person was sent can be taken back. Apple's push service would
  /// make a sound for it.
  private var takesBack: Bool {
    switch kind {
    case .webhook, .template: true
    case .ntfy, .mail: false
    case .push: pushHost?.hasSuffix("push.apple.com") == false
    }
  }

  /// Whether the types of events need the change feed.
  static func follows(_ events: [String]) -> Bool {
    events.contains { !ChannelEvent.notOfFeed.map(\.rawValue).contains($0) }
  }

  /// The lists whose reminders are sent: none, if another program has written something else.
  var extent: ListExtent {
    guard let lists else { return .all }
    let ids = JSONValue.stored(lists)?.array ?? []
    return .only(ids.compactMap { $0.int64.map(Int.init) })
  }
}

extension JSONValue {
  /// Reads JSON of a column. It is valid, unless the file is damaged.
  static func stored(_ text: String) -> JSONValue? {
    var text = text
    return text.withUTF8 { try? JSONValue.parse($0) }
  }
}

/// A channel as the API returns it.
@Selection
public struct ChannelItem: Equatable, Sendable {
  /// The maximum number of channels.
  public static let most = 50

  /// The ID of the channel.
  public let id: Int
  /// The protocol of the channel.
  public let kind: ChannelKind
  /// The name, for people.
  public let name: String
  /// Where messages are sent.
  public let url: String
  /// The types of the events that are sent.
  @Column(as: JSONArray<String>.self) public let events: [String]
  /// The lists whose reminders are sent; `nil`: all.
  @Column(as: JSONArray<Int>?.self) public let lists: [Int]?
  /// The settings of its kind, with ``ChannelSettings/mask`` in place of secrets.
  @Column(as: ChannelSettings.JSONRepresentation.self) public let settings: ChannelSettings
  /// Whether anything is sent.
  public let isEnabled: Bool
  /// Since when no message was delivered, if that is so.
  public let failingSince: Instant?
  /// Why the last attempt failed, if it did.
  public let lastError: String?
  /// Since when people should know that it does not work; `nil` if it does.
  public let brokenAt: Instant?
  /// How long after it began to ring an alarm is sent; `nil`: at once.
  public let after: String?
  /// The hours in which it does not wake people.
  @Column(as: QuietHours.JSONRepresentation?.self) public let quiet: QuietHours?
  /// When it was created.
  public let createdAt: Instant
}

extension Channel.TableColumns {
  /// The columns of a ``ChannelItem``.
  var item: ChannelItem.Columns {
    ChannelItem.Columns(
      id: id, kind: kind, name: name, url: url, events: SQLQueryExpression("\(events)"),
      lists: SQLQueryExpression("\(lists)"), settings: SQLQueryExpression("\(settings)"),
      isEnabled: isEnabled, failingSince: failingSince, lastError: lastError,
      brokenAt: brokenAt, after: after, quiet: SQLQueryExpression("\(quiet)"),
      createdAt: createdAt)
  }
}
