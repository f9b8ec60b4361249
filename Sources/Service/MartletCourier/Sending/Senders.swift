import Dispatch
import Synchronization

/// The senders of this process, each with a thread while it works.
final class Senders: Sendable {
  private struct Free { var places: [Int] }

  private let lanes: [Lane]
  private let free: Mutex<Free>
  private let room: DispatchSemaphore

  init(_ settings: CourierSettings, count: Int) {
    lanes = (0..<count).map { Lane(settings, $0) }
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

/// A sender and its queue.
private final class Lane: Sendable {
  private let settings: CourierSettings
  // A serial queue has a thread whenever it needs one, whatever the number of cores.
  private let queue: DispatchQueue
  private let sender = Mutex<Sender?>(nil)

  init(_ settings: CourierSettings, _ place: Int) {
    self.settings = settings
    queue = DispatchQueue(label: "courier.sender.\(place)")
  }

  func send(_ request: CourierRequest, completion: @escaping @Sendable (CourierResult) -> Void) {
    queue.async { [self] in
      let result = sender.withLock { sender in
        let one = sender ?? Sender(settings)
        sender = one
        return one.send(request)
      }
      completion(result)
    }
  }
}
