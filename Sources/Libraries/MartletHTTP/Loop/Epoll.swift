import CMartletSystem
import Glibc

/// Readiness of descriptors with epoll(7), edge-triggered: one system call per connection, none per
/// request. No other file uses epoll, eventfd or accept4.
struct Epoll: ~Copyable {
  struct Readiness: OptionSet {
    let rawValue: UInt32
    static let read = Readiness(rawValue: EPOLLIN.rawValue)
    static let write = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The peer has closed its sending side.
    static let readEnd = Readiness(rawValue: EPOLLRDHUP.rawValue)
    /// The connection is closed in both directions.
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

  /// Watches a connection for all events, edge-triggered. Returns false if the system has no memory
  /// for it.
  func add(connection: Int32, token: UInt64) -> Bool {
    add(connection, token, EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue)
  }

  /// Watches an eventfd, edge-triggered.
  func add(event: Int32, token: UInt64) -> Bool {
    add(event, token, EPOLLIN.rawValue)
  }

  /// Watches a listening socket while connections wait (level-triggered), so that a loop need not
  /// accept all of them at once. Returns true if the socket is already watched.
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

  /// Waits at most `timeout` milliseconds, or without limit if it is -1, and returns the number of
  /// events. Returns 0 after an interruption.
  func wait(timeout: Int32) -> Int {
    Int(max(epoll_wait(descriptor, events, Int32(Epoll.capacity), timeout), 0))
  }

  subscript(index: Int) -> (token: UInt64, readiness: Readiness) {
    (events[index].data.u64, Readiness(rawValue: events[index].events))
  }

  /// Accepts a connection, non-blocking and close-on-exec. A negative result means an error in
  /// `errno`.
  static func accept(_ listener: Int32, _ address: inout sockaddr_storage) -> Int32 {
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        csystem_accept(listener, $0, &length)
      }
    }
  }

  /// The type of stream sockets, which Swift sees as part of CMartletSystem instead of Glibc.
  static let streamSocket = Int32(SOCK_STREAM.rawValue)

  /// Makes a stream socket, non-blocking and close-on-exec. A negative result means an error in
  /// `errno`.
  static func makeSocket(family: Int32) -> Int32 {
    socket(family, streamSocket | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
  }

  static func usableCores() -> Int { Int(csystem_usable_cores()) }

  static func makeEventDescriptor() throws(SystemError) -> Int32 {
    let descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard descriptor >= 0 else { throw SystemError("eventfd") }
    return descriptor
  }
}
