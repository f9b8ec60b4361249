import MartletHTTP
import MartletSQLite
import MartletStore

/// Answers the requests of ``ExchangeRoute``.
struct ExchangeAnswers {
  let database: any ServerDatabase
  let context: Context
  let writes: WriteAnswers
  let downloads: DownloadSlots

  func answer(_ request: Request, _ route: ExchangeRoute) -> Outcome {
    do {
      try Origins.check(request, allowed: context.settings.allowedOrigins)
      switch try route.parse(request, context) {
      case .answer(let response): return .respond(named(response, request))
      case .read(let body): return .later { read(request, body, $0) }
      case .write(let body): return .later { write(request, body, $0, hasBegun: false) }
      case .download(let download):
        return DownloadAnswer.outcome(request, { _ in download }, downloads, database, context)
      }
    } catch {
      return .respond(context.answer(error, to: request))
    }
  }

  private func named(_ response: Response, _ request: Request) -> Response {
    var response = response
    response.fields.append("X-Request-ID", request.id)
    return response
  }

  private func read(
    _ request: Request, _ body: @escaping @Sendable (Connection) throws -> Response,
    _ responder: Responder
  ) {
    do throws(ReadError) {
      try database.onWorker(
        budget: context.settings.readTimeout, client: request.clientNumber
      ) { connection in
        guard !responder.isCancelled else { throw CancellationError() }
        try request.access.checkEnd()
        return try body(connection)
      } completion: { result in
        switch result {
        case .success(let response): responder.respond(named(response, request))
        case .failure(is CancellationError): break
        case .failure(let error): responder.respond(context.answer(error, to: request))
        }
      }
    } catch {
      responder.respond(context.answer(error, to: request))
    }
  }

  private func write(
    _ request: Request, _ body: @escaping @Sendable (Connection) throws -> Response?,
    _ responder: Responder, hasBegun: Bool
  ) {
    writes.submit(for: request, responder, hasBegun: hasBegun, body) { response in
      if let response { return responder.respond(named(response, request)) }
      guard !responder.isCancelled else { return }
      write(request, body, responder, hasBegun: true)
    }
  }
}
