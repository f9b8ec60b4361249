import MartletCourier
import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// Makes a key pair for push services, as `Courier.makeKey` does, and calls back once.
public typealias PushKeyMaker =
  @Sendable (_ answer: @escaping @Sendable (Result<VAPIDKey, CourierResult.Failure>) -> Void) ->
  Void

/// The routes of `/v1/push`: devices that ring by Web Push while the app is closed. Each key has
/// its own subscriptions, and administrators see all of them.
enum PushRoutes {
  private static let subscriptions = "/v1/push/subscriptions"

  /// Makes the server's key pair at its first use, and answers with the public key.
  static func key(_ make: PushKeyMaker?) -> Route {
    .write(.post, "/v1/push/key", needs: .read, parts: .respected) { request, context in
      if !request.body.bytes.isEmpty {
        var body = try Body(request)
        try body.finish()
      }
      let made = Made()
      let clock = context.clock
      return WriteRoute.Work(before: make.map { question($0, made) }) { db in
        var key = try PushRepository.publicKey(db)
        if key == nil, let new = made.key.withLock({ $0 }) {
          key = try PushRepository.store(new, at: clock.now(), db)
        }
        guard let key else {
          throw APIProblem(.courierUnavailable, "A key for push services cannot be made here.")
        }
        let buffer = ByteBuffer(capacity: 128)
        JSONWriter.object(into: buffer) { $0.member("applicationServerKey", key) }
        return .results(buffer.share())
      }
    }
  }

  /// Deletes the server's key pair, as after the theft of a backup.
  static let deleteKey = Route.write(.delete, "/v1/push/key", needs: .admin) { _, context in
    let clock = context.clock
    return WriteRoute.Work { db in
      try PushRepository.reset(at: clock.now(), db)
      return .done
    }
  }

  static let list = Route.read(subscriptions, parts: .respected, audience: .caller) { request, _ in
    var parameters = QueryParameters.ofRead(request)
    let page = try parameters.page()
    try parameters.finish()
    let query = try PushRepository.page(extent(request), page)
    return LiveSource(request) { db, body in
      try db.writeJSON(query, into: body)
      return true
    }
  }

  static let get = Route.read("\(subscriptions)/{id}", parts: .respected, audience: .caller) {
    request, _ in
    LiveSource(request, write: stored(try request.id("id"), extent(request)))
  }

  /// Adds the subscription of a device, or replaces the one with the same endpoint.
  static func subscribe(_ settings: RemindersAPISettings) -> Route {
    .write(.put, subscriptions, needs: .read, parts: .respected) { request, context in
      let body = try SubscriptionBody(subscribing: request, settings)
      let (extent, lists, key) = (extent(request), request.lists, request.access.keyID)
      let clock = context.clock
      return WriteRoute.Work(before: ChannelRoutes.question(settings.checkCourier)) { db in
        guard let subscription = body.subscription else { throw SubscriptionBody.noContact }
        let (id, isNew) = try PushRepository.subscribe(
          subscription, body.values, by: key, among: lists, at: clock.now(), db)
        return isNew
          ? .created(location: "\(subscriptions)/\(id)", stored(id, extent))
          : .changed(stored(id, extent))
      }
    }
  }

  static let update = Route.write(
    .patch, "\(subscriptions)/{id}", needs: .read, parts: .respected
  ) { request, _ in
    let id = try request.id("id")
    let body = try SubscriptionBody(changing: request)
    let (extent, lists) = (extent(request), request.lists)
    return WriteRoute.Work(current: stored(id, extent), readOnly: body.readOnly) { db in
      try PushRepository.update(id, body.values, in: extent, among: lists, db)
      return .changed(stored(id, extent))
    }
  }

  static let delete = Route.write(
    .delete, "\(subscriptions)/{id}", needs: .read, parts: .respected
  ) { request, _ in
    let id = try request.id("id")
    let extent = extent(request)
    return WriteRoute.Work(current: stored(id, extent)) { db in
      try PushRepository.delete(id, in: extent, db)
      return .done
    }
  }

  /// The longest time after which a device is tried, in milliseconds.
  private static let longestDelay: Int64 = 60_000

  /// Sends a message that the device shows.
  static func test(_ check: CourierCheck?) -> Route {
    .write(.post, "\(subscriptions)/{id}/test", needs: .read, parts: .respected) {
      request, context in
      let id = try request.id("id")
      var parameters = QueryParameters(request)
      let delay = parameters.value("after", expected: "a duration from PT0S to PT60S") { text in
        CivilDuration(text).flatMap { duration -> Int64? in
          duration.days == 0 && 0...longestDelay ~= duration.milliseconds
            ? duration.milliseconds : nil
        }
      }
      try parameters.finish()
      let extent = extent(request)
      let clock = context.clock
      return WriteRoute.Work(before: ChannelRoutes.question(check)) { db in
        let delivery = try PushRepository.test(
          id, after: .milliseconds(delay ?? 0), in: extent, at: clock.now(), db)
        return .created(
          location: "/v1/deliveries/\(delivery)", DeliveryRoutes.stored(delivery))
      }
    }
  }

  /// The subscriptions that the caller may see.
  private static func extent(_ request: Request) -> PushRepository.Extent {
    guard let key = request.access.keyID, request.access.rights.scope < .admin else { return .all }
    return .ofKey(key)
  }

  private static func stored(_ id: Int, _ extent: PushRepository.Extent) -> WriteRoute.Current {
    { db, body in try db.writeJSONObject(PushRepository.item(id, in: extent), into: body) }
  }

  /// Makes a key pair before the transaction, because another process does it.
  private static func question(
    _ make: @escaping PushKeyMaker, _ made: Made
  ) -> WriteRoute.Question {
    { answer in
      make { result in
        switch result {
        case .success(let key):
          made.key.withLock { $0 = key }
          answer(nil)
        case .failure(let failure): answer(ChannelRoutes.unavailable(failure))
        }
      }
    }
  }

  /// The key pair that was made for a request.
  private final class Made: Sendable {
    let key = Mutex<VAPIDKey?>(nil)
  }
}
