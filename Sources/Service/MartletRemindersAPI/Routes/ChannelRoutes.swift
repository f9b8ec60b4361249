import MartletCourier
import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletStore
import MartletTime

/// Asks whether messages can be sent, as `Courier.check` does, and calls back with the reason if
/// not.
public typealias CourierCheck =
  @Sendable (_ answer: @escaping @Sendable (CourierResult.Failure?) -> Void) -> Void

/// The routes of `/v1/channels`. Only keys with the scope `admin` may use them.
enum ChannelRoutes {
  static let list = Route.read("/v1/channels", needs: .admin, audience: .everyone) { request, _ in
    var parameters = QueryParameters.ofRead(request)
    let page = try parameters.page()
    try parameters.finish()
    let query = try ChannelRepository.page(page)
    return LiveSource(request) { db, body in
      try db.writeJSON(query, into: body)
      return true
    }
  }

  static let get = Route.read("/v1/channels/{id}", needs: .admin, audience: .everyone) {
    request, _ in
    LiveSource(request, write: stored(try request.id("id")))
  }

  static func create(_ rules: OutgoingRules, _ check: CourierCheck?) -> Route {
    .write(.post, "/v1/channels", needs: .admin) { request, context in
      let body = try ChannelBody(creating: request, rules)
      let clock = context.clock
      return WriteRoute.Work(before: question(check)) { db in
        guard let kind = body.kind else { throw DomainError.invalid("kind", "is required") }
        let id = try ChannelRepository.create(kind, body.values, at: clock.now(), db)
        return .once(location: "/v1/channels/\(id)", withSecret(id))
      }
    }
  }

  static func update(_ rules: OutgoingRules) -> Route {
    .write(.patch, "/v1/channels/{id}", needs: .admin) { request, _ in
      let id = try request.id("id")
      let body = try ChannelBody(changing: request, rules)
      return WriteRoute.Work(current: stored(id), readOnly: body.readOnly) { db in
        try ChannelRepository.update(id, body.values, db)
        return .changed(stored(id))
      }
    }
  }

  static let delete = Route.write(.delete, "/v1/channels/{id}", needs: .admin) { request, _ in
    let id = try request.id("id")
    return WriteRoute.Work(
      current: stored(id), portion: { db in try ChannelRepository.shrink(id, db) }
    ) { db in
      try ChannelRepository.delete(id, db)
      return .done
    }
  }

  /// Sends a message that says that the channel works.
  static func test(_ check: CourierCheck?) -> Route {
    .write(.post, "/v1/channels/{id}/test", needs: .admin) { request, context in
      let id = try request.id("id")
      let clock = context.clock
      return WriteRoute.Work(before: question(check)) { db in
        let delivery = try ChannelRepository.test(id, at: clock.now(), db)
        return .created(
          location: "/v1/deliveries/\(delivery)", DeliveryRoutes.stored(delivery))
      }
    }
  }

  /// Gives a webhook a new secret.
  static let rotate = Route.write(.post, "/v1/channels/{id}/rotate", needs: .admin) {
    request, context in
    let id = try request.id("id")
    let clock = context.clock
    return WriteRoute.Work(current: stored(id)) { db in
      try ChannelRepository.rotate(id, at: clock.now(), db)
      return .once(location: nil, withSecret(id))
    }
  }

  private static func stored(_ id: Int) -> WriteRoute.Current {
    { db, body in try db.writeJSONObject(ChannelRepository.item(id), into: body) }
  }

  /// The channel, with the secret of a webhook as a last member.
  private static func withSecret(_ id: Int) -> WriteRoute.Current {
    { db, body in
      let item = ByteBuffer(capacity: 1_024)
      guard try db.writeJSONObject(ChannelRepository.item(id), into: item) else { return false }
      guard let secret = try ChannelRepository.secret(of: id, db) else {
        body.append(item.bytes)
        return true
      }
      body.append(UnsafeBufferPointer(rebasing: item.bytes.dropLast()))
      body.append(",\"secret\":")
      JSONWriter.string(secret, into: body)
      body.append(UInt8(ascii: "}"))
      return true
    }
  }

  /// Asks whether messages can be sent at all.
  static func question(_ check: CourierCheck?) -> WriteRoute.Question? {
    guard let check else { return nil }
    return { answer in check { failure in answer(failure.map { unavailable($0) }) } }
  }

  /// The problem for a courier that cannot work.
  static func unavailable(_ failure: CourierResult.Failure) -> APIProblem {
    APIProblem(.courierUnavailable, "Messages cannot be sent: \(failure).")
  }
}
