/// The request methods that the server knows. Requests with other methods get 501.
///
/// They are those of RFC 9110 section 9, PATCH of RFC 5789, and QUERY, a GET with a body.
public enum Method: UInt8, Sendable, CaseIterable {
  /// The methods. ``name`` is the token that a request line has.
  case get, head, post, put, patch, delete, options, trace, connect, query

  /// The name of the method in a request line. Methods are case-sensitive.
  public var name: String {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    case .put: "PUT"
    case .patch: "PATCH"
    case .delete: "DELETE"
    case .options: "OPTIONS"
    case .trace: "TRACE"
    case .connect: "CONNECT"
    case .query: "QUERY"
    }
  }

  /// Whether the method only reads (RFC 9110 section 9.2.1).
  public var isSafe: Bool {
    switch self {
    case .get, .head, .options, .trace, .query: true
    case .post, .put, .patch, .delete, .connect: false
    }
  }

  init?(_ token: UnsafeBufferPointer<UInt8>) {
    switch token.count {
    case 3:
      if token.equals("GET") { self = .get; return }
      if token.equals("PUT") { self = .put; return }
    case 4:
      if token.equals("POST") { self = .post; return }
      if token.equals("HEAD") { self = .head; return }
    case 5:
      if token.equals("PATCH") { self = .patch; return }
      if token.equals("TRACE") { self = .trace; return }
      if token.equals("QUERY") { self = .query; return }
    case 6:
      if token.equals("DELETE") { self = .delete; return }
    case 7:
      if token.equals("OPTIONS") { self = .options; return }
      if token.equals("CONNECT") { self = .connect; return }
    default: break
    }
    return nil
  }
}

extension Method: CustomStringConvertible {
  public var description: String { name }
}
