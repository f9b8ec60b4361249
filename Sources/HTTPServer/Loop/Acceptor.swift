import Glibc

/// Accepts connections, also when descriptors run out: one is kept in reserve, so that a client can
/// be turned away instead of hanging in the kernel's queue (and the loop from spinning).
struct Acceptor {
  enum Result {
    case accepted(Int32, Peer)
    /// Nobody waits, or nobody can be accepted now.
    case none
    /// `errno` was this; go on.
    case failed(Int32)
    /// Not even the reserve is left: pause.
    case exhausted(Int32)
  }

  private var reserve: Int32 = -1

  init() { refill() }

  mutating func accept(_ listener: Int32) -> Result {
    var address = sockaddr_storage()
    let descriptor = Epoll.accept(listener, &address)
    if descriptor >= 0 { return .accepted(descriptor, Peer(&address)) }
    let code = errno
    switch code {
    case EAGAIN: return .none
    // The client went away while it waited, or a signal came.
    case EINTR, ECONNABORTED, EPROTO: return .failed(code)
    case EMFILE, ENFILE:
      guard reserve >= 0 else {
        refill()
        return .exhausted(code)
      }
      close(reserve)
      reserve = -1
      let victim = Epoll.accept(listener, &address)
      if victim >= 0 { close(victim) }
      refill()
      return reserve >= 0 ? .failed(code) : .exhausted(code)
    default: return .exhausted(code)
    }
  }

  mutating func end() {
    if reserve >= 0 { close(reserve) }
    reserve = -1
  }

  private mutating func refill() { reserve = open("/dev/null", O_RDONLY | O_CLOEXEC) }
}
