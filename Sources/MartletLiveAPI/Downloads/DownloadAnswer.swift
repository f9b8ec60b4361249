import MartletHTTP
import MartletJSON
import MartletStore

/// Sends one file to its client. A small file is sent whole, with its length. A larger one is
/// written to a ``Spool``, from which it is sent while the rest is produced.
final class DownloadAnswer {
  /// Files of at least this size go through a spool, in pieces of this size.
  private static let pieceSize = 256 << 10

  private let download: Download
  private let request: Request
  private let responder: Responder
  private let lane: DownloadSlots
  private let database: any ServerDatabase
  private let context: Context
  private let made = ByteBuffer(capacity: 1 << 16)
  private let isGzip: Bool
  private lazy var gzip = Gzip()
  private let compressed = ByteBuffer(capacity: 1024)
  private var spool: Spool?

  static func outcome(
    _ request: Request, _ parse: Download.Parse, _ lane: DownloadSlots,
    _ database: any ServerDatabase, _ context: Context
  ) -> Outcome {
    do {
      let download = try parse(request)
      try QueryParameters.checkUnread(request)
      return .later { responder in
        if let reason = lane.begin() {
          let problem = APIProblem(.overloaded, reason, retryAfter: 5)
          return responder.respond(context.answer(problem, to: request))
        }
        lane.queue.async {
          DownloadAnswer(download, request, responder, lane, database, context).make()
        }
      }
    } catch {
      // The same path has other representations.
      return .respond(context.varied(error, to: request))
    }
  }

  private init(
    _ download: Download, _ request: Request, _ responder: Responder, _ lane: DownloadSlots,
    _ database: any ServerDatabase, _ context: Context
  ) {
    self.download = download
    self.request = request
    self.responder = responder
    self.lane = lane
    self.database = database
    self.context = context
    isGzip = AcceptEncoding(request.fields.list("Accept-Encoding")).prefersGzip
  }

  /// Produces the file, on the download queue.
  private func make() {
    let result = Result {
      try database.read { try download.write($0, made, goOn) }
      if let spool { try take(isLast: true, into: spool) }
    }
    // First release the slot, so that a client that has received the file can request the next one.
    lane.end()
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

  /// The file is too large to be sent whole: send the head now.
  private func begin() throws -> Spool {
    let spool = try Spool(
      in: DurableFile.folder(of: database.path), place: lane.place())
    self.spool = spool
    let outlet = Spool.Outlet(spool) { [access = request.access] in access.isEnded }
    responder.respond(Response(.ok, fields(isGzip: isGzip), body: .source(outlet)))
    return spool
  }

  private func answerWhole() {
    guard isGzip, made.count >= context.settings.gzipFrom else {
      return responder.respond(Response(.ok, fields(isGzip: false), body: .shared(made.share())))
    }
    gzip.compress(made.bytes, into: compressed)
    responder.respond(Response(.ok, fields(isGzip: true), body: .shared(compressed.share())))
  }

  private func fail(_ error: any Error) {
    if error is CancellationError { return }
    let problem = context.answer(error, to: request)
    // After the head has been sent, the problem can only be logged.
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
