import HTTPServer

extension Route {
  /// A document that does not change while the process runs.
  public static func document(
    _ pattern: String, type: String, _ bytes: [UInt8]
  ) -> Route {
    constant(pattern, type, bytes, Fields())
  }

  /// Part of a page that needs nothing but this server: its scripts, styles and requests may go nowhere
  /// else, and no other page may frame it.
  public static func page(
    _ pattern: String, type: String, _ bytes: [UInt8]
  ) -> Route {
    constant(pattern, type, bytes, pageFields)
  }

  private static let pageFields = Fields([
    "Content-Security-Policy": """
    default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'
    """,
    "Referrer-Policy": "no-referrer",
  ])

  private static func constant(
    _ pattern: String, _ type: String, _ bytes: [UInt8], _ more: Fields
  ) -> Route {
    var fields = more
    fields.append("Cache-Control", "no-cache")
    fields.append("X-Content-Type-Options", "nosniff")
    fields.append("Content-Type", type)
    return .plain(.get, pattern) { [fields] _, _, _ in
      .respond(Response(.ok, fields, body: .bytes(bytes)))
    }
  }

  /// A text that is made at each request.
  public static func text(
    _ pattern: String, type: String, _ make: @escaping @Sendable () -> String
  ) -> Route {
    var fields = Fields(["Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"])
    fields.append("Content-Type", type)
    return .plain(.get, pattern) { [fields] _, _, _ in
      .respond(Response(.ok, fields, body: .text(make())))
    }
  }
}
