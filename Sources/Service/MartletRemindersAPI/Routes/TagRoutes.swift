import MartletHTTP
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletStore

/// The routes of `/v1/tags` and `/v1/tags/{tag}`.
enum TagRoutes {
  static let list = Route.read("/v1/tags", parts: .respected, audience: .parts) { request, _ in
    var parameters = QueryParameters.ofRead(request)
    let page = try parameters.page()
    try parameters.finish()
    let query = try TagRepository.page(page, among: request.lists)
    return LiveSource(request) { db, body in
      try db.writeJSON(query, into: body)
      return true
    }
  }

  static let create = Route.write(.post, "/v1/tags") { request, _ in
    let title = try TagBody(request, isNew: true).title ?? ""
    return WriteRoute.Work { db in
      try TagRepository.create(title, in: db)
      return .created(location: "/v1/tags/\(escaped(title))", stored(title))
    }
  }

  static let get = Route.read("/v1/tags/{tag}", parts: .respected, audience: .parts) { request, _ in
    return LiveSource(request, write: stored(try request.tag(), among: request.lists))
  }

  static let rename = Route.write(.patch, "/v1/tags/{tag}") { request, _ in
    var parameters = QueryParameters(request)
    let merges = parameters.bool("merge") ?? false
    try parameters.finish()
    let title = try request.tag()
    let body = try TagBody(request, isNew: false)
    return WriteRoute.Work(current: stored(title), readOnly: body.readOnly) { db in
      guard let new = body.title else { return .changed(stored(title)) }
      try TagRepository.rename(title, to: new, merging: merges, in: db)
      return .changed(stored(new))
    }
  }

  static let delete = Route.write(.delete, "/v1/tags/{tag}") { request, _ in
    let title = try request.tag()
    return WriteRoute.Work(current: stored(title)) { db in
      try TagRepository.delete(title, in: db)
      return .done
    }
  }

  /// Writes the tag as `GET` returns it.
  private static func stored(
    _ title: String, among lists: ListExtent = .all
  ) -> WriteRoute.Current {
    { db, body in try db.writeJSONObject(TagRepository.item(title, among: lists), into: body) }
  }

  /// Escapes a title for use as a path segment: all but the unreserved characters of RFC 3986.
  private static func escaped(_ title: String) -> String {
    var text = ""
    for byte in title.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return text
  }
}
