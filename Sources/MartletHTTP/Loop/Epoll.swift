import CMartletEpoll
import Glibc

/// Readiness of descriptors (epoll(7)), edge-triggered: one system call for each connection, none
/// for each request. The only file that knows epoll, eventfd and accept4.
struct Epoll: ~Copyable {
  struct Readiness: OptionSet {
    let rawValue: UInt32
    static let read = Readiness(rawValue: EPOLLIN.rawValue)
    static let write = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The peer has sent its last byte.
    static let readEnd = Readiness(rawValue: EPOLLRDHUP.rawValue)
    /// The connection is broken in both directions.
    static let broken = Readiness(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
  }

  static let capacity = 256

  private let descriptor: Int32
  private let events: UnsafeMutablePointer<epoll_event>

  init() throws(SystemError) {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { throw SystemError("epoll_create1") }
    events = .allocate(capacity: Epoll.capacity)
  }

  deinit {
    events.deallocate()
    close(descriptor)
  }

  /// Watches a socket for everything, edge-triggered. False when the system has no memory for it.
  func add(connection: Int32, token: UInt64) -> Bool {
    add(connection, token, EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue)
  }

  /// Watches an eventfd, edge-triggered.
  func add(event: Int32, token: UInt64) -> Bool {
    add(event, token, EPOLLIN.rawValue)
  }

  /// Watches a listening socket as long as it has connections (level-triggered), so that a loop
  /// need not accept them all at once. One that is watched already stays so.
  func add(listener: Int32, token: UInt64) -> Bool {
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    event.data.u64 = token
    return epoll_ctl(descriptor, EPOLL_CTL_ADD, listener, &event) == 0 || errno == EEXIST
  }

  private func add(_ watched: Int32, _ token: UInt64, _ interest: UInt32) -> Bool {
    var event = epoll_event()
    event.events = interest | EPOLLET.rawValue
    event.data.u64 = token
    return epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &event) == 0
  }

  func remove(_ watched: Int32) {
    var unused = epoll_event()
    _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, watched, &unused)
  }

  /// Waits at most `timeout` milliseconds, -1 for ever; returns how many events there are. An
  /// interruption is none.
  func wait(timeout: Int32) -> Int {
    Int(max(epoll_wait(descriptor, events, Int32(Epoll.capacity), timeout), 0))
  }

  subscript(index: Int) -> (token: UInt64, readiness: Readiness) {
    (events[index].data.u64, Readiness(rawValue: events[index].events))
  }

  /// Accepts a connection, non-blocking and closed on exec. Negative: `errno` says why.
  static func accept(_ listener: Int32, _ address: inout sockaddr_storage) -> Int32 {
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        cepoll_accept(listener, $0, &length)
      }
    }
  }

  /// The socket types; CMartletEpoll's header claims them before the Glibc module can.
  static let streamSocket = Int32(SOCK_STREAM.rawValue)

  /// A stream socket, non-blocking and closed on exec. Negative: `errno` says why.
  static func makeSocket(family: Int32) -> Int32 {
    socket(family, streamSocket | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
  }

  static func usableCores() -> Int { Int(cepoll_usable_cores()) }

  static func makeEventDescriptor() throws(SystemError) -> Int32 {
    let descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard descriptor >= 0 else { throw SystemError("eventfd") }
    return descriptor
  }
}
