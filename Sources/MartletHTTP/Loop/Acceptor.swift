import Glibc
import Synchronization

/// Accepts connections for all loops, also when descriptors run out: one is kept in reserve, so that
/// a client can be turned away instead of hanging in the kernel's queue (and the loop from spinning).
///
/// One loop accepts at a time. Otherwise another would take the descriptor that was set free for
/// turning a client away, and the reserve were lost. A lock for each connection, not each request.
final class Acceptor: Sendable {
  enum Result {
    case accepted(Int32, Peer)
    /// Nobody waits, or nobody can be accepted now.
    case none
    /// `errno` was this; go on.
    case failed(Int32)
    /// Not even the reserve is left: pause.
    case exhausted(Int32)
  }

  /// Open as long as there are descriptors.
  private let reserve = Mutex(Acceptor.openReserve())

  deinit {
    let rest = reserve.withLock { $0 }
    if rest >= 0 { close(rest) }
  }

  func accept(_ listener: Int32) -> Result {
    reserve.withLock { reserve in
      // Lost to another part of the program: what is free again goes here first, so that those who
      // wait are turned away at least.
      if reserve < 0 {
        reserve = Acceptor.openReserve()
        if reserve < 0 { return .exhausted(errno) }
      }
      var address = sockaddr_storage()
      let descriptor = Epoll.accept(listener, &address)
      if descriptor >= 0 { return .accepted(descriptor, Peer(&address)) }
      let code = errno
      switch code {
      case EAGAIN: return .none
      // The client went away while it waited, or a signal came.
      case EINTR, ECONNABORTED, EPROTO: return .failed(code)
      case EMFILE, ENFILE:
        close(reserve)
        let victim = Epoll.accept(listener, &address)
        if victim >= 0 { close(victim) }
        reserve = Acceptor.openReserve()
        return reserve >= 0 ? .failed(code) : .exhausted(code)
      default: return .exhausted(code)
      }
    }
  }

  private static func openReserve() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }
}
