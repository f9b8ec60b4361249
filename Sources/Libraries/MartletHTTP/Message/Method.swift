/// The request methods that the server knows. Requests with other methods get 501.
///
/// They are those of RFC 9110 section 9, PATCH of RFC 5789, QUERY, a GET with a body, and those of
/// WebDAV and CalDAV (RFC 4918 section 9, RFC 3253 section 3.6, RFC 3744 section 8.1, RFC 4791
/// section 5.3.1).
public enum Method: UInt8, Sendable, CaseIterable {
  /// The methods. ``name`` is the token that a request line has.
  case get, head, post, put, patch, delete, options, trace, connect, query
  /// The methods of WebDAV and CalDAV.
  case propfind, proppatch, mkcol, mkcalendar, report, move, copy, lock, unlock, acl

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
    case .propfind: "PROPFIND"
    case .proppatch: "PROPPATCH"
    case .mkcol: "MKCOL"
    case .mkcalendar: "MKCALENDAR"
    case .report: "REPORT"
    case .move: "MOVE"
    case .copy: "COPY"
    case .lock: "LOCK"
    case .unlock: "UNLOCK"
    case .acl: "ACL"
    }
  }

  /// Whether the method only reads (RFC 9110 section 9.2.1).
  public var isSafe: Bool {
    switch self {
    case .get, .head, .options, .trace, .query, .propfind, .report: true
    case .post, .put, .patch, .delete, .connect, .proppatch, .mkcol, .mkcalendar, .move, .copy,
      .lock, .unlock, .acl:
      false
    }
  }

  init?(_ token: UnsafeBufferPointer<UInt8>) {
    switch token.count {
    case 3:
      if token.equals("GET") { self = .get; return }
      if token.equals("PUT") { self = .put; return }
      if token.equals("ACL") { self = .acl; return }
    case 4:
      if token.equals("POST") { self = .post; return }
      if token.equals("HEAD") { self = .head; return }
      if token.equals("MOVE") { self = .move; return }
      if token.equals("COPY") { self = .copy; return }
      if token.equals("LOCK") { self = .lock; return }
    case 5:
      if token.equals("PATCH") { self = .patch; return }
      if token.equals("TRACE") { self = .trace; return }
      if token.equals("QUERY") { self = .query; return }
      if token.equals("MKCOL") { self = .mkcol; return }
    case 6:
      if token.equals("DELETE") { self = .delete; return }
      if token.equals("REPORT") { self = .report; return }
      if token.equals("UNLOCK") { self = .unlock; return }
    case 7:
      if token.equals("OPTIONS") { self = .options; return }
      if token.equals("CONNECT") { self = .connect; return }
    case 8:
      if token.equals("PROPFIND") { self = .propfind; return }
    case 9:
      if token.equals("PROPPATCH") { self = .proppatch; return }
    case 10:
      if token.equals("MKCALENDAR") { self = .mkcalendar; return }
    default: break
    }
    return nil
  }
}

extension Method: CustomStringConvertible {
  public var description: String { name }
}
