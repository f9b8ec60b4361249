import Glibc

/// Finds out whether the nodes of an old cluster still send to an address. A node that begins a new
/// cluster there would be taken back into the old one, without what it had promised to keep.
enum QuietAddress {
  /// The first bytes that a node of dqlite sends to another one.
  private static let greeting: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
  /// How long a connection may need for them.
  private static let greetingTime: Duration = .milliseconds(500)

  /// Listens at an address for some time. Throws if a node of dqlite connects.
  static func wait(_ address: String, for time: Duration) throws(ClusterError) {
    let end = ContinuousClock.now + time
    guard time > .zero else { return }
    let listener = try listen(address)
    defer { close(listener) }
    while let connection = try accept(listener, until: end) {
      defer { close(connection) }
      guard isNode(connection) else { continue }
      throw .nodeFile(
        "nodes of an older cluster send to \(address): take the old node out of it with martlet cluster remove ID, and start this one with --cluster-join instead of --cluster-bootstrap"
      )
    }
  }

  private static func listen(_ address: String) throws(ClusterError) -> Int32 {
    guard var to = SocketAddress.parse(address) else {
      throw .library("\(address) is not an IPv4 address with a port")
    }
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var one: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    let isBound = withUnsafePointer(to: &to) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard listener >= 0, isBound, Glibc.listen(listener, 16) == 0 else {
      let reason = String(cString: strerror(errno))
      close(listener)
      throw .library("the node cannot listen at \(address): \(reason)")
    }
    return listener
  }

  /// The next connection; `nil` after the end.
  private static func accept(
    _ listener: Int32, until end: ContinuousClock.Instant
  ) throws(ClusterError) -> Int32? {
    while case let rest = end - .now, rest > .zero {
      var request = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, Int32(rest / .milliseconds(1)) + 1) > 0 else { continue }
      let connection = Glibc.accept(listener, nil, nil)
      if connection >= 0 { return connection }
    }
    return nil
  }

  private static func isNode(_ connection: Int32) -> Bool {
    var timeout = timeval(tv_sec: 0, tv_usec: Int(greetingTime / .microseconds(1)))
    setsockopt(
      connection, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var bytes = [UInt8](repeating: 0, count: greeting.count)
    return recv(connection, &bytes, bytes.count, Int32(MSG_WAITALL)) == bytes.count
      && bytes == greeting
  }
}
