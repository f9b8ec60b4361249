import MartletHTTP
import MartletJSON
import MartletSQLite
import MartletStore

/// Sends one file to its client. A small file is sent whole, with its length. A larger one is
/// written to a ``Spool``, from which it is sent while the rest is produced.
final class DownloadAnswer {
  /// Files of at least this size go through a spool, in pieces of this size.
  private static let pieceSize = 256 << 10
  /// A document of at least this size is not sent from a read that is in progress.
  private static let mostAtOnce = 512 << 10

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
  private var fields = Fields()
  /// Whether it must be less than ``mostAtOnce``.
  private var isSmall = false
  /// When it is given up.
  private var end: ContinuousClock.Instant?

  static func outcome(
    _ request: Request, _ parse: Download.Parse, _ lane: DownloadSlots,
    _ database: any ServerDatabase, _ context: Context
  ) -> Outcome {
    do {
      let download = try parse(request)
      try QueryParameters.checkUnread(request)
      return .later { responder in
        produce(download, request, responder, lane, database, context, within: nil)
      }
    } catch {
      // The same path has other representations.
      return .respond(context.varied(error, to: request))
    }
  }

  /// Sends a document in a read that is in progress, if it is small. Throws ``TooLarge`` otherwise:
  /// such a read may be interrupted and begun again, so nothing may be sent before its end.
  static func sendSmall(
    _ document: Download, _ request: Request, _ responder: Responder, _ lane: DownloadSlots,
    _ database: any ServerDatabase, _ context: Context, _ connection: Connection
  ) throws {
    let answer = DownloadAnswer(document, request, responder, lane, database, context)
    answer.isSmall = true
    try answer.write(connection)
    answer.answerWhole()
  }

  /// A document has ``mostAtOnce`` or more.
  struct TooLarge: Error {}

  /// Sends a document after the downloads that are in progress.
  static func sendLater(
    _ document: Download, _ request: Request, _ responder: Responder, _ lane: DownloadSlots,
    _ database: any ServerDatabase, _ context: Context
  ) {
    produce(
      document, request, responder, lane, database, context,
      within: context.settings.documentTimeout)
  }

  /// Produces a download in its client's turn.
  private static func produce(
    _ download: Download, _ request: Request, _ responder: Responder, _ lane: DownloadSlots,
    _ database: any ServerDatabase, _ context: Context, within limit: Duration?
  ) {
    lane.takeTurn(for: request.clientNumber) {
      guard !responder.isCancelled else { return }
      let answer = DownloadAnswer(download, request, responder, lane, database, context)
      answer.end = limit.map { .now + $0 }
      answer.finish(Result { try database.read { try answer.write($0) } })
    } refuse: { reason in
      let problem = APIProblem(.overloaded, reason, retryAfter: 5)
      responder.respond(context.answer(problem, to: request))
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

  private func write(_ connection: Connection) throws {
    fields = try download.prepare(connection)
    try download.write(connection, made, Download.Progress(goOn: goOn))
    if let spool { try take(isLast: true, into: spool) }
  }

  private func finish(_ result: Result<Void, any Error>) {
    switch result {
    case .success: if let spool { spool.finish() } else { answerWhole() }
    case .failure(let error): fail(error)
    }
  }

  private func goOn(_ expected: Int) throws {
    if spool?.isStopped ?? responder.isCancelled { throw CancellationError() }
    try request.access.checkEnd()
    if let end, end < .now {
      throw ReadError.overBudget(limit: context.settings.documentTimeout)
    }
    if isSmall {
      guard made.count + expected < DownloadAnswer.mostAtOnce else { throw TooLarge() }
      return
    }
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

  /// The file is too large to be held: send the head now.
  private func begin() throws -> Spool {
    if let reason = lane.isFull(for: request.clientNumber) {
      throw APIProblem(.overloaded, reason, retryAfter: 5)
    }
    let spool = try Spool(
      in: DurableFile.folder(of: database.path), place: lane.place(for: request.clientNumber))
    self.spool = spool
    let outlet = Spool.Outlet(spool) { [access = request.access] in access.isEnded }
    responder.respond(Response(download.status, fields(isGzip: isGzip), body: .source(outlet)))
    return spool
  }

  private func answerWhole() {
    guard isGzip, made.count >= context.settings.gzipFrom else {
      return responder.respond(
        Response(download.status, fields(isGzip: false), body: .shared(made.share())))
    }
    gzip.compress(made.bytes, into: compressed)
    responder.respond(
      Response(download.status, fields(isGzip: true), body: .shared(compressed.share())))
  }

  private func fail(_ error: any Error) {
    if error is CancellationError { return }
    let problem = context.answer(error, to: request)
    // After the head has been sent, the problem can only be logged.
    if let spool { spool.fail() } else { responder.respond(problem) }
  }

  private func fields(isGzip: Bool) -> Fields {
    var fields = self.fields
    fields.append("X-Request-ID", request.id)
    if isGzip { fields.append("Content-Encoding", "gzip") }
    return fields
  }
}
