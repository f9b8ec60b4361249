/// A host that browsers may name for Web Push: a name, or all names below one.
public struct PushHost: Hashable, Sendable {
  /// The name in lower case.
  private let name: String
  /// Whether the names below it are meant.
  private let isSuffix: Bool

  /// Reads `fcm.googleapis.com` or `*.push.apple.com`. Returns `nil` for anything else.
  public init?(_ text: String) {
    isSuffix = text.hasPrefix("*.")
    guard
      case .name(let name)? = try? Destination.host(
        (isSuffix ? String(text.dropFirst(2)) : text).lowercased())
    else { return nil }
    self.name = name
  }

  /// The accepted forms, for error messages: "must be …".
  public static let expected = "a host name such as fcm.googleapis.com, or *.push.apple.com"

  func matches(_ host: Destination.Host) -> Bool {
    guard case .name(let other) = host else { return false }
    return isSuffix ? other.hasSuffix(".\(name)") : other == name
  }
}
