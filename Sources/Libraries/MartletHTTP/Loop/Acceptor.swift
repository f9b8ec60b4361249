import Glibc
import Synchronization

/// Accepts connections for all loops, even when file descriptors run out.
///
/// One descriptor is kept in reserve. It is freed to accept and close a connection, so the client
/// is turned away instead of waiting in the kernel's queue, and the loop does not spin. Only one
/// loop accepts at a time, because another one could take the freed descriptor. This costs a lock
/// per connection, not per request.
final class Acceptor: Sendable {
  enum Result {
    case accepted(Int32, Peer)
    /// No connection is waiting, or none can be accepted now.
    case none
    /// `accept` failed with this `errno`. Accepting can continue.
    case failed(Int32)
    /// Even the reserve is lost. Accepting has to pause.
    case exhausted(Int32)
  }

  /// An open descriptor, or -1 if none was available.
  private let reserve = Mutex(Acceptor.openReserve())

  deinit {
    let rest = reserve.withLock { $0 }
    if rest >= 0 { close(rest) }
  }

  func accept(_ listener: Int32) -> Result {
    reserve.withLock { reserve in
      // Another part of the program took the reserve. The first free descriptor becomes the reserve
      // again, so that waiting clients can at least be turned away.
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
      // The client closed the connection while it waited, or a signal arrived.
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
