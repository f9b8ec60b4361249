import HTTPServer

extension API {
  /// Lets a request in to its route, or not.
  func admit(_ request: Request, to route: Route, _ context: RequestContext) -> Outcome {
    guard let need = route.need else { return route.answer(request, context, self) }
    guard let gate else { return go(on: request, .everything, to: route, need, context) }
    switch gate.look(at: request, context) {
    case .known(let admission): return take(admission, request, to: route, need, context)
    case .stale:
      return .later { [self] responder in
        gate.refresh { [self] result in
          switch result {
          case .success:
            responder.proceed { [self] context in admit(request, to: route, context) }
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
              take(gate.count(access, request, context), request, to: route, need, context)
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

  private func take(
    _ admission: Gate.Admission, _ request: Request, to route: Route, _ need: Need,
    _ context: RequestContext
  ) -> Outcome {
    switch admission {
    case .admitted(let access, let fields):
      let outcome = go(on: request, access, to: route, need, context)
      return fields.isEmpty ? outcome : .adding(fields, outcome)
    case .refused(let problem, let fields):
      let outcome = Outcome.respond(answer(problem, to: request))
      return fields.isEmpty ? outcome : .adding(fields, outcome)
    }
  }

  private func go(
    on request: Request, _ access: Access, to route: Route, _ need: Need, _ context: RequestContext
  ) -> Outcome {
    do {
      try access.check(need)
    } catch {
      return .respond(answer(error, to: request))
    }
    var request = request
    request.caller = access
    return route.answer(request, context, self)
  }
}
