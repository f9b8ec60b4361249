/// A media type without its parameters, such as `application/json` (RFC 9110 section 8.3.1).
public struct MediaType: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The type before the slash, in lowercase.
  public let type: String
  /// The subtype after the slash, in lowercase.
  public let subtype: String

  /// `application/json`.
  public static let json: MediaType = "application/json"
  /// `application/problem+json`, the type of problem documents (RFC 9457).
  public static let problem: MediaType = "application/problem+json"
  /// `text/event-stream`, the type of event streams.
  public static let eventStream: MediaType = "text/event-stream"
  /// `text/html`.
  public static let html: MediaType = "text/html"

  /// Makes a media type of its two parts, which are lowercased.
  public init(type: String, subtype: String) {
    self.type = type.lowercased()
    self.subtype = subtype.lowercased()
  }

  /// Parses the value of a `Content-Type` field and drops the parameters. `nil` if it is not a
  /// media type.
  public init?(_ text: String) {
    let essence = text.prefix { $0 != ";" }
    let parts = essence.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    var type = String(parts[0].drop { $0 == " " || $0 == "\t" })
    var subtype = String(parts[1])
    while let last = subtype.last, last == " " || last == "\t" { subtype.removeLast() }
    guard type.withUTF8({ Grammar.isToken($0) }), subtype.withUTF8({ Grammar.isToken($0) })
    else { return nil }
    self.init(type: type, subtype: subtype)
  }

  public init(stringLiteral text: String) {
    let parts = text.split(separator: "/")
    precondition(parts.count == 2, "a media type must be type/subtype: \(text)")
    self.init(type: String(parts[0]), subtype: String(parts[1]))
  }
}

extension MediaType: CustomStringConvertible {
  public var description: String { "\(type)/\(subtype)" }
}
