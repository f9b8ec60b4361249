/// The path of a route: `/v1/lists/{id}/reminders`.
///
/// A segment in braces matches any one non-empty segment; others match themselves. Segments are
/// compared decoded.
public struct PathPattern: Sendable, Hashable, ExpressibleByStringLiteral {
  enum Segment: Sendable, Hashable {
    case literal(String)
    case parameter(String)
  }

  let segments: [Segment]
  public let text: String

  /// Throws where `text` is no pattern: it begins with `/`, braces are around whole segments, and each parameter has a
  /// name of its own.
  public init(_ text: String) throws(RouteError) {
    self.text = text
    guard text.hasPrefix("/") else {
      throw .pattern(text, reason: "does not begin with a slash")
    }
    guard !text.contains(where: { $0 == "?" || $0 == "#" }) else {
      throw .pattern(text, reason: "has more than a path")
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

  /// A mistake in the text stops the program.
  public init(stringLiteral text: String) {
    do { try self.init(text) } catch { fatalError("\(error)") }
  }

  var parameters: [String] {
    segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }
}
