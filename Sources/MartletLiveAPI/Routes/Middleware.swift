import MartletHTTP

/// What stands around routes: a check before them, a look at what they give.
///
/// ```swift
/// let staff = Middleware { request, context in
///   guard isStaff(request.access.keyID) else { throw APIProblem(.forbidden, "This is for the staff.") }
/// }
/// service.routes = publicRoutes + staffRoutes.map { $0.wrapped(in: staff) }
/// ```
///
/// For logs and times of requests there is ``Service/onEvent``.
public struct Middleware: Sendable {
  /// Called before the route, also where it is a part of a batch or a query of a bundle, and where a result is cached.
  /// What it throws is the answer. Who asks is known, the body may not have been read yet.
  public var before: @Sendable (Request, Context) throws -> Void
  /// Gives the outcome in place of the route's: ``MartletHTTP/Outcome/adding(_:_:)`` adds fields to an answer that comes
  /// later. Parts of batches and queries of bundles have none of their own.
  public var after: @Sendable (Request, Outcome, Context) -> Outcome

  public init(
    before: @escaping @Sendable (Request, Context) throws -> Void = { _, _ in },
    after: @escaping @Sendable (Request, Outcome, Context) -> Outcome = { _, outcome, _ in outcome }
  ) {
    self.before = before
    self.after = after
  }
}

extension Route {
  /// The route with `middleware` around it, and around what was there before.
  public func wrapped(in middleware: Middleware) -> Route {
    var route = self
    route.middleware.insert(middleware, at: 0)
    return route
  }

  func check(_ request: Request, _ context: Context) throws {
    for middleware in middleware { try middleware.before(request, context) }
  }

  /// A route that an `async` function answers. Where its client gives up waiting, its task is cancelled.
  ///
  /// `scope`: what callers need; `nil`: it is there for everybody. A database is asked by the `async` forms of
  /// ``MartletStore/Database``.
  public static func async(
    _ method: Method, _ pattern: String, needs scope: Rights.Scope? = nil,
    _ answer: @escaping @Sendable (Request, Context) async throws -> Response
  ) -> Route {
    .plain(method, pattern, needs: scope) { request, _, context in
      .later { responder in
        let task = Task {
          do {
            responder.respond(try await answer(request, context))
          } catch is CancellationError {
            // Nobody waits for an answer.
          } catch {
            responder.respond(context.answer(error, to: request))
          }
        }
        responder.onCancel { task.cancel() }
      }
    }
  }
}
