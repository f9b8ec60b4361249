import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletTime

extension Route {
  /// The `GET` route that describes the key of the request and its rights. `parts` is the name of
  /// the member that lists the parts of the data that the key is limited to.
  public static func whoami(_ pattern: String, parts: StaticString? = nil) -> Route {
    .read(pattern, parts: .respected) { request, _ in
      let id = request.access.keyID
      return LiveSource(request) { db, body in
        let key = try id.flatMap { try APIKeys.find($0, in: db) }
        JSONWriter.object(into: body) { object in
          object.member("keyID", id)
          object.member("name", key?.name)
          object.member("scope", (key?.rights.scope ?? .admin).rawValue)
          if let parts { object.member(parts) { write(key?.rights.parts, to: $0) } }
          object.member("expiresAt", key?.expiresAt.map { RFC3339.string($0) })
        }
        return true
      }
    }
  }

  private static func write(_ ids: [Int]?, to buffer: ByteBuffer) {
    guard let ids else { return buffer.append("null") }
    JSONWriter.array(into: buffer) { array in
      for id in ids { array.element { $0.append(decimal: id) } }
    }
  }
}
