/// The path pattern of a route, such as `/v1/lists/{id}/reminders`.
///
/// A segment in braces matches any non-empty segment; every other segment matches itself. Segments
/// are compared after decoding.
public struct PathPattern: Sendable, Hashable, ExpressibleByStringLiteral {
  enum Segment: Sendable, Hashable {
    case literal(String)
    case parameter(String)
  }

  let segments: [Segment]
  /// The pattern as it was written.
  public let text: String

  /// Parses a pattern.
  ///
  /// Throws ``RouteError`` unless the text begins with `/`, has no query or fragment, puts braces
  /// only around whole segments, and gives each parameter a different name.
  public init(_ text: String) throws(RouteError) {
    self.text = text
    guard text.hasPrefix("/") else {
      throw .pattern(text, reason: "does not begin with a slash")
    }
    guard !text.contains(where: { $0 == "?" || $0 == "#" }) else {
      throw .pattern(text, reason: "contains a query or a fragment")
    }
    guard text != "/" else {
      segments = []
      return
    }
    var segments: [Segment] = []
    for segment in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard segment.contains(where: { $0 == "{" || $0 == "}" }) else {
        segments.append(.literal(String(segment)))
        continue
      }
      let name = segment.dropFirst().dropLast()
      guard segment.hasPrefix("{"), segment.hasSuffix("}"), !name.isEmpty,
        !name.contains(where: { $0 == "{" || $0 == "}" })
      else {
        throw .pattern(text, reason: "has braces that are not around a whole segment: \(segment)")
      }
      guard !segments.contains(.parameter(String(name))) else {
        throw .pattern(text, reason: "has the parameter {\(name)} twice")
      }
      segments.append(.parameter(String(name)))
    }
    self.segments = segments
  }

  /// Parses a pattern. An invalid literal stops the program.
  public init(stringLiteral text: String) {
    do { try self.init(text) } catch { fatalError("\(error)") }
  }

  var parameters: [String] {
    segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }
}
