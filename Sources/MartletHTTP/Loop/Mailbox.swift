import Glibc
import Synchronization

/// The only way to reach an event loop from another thread.
///
/// A locked list and an eventfd. The eventfd is written only when the loop sleeps, so that a busy
/// loop costs its posters no system call; it is watched edge-triggered and never read.
final class Mailbox: Sendable {
  enum Message: Sendable {
    case answer(ConnectionID, Outcome)
    /// There is more of the content that is being sent.
    case content(ConnectionID)
    case wake(Broadcast.Group)
    case run(@Sendable (Int) -> Void)
    /// Finish until that time of the monotonic clock, in milliseconds.
    case drain(deadline: Int64)
    case stop
  }

  private struct State {
    var messages: [Message] = []
    var isAsleep = false
    var isClosed = false
  }

  let descriptor: Int32
  private let state = Mutex(State())

  init() throws(SystemError) {
    descriptor = try Epoll.makeEventDescriptor()
  }

  deinit { Glibc.close(descriptor) }

  func post(_ message: Message) {
    let gathering = Gathering.current
    let wakes = state.withLock { state in
      guard !state.isClosed else { return false }
      state.messages.append(message)
      // Still asleep for everybody else, who wakes it at once.
      if let gathering, state.isAsleep {
        gathering.add(self)
        return false
      }
      defer { state.isAsleep = false }
      return state.isAsleep
    }
    if wakes { wake() }
  }

  fileprivate func wakeIfAsleep() {
    let wakes = state.withLock { state in
      defer { state.isAsleep = false }
      return state.isAsleep
    }
    if wakes { wake() }
  }

  private func wake() {
    var one: UInt64 = 1
    // Fails only with EAGAIN, when the counter is full; the loop is awake then.
    _ = write(descriptor, &one, 8)
  }

  /// Asked by the loop before it sleeps; false when there is something to do.
  func maySleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.messages.isEmpty
      return state.isAsleep
    }
  }

  /// Exchanges the messages for the empty array `into`.
  func take(into messages: inout [Message]) {
    state.withLock { state in
      state.isAsleep = false
      swap(&state.messages, &messages)
    }
  }

  /// The loop has ended; what comes now is dropped.
  func close() {
    // Outside of the lock: dropping a responder posts its 500.
    let rest = state.withLock { state in
      state.isClosed = true
      defer { state.messages = [] }
      return state.messages
    }
    _ = consume rest
  }
}

/// Wakes that wait for the end of what the thread is doing.
private final class Gathering {
  private(set) var mailboxes: [Mailbox] = []

  func add(_ mailbox: Mailbox) {
    if !mailboxes.contains(where: { $0 === mailbox }) { mailboxes.append(mailbox) }
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  static var current: Gathering? {
    get {
      pthread_getspecific(key).map {
        Unmanaged<Gathering>.fromOpaque($0).takeUnretainedValue()
      }
    }
    set { pthread_setspecific(key, newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
  }
}

extension HTTPServer {
  /// Runs `body`, and then wakes each loop once whose requests it has answered. Waked by the first of many answers, a loop
  /// would take the processor from whoever gives the others, again and again.
  public static func gathering(_ body: () -> Void) {
    let gathering = Gathering()
    let outer = Gathering.current
    Gathering.current = gathering
    body()
    Gathering.current = outer
    for mailbox in gathering.mailboxes { mailbox.wakeIfAsleep() }
  }
}
