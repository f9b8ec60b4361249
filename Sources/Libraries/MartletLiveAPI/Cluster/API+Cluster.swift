import MartletHTTP
import MartletStore

// Requests to a node of a cluster.

extension API {
  /// The outcome of a request that this node cannot answer at once; `nil` if it can.
  func detour(_ request: Request, _ route: Route) -> Outcome? {
    guard let cluster = context.cluster else { return nil }
    if cluster.forwardsEverything { return forwarded(request, route) }
    var isChange = false
    if case .exchange(let exchange) = route.kind { isChange = exchange.isChange }
    switch route.kind {
    case .plain: return nil
    case .exchange where isChange, .write, .batch, .liveSession, .pairing, .token:
      if cluster.isPrimary || request.forwarding != nil { return nil }
      return .later { [self] responder in
        context.forward(request, to: responder) { [self] in
          responder.proceed { [self] loop in answer(request, route, loop) }
        }
      }
    case .exchange, .read, .feed, .bundle, .download:
      if cluster.isFresh { return nil }
      return .later { [self] responder in
        cluster.whenFresh { [self] isFresh in
          if isFresh {
            return responder.proceed { [self] loop in
              // The key may have been revoked in what this node has just caught up with.
              route.need == nil || isStillAdmitted(request)
                ? answerHere(request, route, loop)
                : admit(request, to: route, loop, isBeforeBody: false)
            }
          }
          let isStream = route.isLive && (try? Negotiation.of(request)) == .eventStream
          if !isStream, let age = cluster.staleness {
            return responder.proceed { [self] loop in
              .adding(Self.age(age), answerHere(request, route, loop))
            }
          }
          let refusal = context.withoutQuorum(request)
          responder.respond(
            route.isLive ? LiveRoute.refusal(of: request, else: refusal) : refusal)
        }
      }
    }
  }

  /// The field of an answer that may be outdated: for how many seconds at most.
  private static func age(_ age: Duration) -> Fields {
    var fields = Fields()
    fields.append("Martlet-Age", "\(Int((age / .seconds(1)).rounded(.up)))")
    return fields
  }

  /// The outcome of a request that only another node can answer, because this one does not know the
  /// schema of the database; `nil` for what needs no database.
  private func forwarded(_ request: Request, _ route: Route) -> Outcome? {
    if route.need == nil { return nil }
    if route.isLive, (try? Negotiation.of(request)) == .eventStream {
      return .respond(LiveRoute.goodbye(.overload, request))
    }
    // Too large to pass on.
    if case .download = route.kind { return .respond(context.withoutQuorum(request)) }
    guard request.forwarding == nil else {
      var response = context.withoutQuorum(request)
      context.markRepeatable(&response, WriteError.notPrimary, request)
      return .respond(response)
    }
    return .later { [self] responder in
      context.forward(request, to: responder) { [self] in
        responder.respond(context.withoutQuorum(request))
      }
    }
  }
}

extension Context {
  /// Sends a write to the primary, and passes its answer on. `here` answers it on this node.
  func forward(
    _ request: Request, to responder: Responder, here: @escaping @Sendable () -> Void
  ) {
    guard let cluster, responder.commit() else { return }
    cluster.forward(request) { [self] answer in
      switch answer {
      case .response(let response): responder.respond(response)
      case .isHere: here()
      case .noPrimary: responder.respond(withoutQuorum(request))
      case .overloaded:
        responder.respond(
          self.answer(
            APIProblem(
              .overloaded,
              "Too many changes wait for the server that accepts them. Nothing was done. Try again in 1 s.",
              retryAfter: 1),
            to: request))
      case .unknown: responder.respond(self.answer(WriteError.undecided, to: request))
      }
    }
  }

  /// Whether a failed write can be sent to the primary: nothing has been done.
  func isElsewhere(_ error: any Error, _ request: Request) -> Bool {
    guard cluster != nil, request.forwarding == nil, let error = error as? WriteError else {
      return false
    }
    return error == .notPrimary
  }

  /// Tells the node that has forwarded a request whether it should send it again.
  func markRepeatable(_ response: inout Response, _ error: any Error, _ request: Request) {
    guard request.forwarding != nil, let error = error as? WriteError else { return }
    // Sent again with the same ID, it is not done twice.
    if error == .notPrimary || error == .undecided {
      response.fields.append(Context.repeatable, "true")
    }
  }

  /// The field of an answer to a forwarded request that should be sent again.
  package static let repeatable: StaticString = "Martlet-Send-Again"

  func withoutQuorum(_ request: Request) -> Response {
    varied(APIProblem.withoutQuorum, to: request)
  }
}

extension APIProblem {
  /// No node of the cluster leads, or this one is cut off.
  package static let withoutQuorum = APIProblem(
    .noQuorum,
    "Most servers of the cluster cannot be reached, or they are electing one that accepts changes. Nothing was done. Try again in 1 s.",
    retryAfter: 1)
}
