import MartletHTTP
import MartletJSON
import MartletSQLite

/// What a route gives as a file, of one moment and in constant memory. One at a time is made, on a thread of its own: it
/// takes long, and other reads do not wait for it.
public struct Download: Sendable {
  /// `application/x-ndjson`
  let type: String
  /// What it is saved as, unless somebody says otherwise: a token of ASCII.
  let name: String
  let write: Write

  /// Writes into the buffer, and calls its last argument every now and then: what is there by then is taken. That throws
  /// when nobody waits for the file any more.
  public typealias Write =
    @Sendable (Connection, ByteBuffer, _ goOn: () throws -> Void) throws -> Void

  public init(type: String, name: String, write: @escaping Write) {
    self.type = type
    self.name = name
    self.write = write
  }
}

extension Route {
  /// A `GET` of a file.
  public static func download(
    _ pattern: String, parts: PartsRule = .refused,
    _ parse: @escaping @Sendable (Request) throws -> Download
  ) -> Route {
    var route = Route.plain(.get, pattern) { request, _, api in
      do {
        let download = try parse(request)
        return .later { responder in
          if let reason = api.downloads.begin() {
            let problem = APIProblem(.overloaded, reason, retryAfter: 5)
            return responder.respond(api.answer(problem, to: request))
          }
          api.downloads.queue.async { DownloadAnswer(download, request, responder, api).make() }
        }
      } catch {
        var response = api.answer(to: error, request.id)
        // The same path has other formats.
        response.fields.append("Vary", AnswerFields.varies)
        return .respond(response)
      }
    }
    route.need = Need(scope: .read, parts: parts)
    return route
  }
}
