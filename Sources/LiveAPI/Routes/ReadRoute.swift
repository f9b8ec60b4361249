import HTTPServer
import JSON
import LiveQueries
import SQLite
import Store

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
  let parse: Parse

  func answer(_ request: Request, _ context: RequestContext, _ api: API) -> Outcome {
    do {
      switch try Negotiation.of(request) {
      case .json:
        guard !request.access.isSession else {
          throw APIProblem.forbidden("A live session is for event streams alone.", needs: .read)
        }
        let source = try parse(request, api)
        if place == .worker || api.slowReads.contains(source.key, at: context.monotonic) {
          return answerOnWorker(request, source, api)
        }
        return answerOnLoop(request, source, context, api)
      case .eventStream:
        return LiveRoute.follow(try parse(request, api), request, api)
      }
    } catch {
      return .respond(varied(api.answer(to: error, request.id)))
    }
  }

  private func answerOnLoop(
    _ request: Request, _ source: LiveSource, _ context: RequestContext, _ api: API
  ) -> Outcome {
    let body = context.scratch
    do {
      let isThere = try api.database.withReader(
        loop: context.loop, budget: api.settings.loopBudget
      ) { try source.write($0, body) }
      guard isThere else { throw APIProblem.notFound("There is no such thing.") }
      return .respond(Representation.answer(request, body, api) { .scratch })
    } catch ReadError.overBudget {
      // Reads have no side effects: what was written is dropped, and a worker starts again.
      body.removeAll()
      api.slowReads.add(source.key, at: context.monotonic)
      return answerOnWorker(request, source, api)
    } catch {
      body.removeAll()
      return .respond(varied(api.answer(to: error, request.id)))
    }
  }

  private func answerOnWorker(_ request: Request, _ source: LiveSource, _ api: API) -> Outcome {
    .later { responder in
      do throws(ReadError) {
        try api.database.onWorker(budget: UInt64(api.settings.readMilliseconds) * 1_000_000) {
          connection in
          let body = ByteBuffer(capacity: 1 << 14)
          guard try source.write(connection, body) else {
            throw APIProblem.notFound("There is no such thing.")
          }
          return Representation.answer(request, body, api) { .shared(body.share()) }
        } completion: { result in
          switch result {
          case .success(let response): responder.respond(response)
          case .failure(let error):
            responder.respond(varied(api.answer(to: error, request.id)))
          }
        }
      } catch {
        responder.respond(varied(api.answer(to: error, request.id)))
      }
    }
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
    let stream = accept.names(.eventStream) ? accept.quality(of: .eventStream) : 0
    let json = accept.quality(of: .json)
    if stream > json { return .eventStream }
    if json > 0 { return .json }
    throw APIProblem(
      .notAcceptable, "This is there as application/json and as text/event-stream.")
  }
}

/// A result as an answer: its entity tag, whether the client has it already, whether it is compressed.
enum Representation {
  static func answer(
    _ request: Request, _ body: ByteBuffer, _ api: API, whole: () -> Response.Body
  ) -> Response {
    let tag = ETag(hashing: body.bytes)
    let isCompressed =
      body.count >= api.settings.gzipFrom
      && AcceptEncoding(request.fields.list("Accept-Encoding")).prefersGzip
    let name = isCompressed ? tag.compressed : tag.description
    let preconditions = Preconditions(request)
    do throws(APIProblem) {
      try preconditions.checkMatch(tag)
    } catch {
      body.removeAll()
      var response = api.answer(to: error, request.id)
      response.fields.append("Vary", AnswerFields.varies)
      return response
    }
    if preconditions.excludes(tag) {
      var fields = AnswerFields.unchanged
      fields.append("ETag", name)
      fields.append("X-Request-ID", request.id)
      body.removeAll()
      return Response(.notModified, fields)
    }
    var fields = AnswerFields.json
    fields.append("ETag", name)
    fields.append("X-Request-ID", request.id)
    guard isCompressed else { return Response(.ok, fields, body: whole()) }
    fields.append("Content-Encoding", "gzip")
    let compressed = Gzip.compress(body.bytes)
    body.removeAll()
    return Response(.ok, fields, body: .bytes(compressed))
  }
}
