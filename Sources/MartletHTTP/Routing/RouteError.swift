/// A mistake in a program's routes.
public enum RouteError: Error, Equatable, CustomStringConvertible {
  /// A text that is no pattern of paths.
  case pattern(String, reason: String)
  /// The method and path have a route already, whose pattern is `other`: parameters of different names are the same path.
  case isThere(Method, String, other: String)
  /// A handler asked for a parameter that the pattern does not have.
  case noParameter(String, pattern: String)

  public var description: String {
    switch self {
    case .pattern(let text, let reason): "the route \"\(text)\" \(reason)"
    case .isThere(let method, let pattern, let other):
      pattern == other
        ? "the route \(method.name) \(pattern) is there twice"
        : "the routes \(method.name) \(other) and \(method.name) \(pattern) have the same paths"
    case .noParameter(let name, let pattern):
      "the route \(pattern) has no parameter {\(name)}"
    }
  }
}
