import MartletCourier
import MartletJSON
import MartletQueryBuilder
import MartletTime

/// A browser's subscription (https://www.w3.org/TR/push-api/#pushsubscription-interface).
public struct PushSubscription: Sendable {
  /// The URL of the push service, which is a secret.
  public var endpoint: String
  /// The keys of the browser.
  public var recipient: PushRecipient
  /// The address of this server for the operator of the push service, if no setting has one.
  public var contact: String?

  /// Creates a subscription.
  public init(endpoint: String, recipient: PushRecipient, contact: String?) {
    self.endpoint = endpoint
    self.recipient = recipient
    self.contact = contact
  }

  /// The host of the endpoint, and its port if it names one.
  var host: String {
    let start = endpoint.firstRange(of: "://")?.upperBound ?? endpoint.startIndex
    return String(endpoint[start...].prefix { !"/?#".contains($0) }).lowercased()
  }
}

/// A push subscription as the API returns it, without its endpoint and its keys.
@Selection
public struct PushSubscriptionItem: Equatable, Sendable {
  /// The maximum number of subscriptions, and of those of one API key.
  public static let most = 200
  /// The maximum number of subscriptions of one API key.
  public static let mostOfKey = 10

  /// The ID of the subscription, which is a channel.
  public let id: Int
  /// The name of the device.
  public let name: String
  /// The host of its push service.
  public let host: String
  /// The lists whose alarms are sent; `nil`: all that the key may read.
  @Column(as: JSONArray<Int>?.self) public let lists: [Int]?
  /// The API key that made it; `nil` if there was none.
  public let keyID: Int?
  /// When it was made.
  public let createdAt: Instant
  /// When its push service last accepted a message.
  public let sentAt: Instant?
  /// When the device last reported that it has shown a message.
  public let seenAt: Instant?
  /// When its push service reported that it has ended.
  public let lostAt: Instant?
  /// Since when no message was accepted, if that is so.
  public let failingSince: Instant?
  /// Why the last attempt failed, if it did.
  public let lastError: String?
  /// Since when people should know that it does not work; `nil` if it does.
  public let brokenAt: Instant?
  /// How long after it began to ring an alarm is sent; `nil`: at once.
  public let after: String?
  /// The hours in which it does not wake people.
  @Column(as: QuietHours.JSONRepresentation?.self) public let quiet: QuietHours?
}

extension Channel.TableColumns {
  /// The columns of a ``PushSubscriptionItem``.
  var subscription: PushSubscriptionItem.Columns {
    PushSubscriptionItem.Columns(
      id: id, name: name, host: #sql("\(settings) ->> '$.host'", as: String.self),
      lists: SQLQueryExpression("\(lists)"), keyID: keyID, createdAt: createdAt, sentAt: sentAt,
      seenAt: seenAt, lostAt: lostAt, failingSince: failingSince, lastError: lastError,
      brokenAt: brokenAt, after: after, quiet: SQLQueryExpression("\(quiet)"))
  }
}

// What is stored of a push subscription: its endpoint is the URL of the channel.
extension Channel {
  /// The keys of the browser; `nil` if the subscription has ended.
  var recipient: PushRecipient? {
    let stored = JSONValue.stored(credentials)?.object
    guard let p256dh = stored?["p256dh"]?.string, let auth = stored?["auth"]?.string else {
      return nil
    }
    return PushRecipient(p256dh: p256dh, auth: auth)
  }

  /// The host of the push service.
  var pushHost: String? { JSONValue.stored(settings)?.object?["host"]?.string }

  /// The address of this server for its operator, as it was when the subscription was made.
  var contact: String? { JSONValue.stored(settings)?.object?["contact"]?.string }

  /// Stores where messages go, and how they are encrypted.
  mutating func set(_ subscription: PushSubscription) {
    url = subscription.endpoint
    settings = Channel.object { object in
      object.member("host", subscription.host)
      object.member("contact", subscription.contact)
    }
    credentials = Channel.object { object in
      object.member("p256dh", subscription.recipient.p256dh)
      object.member("auth", subscription.recipient.auth)
    }
  }

  /// Erases the endpoint and the keys of a subscription that has ended.
  mutating func lose(at now: Instant) {
    url = "https://\(pushHost ?? "unknown")"
    credentials = "{}"
    isEnabled = false
    (lostAt, brokenAt, failingSince) = (now, now, nil)
  }
}
