import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletSQLite
import MartletStore

/// A `GET`: its result as JSON now, or as an event stream now and whenever it changes.
public struct ReadRoute: Sendable {
  public enum Place: Sendable {
    /// On the event loop, as far as its budget goes.
    case loop
    /// On a worker from the start: what works long between two looks at the time (FTS5, totals).
    case worker
  }

  /// Understands a request; the same function for all ways to ask.
  public typealias Parse = @Sendable (Request, API) throws -> LiveSource

  let place: Place
  let audience: Audience
  let parse: Parse

  /// What a stream follows: which callers share its result, and whom its runs are counted for.
  func source(_ request: Request, _ api: API) throws -> LiveSource {
    var source = try parse(request, api)
    source.key.audience = audience.members(request)
    source.client = request.clientNumber
    source.isSlow = place == .worker
    return source
  }

  func answer(_ request: Request, _ context: RequestContext, _ api: API) -> Outcome {
    do {
      switch try Negotiation.of(request) {
      case .json:
        guard !request.access.isSession else {
          throw APIProblem.forbidden("A live session is for event streams alone.", needs: .read)
        }
        var wish: HotReads.Wish?
        switch api.hot?.look(request, audience, context, api) {
        case .kept(let response): return .respond(response)
        case .missing(let wanted): wish = wanted
        case nil: break
        }
        let source = try parse(request, api)
        if place == .worker || api.slowReads.contains(source.key.query, at: context.monotonic) {
          return answerOnWorker(request, source, wish, api)
        }
        return answerOnLoop(request, source, wish, context, api)
      case .eventStream:
        return LiveRoute.follow(try source(request, api), request, api)
      }
    } catch {
      return .respond(varied(api.answer(to: error, request.id)))
    }
  }

  private func answerOnLoop(
    _ request: Request, _ source: LiveSource, _ wish: HotReads.Wish?, _ context: RequestContext,
    _ api: API
  ) -> Outcome {
    let body = context.scratch
    do {
      let reading = try api.database.withReader(
        loop: context.loop, budget: api.loopBudget
      ) { try read(source, request, $0, into: body, wish, api) }
      // What is kept has its tag and its compressed form: neither is made twice.
      if let wish, let reading,
        let kept = wish.keep(SharedBytes(body.bytes), reading, request, context, api),
        body.count <= ReadRoute.compressedApart
      {
        return .respond(kept.response(to: request, api))
      }
      if body.count > ReadRoute.compressedApart,
        Representation.isCompressed(request, body.count, api)
      {
        return compressApart(SharedBytes(body.bytes), request, api)
      }
      return .respond(Representation.answer(request, body.bytes, api) { .scratch })
    } catch ReadError.overBudget {
      // Reads have no side effects: what was written is dropped, and a worker starts again.
      body.removeAll()
      api.slowReads.add(source.key.query, at: context.monotonic)
      return answerOnWorker(request, source, wish, api)
    } catch {
      body.removeAll()
      return .respond(varied(api.answer(to: error, request.id)))
    }
  }

  /// From this size on a result is compressed on a thread apart: a megabyte takes 20 ms, which others on the loop
  /// would wait.
  private static let compressedApart = 64 << 10

  private func compressApart(_ body: SharedBytes, _ request: Request, _ api: API) -> Outcome {
    .later { responder in
      let isTaken = api.compressor.run {
        guard !responder.isCancelled else { return }
        responder.respond(Representation.answer(request, body.bytes, api) { .shared(body) })
      }
      guard !isTaken else { return }
      // Many wait to be compressed: this one goes as it is.
      let tag = ETag(hashing: body.bytes)
      responder.respond(
        Representation.answer(request, tag, body.count, api, mayCompress: false) { _ in
          Representation(.shared(body), tag)
        })
    }
  }

  private func answerOnWorker(
    _ request: Request, _ source: LiveSource, _ wish: HotReads.Wish?, _ api: API
  ) -> Outcome {
    .later { responder in
      do throws(ReadError) {
        try api.database.onWorker(
          budget: api.readBudget, client: request.clientNumber
        ) { connection in
          // Its client may have gone while it waited.
          guard !responder.isCancelled else { throw CancellationError() }
          let buffer = ByteBuffer(capacity: 1 << 14)
          let reading = try read(source, request, connection, into: buffer, wish, api)
          let body = buffer.share()
          let response = Representation.answer(request, body.bytes, api) { .shared(body) }
          return (response, body, reading)
        } completion: { result in
          switch result {
          case .success((let response, let body, let reading)):
            guard let wish, let reading else { return responder.respond(response) }
            responder.proceed { context in
              wish.keep(body, reading, request, context, api)
              return .respond(response)
            }
          case .failure(is CancellationError): break
          case .failure(let error):
            responder.respond(varied(api.answer(to: error, request.id)))
          }
        }
      } catch {
        responder.respond(varied(api.answer(to: error, request.id)))
      }
    }
  }

  /// Throws a 404 where there is no such thing. Gives what was read where the result is to be kept.
  private func read(
    _ source: LiveSource, _ request: Request, _ connection: Connection, into body: ByteBuffer,
    _ wish: HotReads.Wish?, _ api: API
  ) throws -> HotResults.Reading? {
    let reading = try wish?.read(source, connection, into: body)
    let isThere = try wish == nil ? source.write(connection, body) : reading != nil
    guard isThere else { throw APIProblem.missing(request, api.settings.nouns) }
    guard body.count <= api.database.largestResult else {
      throw ReadError.tooLarge(limit: api.database.largestResult)
    }
    return reading
  }

  private func varied(_ response: Response) -> Response {
    var response = response
    response.fields.append("Vary", AnswerFields.varies)
    return response
  }
}

/// In which form an answer is wanted (RFC 9110 section 12.5.1).
enum Negotiation {
  case json, eventStream

  static func of(_ request: Request) throws(APIProblem) -> Negotiation {
    guard let field = request.fields.list("Accept") else { return .json }
    let accept = Accept(field)
    let json = accept.quality(of: .json)
    // A range alone (`*/*`) asks for no stream where there is JSON.
    let mayStream = json == 0 || accept.names(.eventStream)
    let stream = mayStream ? accept.quality(of: .eventStream) : 0
    if stream > json { return .eventStream }
    if json > 0 { return .json }
    throw APIProblem(
      .notAcceptable, "This is there as application/json and as text/event-stream.")
  }
}
