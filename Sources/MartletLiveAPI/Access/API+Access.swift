import MartletHTTP

extension API {
  /// Lets a request in to its route, or not. Before its body is read it is let in to have that read.
  func admit(
    _ request: Request, to route: Route, _ context: RequestContext, isBeforeBody: Bool
  ) -> Outcome {
    guard let need = route.need else { return route.answer(request, context, self) }
    let entrance = Entrance(route: route, need: need, isBeforeBody: isBeforeBody)
    guard let gate else { return go(on: request, .everything, entrance, context) }
    switch gate.look(at: request, context) {
    case .known(let admission): return take(admission, request, entrance, context)
    case .stale:
      return .later { [self] responder in
        gate.refresh { [self] result in
          switch result {
          case .success:
            responder.proceed { [self] context in
              admit(request, to: route, context, isBeforeBody: isBeforeBody)
            }
          case .failure(let error): responder.respond(answer(to: error, request.id))
          }
        }
      }
    case .unknown(let credential, let attempt):
      return .later { [self] responder in
        let isTaken = gate.verify(credential, attempt, request) { [self] result in
          switch result {
          case .success(let access):
            responder.proceed { [self] context in
              take(gate.count(access, request, context), request, entrance, context)
            }
          case .failure(let error): responder.respond(answer(to: error, request.id))
          }
        }
        guard !isTaken else { return }
        // A browser comes back to an event stream after a goodbye, and after nothing else.
        let isStream = (try? Negotiation.of(request)) == .eventStream
        responder.respond(
          isStream ? LiveRoute.goodbye(.overload, request) : answer(Gate.overloaded, to: request))
      }
    }
  }

  /// What a request asks to be let in to.
  private struct Entrance: Sendable {
    let route: Route
    let need: Need
    let isBeforeBody: Bool
  }

  private func take(
    _ admission: Gate.Admission, _ request: Request, _ entrance: Entrance,
    _ context: RequestContext
  ) -> Outcome {
    switch admission {
    case .admitted(let access, let fields):
      let outcome = go(on: request, access, entrance, context)
      return fields.isEmpty ? outcome : .adding(fields, outcome)
    case .refused(let problem, let fields):
      let outcome = Outcome.respond(answer(problem, to: request))
      return fields.isEmpty ? outcome : .adding(fields, outcome)
    }
  }

  private func go(
    on request: Request, _ access: Access, _ entrance: Entrance, _ context: RequestContext
  ) -> Outcome {
    do {
      try access.check(entrance.need)
      if entrance.isBeforeBody, !request.method.isSafe {
        try Origins.check(request, allowed: settings.allowedOrigins)
      }
    } catch {
      return .respond(answer(error, to: request))
    }
    var request = request
    request.caller = access
    return entrance.isBeforeBody
      ? .readBody(request) : entrance.route.answer(request, context, self)
  }
}
