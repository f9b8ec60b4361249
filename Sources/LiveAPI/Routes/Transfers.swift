import Dispatch
import HTTPServer
import JSON
import SQLite
import Store
import Synchronization

/// What a route gives as a file, of one moment. One at a time is made, on a thread of its own: it takes long, and other
/// reads do not wait for it.
public struct Download: Sendable {
  /// `application/x-ndjson`
  let type: String
  /// What it is saved as, unless somebody says otherwise: a token of ASCII.
  let name: String
  let write: Write

  /// Calls its last argument every now and then, which throws when nobody waits for the file any more.
  public typealias Write =
    @Sendable (Connection, ByteBuffer, _ goOn: () throws -> Void) throws -> Void

  public init(type: String, name: String, write: @escaping Write) {
    self.type = type
    self.name = name
    self.write = write
  }
}

extension Route {
  /// A `GET` of a file. It has no time limit but that of every answer.
  public static func download(
    _ pattern: String, parts: PartsRule = .refused,
    _ parse: @escaping @Sendable (Request) throws -> Download
  ) -> Route {
    var route = Route.plain(.get, pattern) { request, _, api in
      do {
        let download = try parse(request)
        return .later { answer(download, request, api, $0) }
      } catch {
        return .respond(api.answer(to: error, request.id))
      }
    }
    route.need = Need(scope: .read, parts: parts)
    return route
  }

  private static func answer(
    _ download: Download, _ request: Request, _ api: API, _ responder: Responder
  ) {
    guard api.downloads.begin() else {
      let problem = APIProblem(.overloaded, "Another file is being made.", retryAfter: 5)
      return responder.respond(api.answer(problem, to: request))
    }
    api.downloads.queue.async {
      let result = Result {
        try api.database.read { connection in
          let body = ByteBuffer(capacity: 1 << 16)
          try download.write(connection, body) {
            if responder.isCancelled { throw CancellationError() }
          }
          return body.share()
        }
      }.map { response($0, download, request, api) }
      // First, so that whoever has it can ask for the next one.
      api.downloads.end()
      switch result {
      case .success(let response): responder.respond(response)
      case .failure(is CancellationError): return
      case .failure(let error): responder.respond(api.answer(to: error, request.id))
      }
    }
  }

  private static func response(
    _ bytes: SharedBytes, _ download: Download, _ request: Request, _ api: API
  ) -> Response {
    var fields = AnswerFields.download
    fields.append("Content-Type", download.type)
    fields.append("Content-Disposition", "attachment; filename=\"\(download.name)\"")
    fields.append("X-Request-ID", request.id)
    let accepted = AcceptEncoding(request.fields.list("Accept-Encoding"))
    guard bytes.count >= api.settings.gzipFrom, accepted.prefersGzip else {
      return Response(.ok, fields, body: .shared(bytes))
    }
    fields.append("Content-Encoding", "gzip")
    return Response(.ok, fields, body: .bytes(Gzip.compress(bytes.bytes)))
  }

  /// A `POST` of a file, which may be as large as ``API/Settings/uploadBytes``; no part of a batch.
  public static func upload(
    _ pattern: String, needs scope: Rights.Scope, _ parse: @escaping WriteRoute.Parse
  ) -> Route {
    Route(
      method: .post, pattern: pattern,
      kind: .write(
        WriteRoute(
          parse: { request, api in
            try Body.checkCoding(request)
            return try parse(request, api)
          }, isPart: false)),
      need: Need(scope: scope, parts: .refused), isUpload: true)
  }
}

/// The one place where files are made.
final class DownloadLane: Sendable {
  let queue = DispatchQueue(label: "downloads", qos: .utility)
  private let isBusy = Atomic(false)

  /// False where there is one already.
  func begin() -> Bool { !isBusy.exchange(true, ordering: .acquiringAndReleasing) }
  func end() { isBusy.store(false, ordering: .releasing) }
}
