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

  /// `text` begins with `/`; a mistake in it is one of the program, and stops it.
  public init(_ text: String) {
    precondition(text.hasPrefix("/"), "a path pattern begins with a slash: \(text)")
    self.text = text
    guard text != "/" else {
      segments = []
      return
    }
    segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
      guard $0.hasPrefix("{") else { return .literal(String($0)) }
      precondition($0.hasSuffix("}") && $0.count > 2, "a parameter is {name}: \(text)")
      return .parameter(String($0.dropFirst().dropLast()))
    }
  }

  public init(stringLiteral text: String) { self.init(text) }

  var parameters: [String] {
    segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }
}
