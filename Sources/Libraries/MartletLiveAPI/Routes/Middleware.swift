import MartletHTTP

/// A check before routes and a hook after them.
///
/// ```swift
/// let staff = Middleware { request, context in
///   guard isStaff(request.access.keyID) else {
///     throw APIProblem(.forbidden, "This is for the staff.")
///   }
/// }
/// service.routes = publicRoutes + staffRoutes.map { $0.wrapped(in: staff) }
/// ```
///
/// To log or measure requests, use ``Service/onEvent``.
public struct Middleware: Sendable {
  /// Called before the route, also for operations of a batch, for queries of a stream and for
  /// cached results. The response is the error it throws, if any. The caller is known; the body may
  /// not have been read yet.
  public var before: @Sendable (Request, Context) throws -> Void
  /// Replaces the outcome of the route. `MartletHTTP.Outcome.adding(_:_:)` adds fields to a
  /// response that comes later. Not called for operations of a batch and queries of a stream, which
  /// have no outcome of their own.
  public var after: @Sendable (Request, Outcome, Context) -> Outcome

  /// Creates a middleware. By default both hooks do nothing.
  public init(
    before: @escaping @Sendable (Request, Context) throws -> Void = { _, _ in },
    after: @escaping @Sendable (Request, Outcome, Context) -> Outcome = { _, outcome, _ in outcome }
  ) {
    self.before = before
    self.after = after
  }
}

extension Route {
  /// The route with `middleware` as its outermost middleware.
  public func wrapped(in middleware: Middleware) -> Route {
    var route = self
    route.middleware.insert(middleware, at: 0)
    return route
  }

  func check(_ request: Request, _ context: Context) throws {
    for middleware in middleware { try middleware.before(request, context) }
  }

  /// A route that an `async` function answers. If the client disconnects or the request times out,
  /// its task is canceled.
  ///
  /// ```swift
  /// Route.async(.get, "/rooms/count") { _, context in
  ///   try .json(["rooms": await context.database.read { try Room.all.fetchCount($0) }])
  /// }
  /// ```
  ///
  /// By default callers need a key with the scope `read` for a method that only reads, and `write`
  /// for others. ``KeyNeed/noKey`` opens the route to everyone, also to pages of other origins. The
  /// response gets the fields that all responses of the API have, such as `X-Request-ID`, unless
  /// `answer` has set them.
  public static func async(
    _ method: Method, _ pattern: String, needs need: KeyNeed? = nil, parts: PartsRule = .refused,
    _ answer: @escaping @Sendable (Request, Context) async throws -> Response
  ) -> Route {
    .plain(method, pattern, needs: need, parts: parts) { request, _, context in
      .later { responder in
        let task = Task(executorPreference: context.settings.taskExecutor) {
          do {
            responder.respond(AnswerFields.complete(try await answer(request, context), request))
          } catch is CancellationError {
            // The request was given up, so no response is needed.
          } catch {
            responder.respond(context.answer(error, to: request))
          }
        }
        responder.onCancel { task.cancel() }
      }
    }
  }
}
