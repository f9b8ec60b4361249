import MartletHTTP
import MartletLiveAPI
import MartletXML

/// The routes of CalDAV (RFC 4791): lists as calendars, reminders as their to-dos.
public enum CalDAV {
  /// The settings of the routes.
  public typealias Settings = CalDAVSettings

  /// Larger than an object may be, so that a PUT above that limit gets the error of CalDAV instead
  /// of a 413.
  static let bodyLimit = 2 << 20

  /// All routes: below `/dav`, `PROPFIND /`, and `/.well-known/caldav`.
  public static func routes(_ settings: Settings) -> [Route] {
    var routes: [Route] = [.propfind, .get, .put, .post, .options, .report, .proppatch, .delete]
      .map { moved($0) }
    let fixed: [(String, FixedResource.Kind)] = [
      ("/dav", .root), ("/dav/", .root), ("/dav/principal", .principal),
      ("/dav/principal/", .principal), ("/dav/lists", .home), ("/dav/lists/", .home),
    ]
    for (path, kind) in fixed {
      routes.append(route(.propfind, path, settings) { try Finding.fixed(kind, $0, settings) })
      routes.append(route(.report, path, settings) { try Reports.ofPrincipals($0) })
      routes.append(route(.proppatch, path, settings) { try ListChanges.refuse($0) })
      routes.append(options(path, settings, "OPTIONS, PROPFIND, PROPPATCH, REPORT"))
    }
    routes.append(route(.propfind, "/", settings) { try Finding.fixed(.root, $0, settings) })
    for path in ["/dav/lists/{name}", "/dav/lists/{name}/"] {
      routes.append(route(.propfind, path, settings) { try Finding.list($0, settings) })
      routes.append(route(.proppatch, path, settings) { try ListChanges.set($0, settings) })
      routes.append(route(.mkcalendar, path, settings) { try ListChanges.create($0, settings) })
      routes.append(route(.mkcol, path, settings) { try ListChanges.create($0, settings) })
      routes.append(route(.delete, path, settings) { try ListChanges.delete($0, settings) })
      routes.append(
        route(.report, path, settings) { try Reports.ofList($0, settings) })
      routes.append(
        route(.get, path, settings, isOpenToSessions: true) { try Objects.feed($0, settings) })
      routes.append(
        options(
          path, settings,
          "DELETE, GET, HEAD, MKCALENDAR, MKCOL, OPTIONS, PROPFIND, PROPPATCH, REPORT"))
    }
    for path in ["/dav/lists/{name}/{file}", "/dav/lists/{name}/{file}/"] {
      for method in [MartletHTTP.Method.mkcol, .mkcalendar] {
        routes.append(route(method, path, settings) { try ListChanges.refuseInList($0) })
      }
    }
    let path = "/dav/lists/{name}/{file}"
    routes.append(route(.propfind, path, settings) { try Finding.object($0, settings) })
    routes.append(route(.proppatch, path, settings) { try ListChanges.refuseForObject($0) })
    routes.append(route(.report, path, settings) { try Reports.ofObject($0, settings) })
    routes.append(route(.get, path, settings) { try Objects.get($0, settings) })
    routes.append(route(.put, path, settings) { try Objects.put($0, $1, settings) })
    routes.append(route(.delete, path, settings) { try Objects.delete($0, settings) })
    routes.append(route(.move, path, settings) { try Objects.move($0, $1, settings) })
    routes.append(
      options(path, settings, "DELETE, GET, HEAD, MOVE, OPTIONS, PROPFIND, PROPPATCH, PUT, REPORT"))
    return routes
  }

  private typealias Answer = @Sendable (Request) throws -> ExchangeRoute.Work
  private typealias AnswerInContext = @Sendable (Request, Context) throws -> ExchangeRoute.Work

  private static func route(
    _ method: MartletHTTP.Method, _ path: String, _ settings: Settings,
    isOpenToSessions: Bool = false, _ answer: @escaping Answer
  ) -> Route {
    route(method, path, settings, isOpenToSessions: isOpenToSessions) { request, _ in
      try answer(request)
    }
  }

  private static func route(
    _ method: MartletHTTP.Method, _ path: String, _ settings: Settings,
    isOpenToSessions: Bool = false, _ answer: @escaping AnswerInContext
  ) -> Route {
    .exchange(
      method, path, parts: .respected, isOpenToSessions: isOpenToSessions, bodyLimit: bodyLimit
    ) { request, context in
      if method != .report { settings.onRequest(method.name, "") }
      return try answer(request, context)
    }
  }

  private static func options(_ path: String, _ settings: Settings, _ allow: String) -> Route {
    route(.options, path, settings) { (_: Request) in
      var fields = DAVAnswer.fields()
      fields.append("Allow", allow)
      return .answer(Response(.ok, fields))
    }
  }

  /// Where clients begin (RFC 6764 section 5).
  private static func moved(_ method: MartletHTTP.Method) -> Route {
    .plain(method, "/.well-known/caldav", needs: .noKey) { _, _, _ in
      .respond(
        Response(
          .movedPermanently, Fields(["Location": "/dav/", "Cache-Control": "max-age=3600"])))
    }
  }
}

extension Request {
  /// The body as XML; `nil` without one. Throws a 400, or a 415 for a body of another type.
  func xml() throws -> XMLElement? {
    let bytes = body.bytes
    guard !bytes.isEmpty else { return nil }
    // RFC 4918 section 9.3. `curl -d` says that it sends a form.
    let type = fields["Content-Type"]?.lowercased() ?? "application/xml"
    guard type.contains("xml") || type.hasPrefix("application/x-www-form-urlencoded") else {
      throw DAVError.refusal(.unsupportedMediaType, nil, "The body must be application/xml.")
    }
    do throws(XMLError) { return try XMLReader.parse(bytes) } catch {
      throw DAVError.badRequest(error.detail)
    }
  }

  /// The field `Depth`: 0, 1, or `nil` for infinity. Without one it is 0, as clients mean it.
  func depth() throws -> Int? {
    switch fields["Depth"]?.lowercased() {
    case nil, "0": return 0
    case "1", "1,noroot": return 1
    case "infinity": return nil
    default: throw DAVError.badRequest("Depth must be 0, 1 or infinity.")
    }
  }
}
