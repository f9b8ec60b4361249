import MartletHTTP
import MartletSQLite
import MartletStore

/// Answers the requests of ``ExchangeRoute``.
struct ExchangeAnswers {
  let database: any ServerDatabase
  let context: Context
  let writes: WriteAnswers
  let documents: DownloadSlots

  func answer(_ request: Request, _ route: ExchangeRoute) -> Outcome {
    do {
      try Origins.check(request, allowed: context.settings.allowedOrigins)
      guard request.isLarge else {
        let work = try route.parse(request, context)
        if case .answer(let response) = work { return .respond(named(response, request)) }
        return .later { perform(work, request, $0) }
      }
      return .later { responder in
        database.parse(request) {
          try route.parse(request, context)
        } completion: { result in
          switch result {
          case .success(let work): perform(work, request, responder)
          case .failure(let error): responder.respond(context.answer(error, to: request))
          }
        }
      }
    } catch {
      return .respond(context.answer(error, to: request))
    }
  }

  private func perform(_ work: ExchangeRoute.Work, _ request: Request, _ responder: Responder) {
    switch work {
    case .answer(let response): responder.respond(named(response, request))
    case .read(let body):
      read(request, responder) {
        responder.respond(named(try body($0), request))
      } failed: {
        responder.respond(context.answer($0, to: request))
      }
    case .document(let document): send(document, request, responder)
    case .write(let body): write(request, body, responder, hasBegun: false)
    }
  }

  private func named(_ response: Response, _ request: Request) -> Response {
    var response = response
    response.fields.append("X-Request-ID", request.id)
    return response
  }

  private func send(_ document: Download, _ request: Request, _ responder: Responder) {
    read(request, responder) {
      try DownloadAnswer.sendSmall(
        document, request, responder, documents, database, context, $0)
    } failed: { error in
      switch error {
      case is DownloadAnswer.TooLarge, ReadError.overBudget:
        DownloadAnswer.sendLater(document, request, responder, documents, database, context)
      default: responder.respond(context.answer(error, to: request))
      }
    }
  }

  private func read(
    _ request: Request, _ responder: Responder,
    _ answer: @escaping @Sendable (Connection) throws -> Void,
    failed: @escaping @Sendable (any Error) -> Void
  ) {
    do throws(ReadError) {
      try database.onWorker(
        budget: context.settings.readTimeout, client: request.clientNumber
      ) { connection in
        guard !responder.isCancelled else { throw CancellationError() }
        try request.access.checkEnd()
        try answer(connection)
      } completion: { result in
        switch result {
        case .success, .failure(is CancellationError): break
        case .failure(let error): failed(error)
        }
      }
    } catch {
      responder.respond(context.answer(error, to: request))
    }
  }

  private func write(
    _ request: Request, _ body: @escaping @Sendable (Connection, Bool) throws -> Response?,
    _ responder: Responder, hasBegun: Bool
  ) {
    writes.submit(for: request, responder, hasBegun: hasBegun) {
      try body($0, hasBegun)
    } next: { response in
      if let response { return responder.respond(named(response, request)) }
      guard !responder.isCancelled else { return }
      write(request, body, responder, hasBegun: true)
    }
  }
}
