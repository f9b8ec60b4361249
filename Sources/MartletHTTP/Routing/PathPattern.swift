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

  /// How many of its segments are parameters.
  public var parameterCount: Int { parameters.count }

  var parameters: [String] {
    segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }
}

extension Request {
  /// Whether the path is one of `pattern`'s; then the pattern's parameters are the request's. For a
  /// request of one's own making (``init(_:target:fields:body:peer:)``), whose route is looked for
  /// beside the server's tree.
  public func matches(_ pattern: PathPattern) -> Bool {
    guard storage.segments.count == pattern.segments.count else { return false }
    var parameters: [Slice] = []
    for (slice, segment) in zip(storage.segments, pattern.segments) {
      switch segment {
      case .literal(let text):
        guard storage[slice].elementsEqual(text.utf8) else { return false }
      case .parameter:
        guard slice.count > 0 else { return false }
        parameters.append(slice)
      }
    }
    storage.parameterNames = pattern.parameters
    storage.parameters = parameters
    return true
  }
}
