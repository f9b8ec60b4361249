import MartletHTTP

extension API {
  /// Authenticates and authorizes a request, and answers it or asks for its body.
  ///
  /// `isBeforeBody` is true when only the head of the request has been read. If the request is
  /// admitted, its body is read next.
  func admit(
    _ request: Request, to route: Route, _ loop: RequestContext, isBeforeBody: Bool
  ) -> Outcome {
    guard let need = route.need else {
      do { try route.check(request, context) } catch {
        return .respond(context.answer(error, to: request))
      }
      return answer(request, route, loop)
    }
    let entrance = Entrance(route: route, need: need, isBeforeBody: isBeforeBody)
    guard let gate else { return go(on: request, .everything, entrance, loop) }
    switch gate.check(request, isBasic: route.takesPasswords, loop) {
    case .known(let admission): return take(admission, request, entrance, loop)
    case .stale:
      return .later { [self] responder in
        gate.refresh { [self] result in
          switch result {
          case .success:
            responder.proceed { [self] loop in
              admit(request, to: route, loop, isBeforeBody: isBeforeBody)
            }
          case .failure(let error): responder.respond(refusal(error, request, route))
          }
        }
      }
    case .unknown(let credential, let attempt):
      return .later { [self] responder in
        // Another node may just have created it.
        guard let cluster = context.cluster, !cluster.isFresh else {
          return verify(credential, attempt, request, entrance, responder)
        }
        cluster.whenFresh { [self] _ in
          verify(credential, attempt, request, entrance, responder)
        }
      }
    }
  }

  private func verify(
    _ credential: Credential, _ attempt: Gate.Attempt, _ request: Request, _ entrance: Entrance,
    _ responder: Responder
  ) {
    guard let gate else { return }
    let isTaken = gate.verify(credential, attempt, request) { [self] result in
      switch result {
      case .success(let access):
        responder.proceed { [self] loop in
          take(gate.count(access, request, loop), request, entrance, loop)
        }
      case .failure(let error):
        responder.respond(refusal(error, request, entrance.route))
      }
    }
    guard !isTaken else { return }
    responder.respond(
      LiveRoute.refusal(of: request, else: context.answer(Gate.overloaded, to: request)))
  }

  /// The route and the rights that a request asks for.
  private struct Entrance: Sendable {
    let route: Route
    let need: RequiredRights
    let isBeforeBody: Bool
  }

  private func take(
    _ admission: Gate.Admission, _ request: Request, _ entrance: Entrance,
    _ loop: RequestContext
  ) -> Outcome {
    switch admission {
    case .admitted(let access, let fields):
      let outcome = go(on: request, access, entrance, loop)
      return fields.isEmpty ? outcome : .adding(fields, outcome)
    case .refused(let problem, let fields):
      let outcome = Outcome.respond(refusal(problem, request, entrance.route))
      return fields.isEmpty ? outcome : .adding(fields, outcome)
    }
  }

  /// The response for a caller that is not admitted.
  private func refusal(_ error: any Error, _ request: Request, _ route: Route) -> Response {
    guard route.takesPasswords, var problem = error as? APIProblem else {
      return context.answer(error, to: request)
    }
    problem.offersBasic = problem.type == .unauthorized
    return context.answer(problem, to: request)
  }

  private func go(
    on request: Request, _ access: Access, _ entrance: Entrance, _ loop: RequestContext
  ) -> Outcome {
    var request = request
    request.caller = access
    do {
      try access.check(entrance.need)
      if entrance.isBeforeBody, !request.method.isSafe {
        try Origins.check(request, allowed: context.settings.allowedOrigins)
      }
      try entrance.route.check(request, context)
    } catch {
      return .respond(context.answer(error, to: request))
    }
    return entrance.isBeforeBody
      ? .readBody(request) : answer(request, entrance.route, loop)
  }
}
