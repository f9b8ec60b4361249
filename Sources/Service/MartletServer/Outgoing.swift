import Dispatch
import MartletCourier
import Synchronization

/// The courier of the server. It is made when the port is known, because it never connects to that.
final class Outgoing: Sendable {
  /// Where messages may go, except for the port.
  let rules: OutgoingRules
  /// Whether nothing is sent.
  private let sendsNothing: Bool
  private let courier = Mutex<Courier?>(nil)

  init(_ settings: ServeSettings) {
    var rules = OutgoingRules(allowed: settings.outgoingTo)
    rules.pushHosts = settings.pushHosts
    self.rules = rules
    sendsNothing = settings.sendsNothing
  }

  func start(port: UInt16) {
    var rules = rules
    rules.ownPort = port
    let settings = CourierSettings(rules: rules, userAgent: "martlet/\(Program.version)")
    courier.withLock { $0 = Courier(settings) }
  }

  func send(
    _ request: CourierRequest, completion: @escaping @Sendable (CourierResult) -> Void
  ) {
    courier.withLock { $0 }?.send(request, completion: completion)
  }

  func makeKey(
    completion: @escaping @Sendable (Result<VAPIDKey, CourierResult.Failure>) -> Void
  ) {
    courier.withLock { $0 }?.makeKey(completion: completion)
  }

  func check(completion: @escaping @Sendable (CourierResult.Failure?) -> Void) {
    guard !sendsNothing else {
      return completion(.init("the server was started with --send-nothing"))
    }
    courier.withLock { $0 }?.check(completion: completion)
  }

  /// Whether a courier can work on this machine. Starts one, and waits for its answer.
  static func check() -> CourierResult.Failure? {
    let courier = Courier(
      CourierSettings(rules: OutgoingRules(), userAgent: "martlet/\(Program.version)"))
    let answer = Mutex<CourierResult.Failure?>(nil)
    let done = DispatchSemaphore(value: 0)
    courier.check { failure in
      answer.withLock { $0 = failure }
      done.signal()
    }
    done.wait()
    courier.stop()
    return answer.withLock { $0 }
  }

  func stop() { courier.withLock { $0 }?.stop() }
}
