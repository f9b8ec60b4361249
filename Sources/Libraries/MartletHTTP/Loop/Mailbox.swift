import Glibc
import Synchronization

/// The only way to reach an event loop from another thread.
///
/// It is a locked list and an eventfd. The eventfd is written only while the loop sleeps, so
/// posting to a busy loop costs no system call. It is watched edge-triggered and never read.
final class Mailbox: Sendable {
  enum Message: Sendable {
    case answer(ConnectionID, Outcome)
    /// More content is available for the response that is being sent.
    case content(ConnectionID)
    case wake(Broadcast.Group)
    case run(@Sendable (Int) -> Void)
    /// Drain until this time of the monotonic clock, in milliseconds.
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
      // Other threads still see the loop as asleep and wake it at once.
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
    // It fails only with EAGAIN, when the counter is full, and then the loop is awake.
    _ = write(descriptor, &one, 8)
  }

  /// Called by the loop before it sleeps. Returns false if there are messages.
  func maySleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.messages.isEmpty
      return state.isAsleep
    }
  }

  /// Exchanges the messages for the empty array `messages`.
  func take(into messages: inout [Message]) {
    state.withLock { state in
      state.isAsleep = false
      swap(&state.messages, &messages)
    }
  }

  /// Closes the mailbox when the loop has ended. Later messages are dropped.
  func close() {
    // Release the messages outside of the lock: releasing a responder posts its 500.
    let rest = state.withLock { state in
      state.isClosed = true
      defer { state.messages = [] }
      return state.messages
    }
    _ = consume rest
  }
}

/// The loops that a thread wakes at the end of a block of answers.
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
  /// Runs `body`, which answers many requests, and then wakes each of their event loops once.
  ///
  /// Without it the first answer would wake a loop, which could take the processor from the thread
  /// that makes the other answers.
  public static func gathering(_ body: () -> Void) {
    let gathering = Gathering()
    let outer = Gathering.current
    Gathering.current = gathering
    body()
    Gathering.current = outer
    for mailbox in gathering.mailboxes { mailbox.wakeIfAsleep() }
  }
}
