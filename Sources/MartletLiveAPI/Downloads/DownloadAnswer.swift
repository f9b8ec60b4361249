import MartletHTTP
import MartletJSON
import MartletStore

/// One file on its way to its client. A small one is answered whole, with its length; a larger one goes through a
/// ``Spool``, from which it is sent while the rest is made.
final class DownloadAnswer {
  /// From this size on the file goes through a spool, in pieces of this size.
  private static let pieceSize = 256 << 10

  private let download: Download
  private let request: Request
  private let responder: Responder
  private let api: API
  private let made = ByteBuffer(capacity: 1 << 16)
  private let isGzip: Bool
  private lazy var gzip = Gzip()
  private let compressed = ByteBuffer(capacity: 1024)
  private var spool: Spool?

  init(_ download: Download, _ request: Request, _ responder: Responder, _ api: API) {
    self.download = download
    self.request = request
    self.responder = responder
    self.api = api
    isGzip = AcceptEncoding(request.fields.list("Accept-Encoding")).prefersGzip
  }

  /// On the lane's thread.
  func make() {
    let result = Result {
      try api.database.read { try download.write($0, made, goOn) }
      if let spool { try take(isLast: true, into: spool) }
    }
    // First, so that whoever has the file can ask for the next one.
    api.downloads.end()
    switch result {
    case .success: if let spool { spool.finish() } else { answerWhole() }
    case .failure(let error): fail(error)
    }
  }

  private func goOn() throws {
    if spool?.isStopped ?? responder.isCancelled { throw CancellationError() }
    try request.access.checkEnd()
    guard made.count >= DownloadAnswer.pieceSize else { return }
    try take(isLast: false, into: try spool ?? begin())
  }

  private func take(isLast: Bool, into spool: Spool) throws {
    defer { made.removeAll() }
    guard isGzip else { return try spool.write(made.bytes) }
    gzip.add(made.bytes, isLast: isLast, into: compressed)
    defer { compressed.removeAll() }
    try spool.write(compressed.bytes)
  }

  /// There is too much for an answer of one piece: its head goes out.
  private func begin() throws -> Spool {
    let spool = try Spool(
      in: DurableFile.folder(of: api.database.path), place: api.downloads.place())
    self.spool = spool
    let outlet = Spool.Outlet(spool) { [access = request.access] in access.isEnded }
    responder.respond(Response(.ok, fields(isGzip: isGzip), body: .source(outlet)))
    return spool
  }

  private func answerWhole() {
    guard isGzip, made.count >= api.settings.gzipFrom else {
      return responder.respond(Response(.ok, fields(isGzip: false), body: .shared(made.share())))
    }
    gzip.compress(made.bytes, into: compressed)
    responder.respond(Response(.ok, fields(isGzip: true), body: .shared(compressed.share())))
  }

  private func fail(_ error: any Error) {
    if error is CancellationError { return }
    let problem = api.answer(to: error, request.id)
    // Of a head that is gone nothing can be said any more, but in the log.
    if let spool { spool.fail() } else { responder.respond(problem) }
  }

  private func fields(isGzip: Bool) -> Fields {
    var fields = AnswerFields.download
    fields.append("Content-Type", download.type)
    fields.append("Content-Disposition", "attachment; filename=\"\(download.name)\"")
    fields.append("X-Request-ID", request.id)
    if isGzip { fields.append("Content-Encoding", "gzip") }
    return fields
  }
}
