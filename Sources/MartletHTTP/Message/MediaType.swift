/// A media type without its parameters: `application/json` (RFC 9110 section 8.3.1).
public struct MediaType: Hashable, Sendable, ExpressibleByStringLiteral {
  /// In lowercase.
  public let type: String
  public let subtype: String

  public static let json: MediaType = "application/json"
  public static let problem: MediaType = "application/problem+json"
  public static let eventStream: MediaType = "text/event-stream"
  public static let html: MediaType = "text/html"

  public init(type: String, subtype: String) {
    self.type = type.lowercased()
    self.subtype = subtype.lowercased()
  }

  /// Reads a `Content-Type`; parameters are dropped. `nil` when it is none.
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
    precondition(parts.count == 2, "a media type is type/subtype: \(text)")
    self.init(type: String(parts[0]), subtype: String(parts[1]))
  }
}

extension MediaType: CustomStringConvertible {
  public var description: String { "\(type)/\(subtype)" }
}
