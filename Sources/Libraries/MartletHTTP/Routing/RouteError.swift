/// A programming error in the routes of a server.
public enum RouteError: Error, Equatable, CustomStringConvertible {
  /// A text that is not a valid path pattern, and the reason.
  case pattern(String, reason: String)
  /// A second route for a method and path. `other` is the pattern of the first one; patterns that
  /// differ only in parameter names match the same paths.
  case isThere(Method, String, other: String)
  /// A handler uses a parameter that the pattern does not have.
  case noParameter(String, pattern: String)

  public var description: String {
    switch self {
    case .pattern(let text, let reason): "the route \"\(text)\" \(reason)"
    case .isThere(let method, let pattern, let other):
      pattern == other
        ? "the route \(method.name) \(pattern) is registered twice"
        : "the routes \(method.name) \(other) and \(method.name) \(pattern) match the same paths"
    case .noParameter(let name, let pattern):
      "the route \(pattern) has no parameter {\(name)}"
    }
  }
}
