import Dispatch
import Synchronization

/// The senders of this process, each with a thread while it works.
final class Senders: Sendable {
  private struct Free { var places: [Int] }

  private let lanes: [Lane]
  private let free: Mutex<Free>
  private let room: DispatchSemaphore

  /// - Parameter released: Called after a sender was released.
  init(
    _ settings: CourierSettings, _ tokens: PushTokens, count: Int,
    released: @escaping @Sendable () -> Void
  ) {
    lanes = (0..<count).map { Lane(settings, tokens, $0, released) }
    free = Mutex(Free(places: Array((0..<count).reversed())))
    room = DispatchSemaphore(value: count)
  }

  /// Sends a request. Waits while all senders work, which happens only if there are more requests
  /// than senders.
  func send(_ request: CourierRequest, completion: @escaping @Sendable (CourierResult) -> Void) {
    room.wait()
    // The last one that became free is used again, so that few handles are made.
    let place = free.withLock { $0.places.removeLast() }
    lanes[place].send(request) { [self] result in
      free.withLock { $0.places.append(place) }
      room.signal()
      completion(result)
    }
  }
}

/// A sender and its queue. The sender is released when it has not worked for a while, which closes
/// its connections and returns the memory of its certificates.
private final class Lane: Sendable {
  private struct Work {
    var sender: Sender?
    /// How many requests were sent.
    var count = 0
  }

  private let settings: CourierSettings
  private let tokens: PushTokens
  private let released: @Sendable () -> Void
  // A serial queue has a thread whenever it needs one, whatever the number of cores.
  private let queue: DispatchQueue
  private let work = Mutex(Work())

  init(
    _ settings: CourierSettings, _ tokens: PushTokens, _ place: Int,
    _ released: @escaping @Sendable () -> Void
  ) {
    self.released = released
    self.settings = settings
    self.tokens = tokens
    queue = DispatchQueue(label: "courier.sender.\(place)")
  }

  func send(_ request: CourierRequest, completion: @escaping @Sendable (CourierResult) -> Void) {
    queue.async { [self] in
      let (result, count) = work.withLock { work in
        let sender = work.sender ?? Sender(settings, tokens)
        work.sender = sender
        work.count += 1
        return (sender.send(request), work.count)
      }
      completion(result)
      queue.asyncAfter(deadline: .now() + .nanoseconds(Int(settings.idleTimeout.wholeNanoseconds)))
      { [self] in
        let isIdle = work.withLock { work in
          if work.count == count { work.sender = nil }
          return work.count == count
        }
        if isIdle { released() }
      }
    }
  }
}
