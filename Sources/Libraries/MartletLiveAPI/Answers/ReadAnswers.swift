import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletSQLite
import MartletStore

/// Answers reads: from the response cache, from the database on the event loop or on a worker, or
/// with an event stream.
final class ReadAnswers: Sendable {
  private let database: any ServerDatabase
  private let context: Context
  private let routes: RouteTable
  private let streams: LiveStreams
  /// `nil` if the response cache is disabled.
  private let cache: ResponseCache?
  let slowReads = SlowReads()
  /// Compresses large responses. The queue is short because each waiting response holds its body in
  /// memory, up to `Configuration.resultBytes`.
  private let compressor = BoundedExecutor(width: 2, waiting: 16)
  private let loopBudget: Duration
  private let readBudget: Duration

  init(
    _ database: any ServerDatabase, _ context: Context, _ routes: RouteTable,
    _ streams: LiveStreams,
    _ cache: ResponseCache?
  ) {
    self.database = database
    self.context = context
    self.routes = routes
    self.streams = streams
    self.cache = cache
    loopBudget = context.settings.loopBudget
    readBudget = context.settings.readTimeout
  }

  func answer(_ request: Request, _ route: ReadRoute, _ loop: RequestContext) -> Outcome {
    answer(request, route, loop) {
      LiveRoute.follow(try route.source(request, context), request, streams)
    }
  }

  func answer(_ request: Request, _ feed: FeedRoute, _ loop: RequestContext) -> Outcome {
    answer(request, feed.page, loop) {
      FeedStream.follow(try feed.source(request, context), request, streams)
    }
  }

  /// Answers with the result of `route`, or with the stream that `follow` makes.
  private func answer(
    _ request: Request, _ route: ReadRoute, _ loop: RequestContext, _ follow: () throws -> Outcome
  ) -> Outcome {
    do {
      switch try Negotiation.of(request) {
      case .json:
        guard !request.access.isSession else {
          throw APIProblem.forbidden(
            "A live session permits only event streams. Send a key.", needs: .read)
        }
        var miss: CacheMiss?
        switch cache?.lookUp(request, route.audience, loop, context) {
        case .hit(let response): return .respond(response)
        case .miss(let found): miss = found
        case nil: break
        }
        let source = try route.understand(request, context)
        if route.place == .worker || slowReads.contains(source.key.query, at: loop.monotonic) {
          return answerOnWorker(request, source, miss)
        }
        return answerOnLoop(request, source, miss, loop)
      case .eventStream: return try follow()
      }
    } catch {
      return .respond(context.varied(error, to: request))
    }
  }

  /// Answers a request for several reads on one stream.
  func answerBundle(_ request: Request) -> Outcome {
    do {
      let accept = Accept(request.fields.list("Accept"))
      guard accept.quality(of: .eventStream) > 0 else {
        throw APIProblem(
          .notAcceptable,
          "This is available only as text/event-stream. Send Accept: text/event-stream")
      }
      let bundle = try BundleRequest(
        request, source: { try source($0, for: request) }, near: routes.suggestion)
      return LiveBundle.follow(bundle, request, streams)
    } catch {
      return .respond(context.varied(error, to: request))
    }
  }

  /// The source of the `GET` of `target`; `nil` if no read route matches it. Throws if a feed does.
  func source(_ target: String, for request: Request) throws -> LiveSource? {
    var part: Request
    do throws(ProtocolError) {
      part = try Request(.get, target: target, peer: request.peer)
    } catch {
      return nil
    }
    part.caller = request.caller
    guard case .found(let route) = try routes.find(part, context) else { return nil }
    if case .feed = route.kind { throw FeedRoute.notInBundles }
    guard case .read(let read) = route.kind else { return nil }
    var source = try read.source(part, context)
    source.client = request.clientNumber
    return source
  }

  // MARK: The result

  private func answerOnLoop(
    _ request: Request, _ source: LiveSource, _ miss: CacheMiss?, _ loop: RequestContext
  ) -> Outcome {
    let body = loop.scratch
    do {
      let reading = try database.withReader(loop: loop.loop, budget: loopBudget) {
        try read(source, request, $0, into: body, miss)
      }
      // A cache entry already has its tag and its compressed form.
      if let miss, let reading,
        let kept = miss.keep(SharedBytes(body.bytes), reading, request, loop, context),
        body.count <= ReadAnswers.compressedApart
      {
        return .respond(kept.response(to: request, context))
      }
      if body.count > ReadAnswers.compressedApart,
        Representation.isCompressed(request, body.count, context)
      {
        return compressApart(SharedBytes(body.bytes), request)
      }
      return .respond(Representation.answer(request, body.bytes, context) { .scratch })
    } catch ReadError.overBudget {
      // Reads have no side effects, so the output is discarded and the read starts again on a
      // worker.
      body.removeAll()
      slowReads.add(source.key.query, at: loop.monotonic)
      return answerOnWorker(request, source, miss)
    } catch {
      body.removeAll()
      return .respond(context.varied(error, to: request))
    }
  }

  /// Results of at least this many bytes are compressed on a background thread. A megabyte takes 20
  /// ms, for which other requests on the event loop would wait.
  private static let compressedApart = 64 << 10

  private func compressApart(_ body: SharedBytes, _ request: Request) -> Outcome {
    .later { [self] responder in
      let isTaken = compressor.run { [context] in
        guard !responder.isCancelled else { return }
        responder.respond(Representation.answer(request, body.bytes, context) { .shared(body) })
      }
      guard !isTaken else { return }
      // The queue is full: send this response uncompressed.
      let tag = ETag(hashing: body.bytes)
      responder.respond(
        Representation.answer(request, tag, body.count, context, mayCompress: false) { _ in
          Representation(.shared(body), tag)
        })
    }
  }

  private func answerOnWorker(
    _ request: Request, _ source: LiveSource, _ miss: CacheMiss?
  ) -> Outcome {
    .later { [self] responder in
      do throws(ReadError) {
        try database.onWorker(
          budget: readBudget, client: request.clientNumber
        ) { [self] connection in
          // The client may have disconnected while the read was waiting.
          guard !responder.isCancelled else { throw CancellationError() }
          let buffer = ByteBuffer(capacity: 1 << 14)
          let reading = try read(source, request, connection, into: buffer, miss)
          let body = buffer.share()
          let response = Representation.answer(request, body.bytes, context) { .shared(body) }
          return (response, body, reading)
        } completion: { [context] result in
          switch result {
          case .success((let response, let body, let reading)):
            guard let miss, let reading else { return responder.respond(response) }
            responder.proceed { loop in
              miss.keep(body, reading, request, loop, context)
              return .respond(response)
            }
          case .failure(is CancellationError): break
          case .failure(let error): responder.respond(context.varied(error, to: request))
          }
        }
      } catch {
        responder.respond(context.varied(error, to: request))
      }
    }
  }

  /// Reads a result. Throws a 404 if the item does not exist. Returns what was read if the result
  /// is to be cached.
  private func read(
    _ source: LiveSource, _ request: Request, _ connection: Connection, into body: ByteBuffer,
    _ miss: CacheMiss?
  ) throws -> CacheMiss.Reading? {
    let reading = try miss?.read(source, connection, into: body)
    let isThere = try miss == nil ? source.write(connection, body) : reading != nil
    guard isThere else { throw APIProblem.missing(request, context.settings.nouns) }
    guard body.count <= database.largestResult else {
      throw ReadError.tooLarge(limit: database.largestResult)
    }
    return reading
  }
}
