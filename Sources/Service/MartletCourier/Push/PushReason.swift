import MartletJSON

/// A reason of a push service for its status. Nothing else of an answer's body is reported.
///
/// The words are those of Apple
/// (https://developer.apple.com/documentation/usernotifications/sending-web-push-notifications-in-web-apps-and-browsers)
/// and the numbers those of Mozilla (https://mozilla-services.github.io/autopush-rs/errors.html).
public struct PushReason: Hashable, Sendable, CustomStringConvertible {
  /// A word of Apple such as `BadJwtToken`, or `errno 109` of Mozilla.
  public let description: String

  /// The reason with this description. Returns `nil` if it is unknown.
  public init?(_ description: String) {
    guard PushReason.known.contains(description) else { return nil }
    self.description = description
  }

  /// All known reasons.
  static let known: Set<String> = words.union(numbers.map { "errno \($0)" })

  private static let words: Set<String> = [
    "BadAuthorizationHeader", "BadDeviceToken", "BadJwtToken", "BadPath", "BadTtl", "BadUrgency",
    "BadVapidPublicKey", "BadWebPushRequest", "BadWebPushTopic", "ExpiredJwtToken", "ExpiredToken",
    "Forbidden", "InternalServerError", "MethodNotAllowed", "PayloadEmpty", "PayloadTooLarge",
    "ServiceUnavailable", "Shutdown", "TooManyRequests", "Unregistered", "VapidPkHashMismatch",
  ]

  private static let numbers: Set<Int64> = [
    101, 102, 103, 104, 105, 106, 108, 109, 110, 111, 112, 113, 201, 202, 900, 901, 902, 903, 999,
  ]

  /// The number of bytes of an answer's body in which a reason is searched. Bodies that have one
  /// are shorter.
  static let prefix = 4096

  /// Reads the body of an answer, or as much as there is of it. Returns `nil` if it has no known
  /// reason.
  init?(body: [UInt8]) {
    guard let object = try? JSONValue.parse(body, depthLimit: 4) else { return nil }
    let number = object["errno"]?.int64.map { "errno \($0)" }
    guard let text = object["reason"]?.string ?? number else { return nil }
    self.init(text)
  }
}
