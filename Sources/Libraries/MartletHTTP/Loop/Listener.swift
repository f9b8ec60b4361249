import Glibc
import MartletTime

/// A listening socket of one loop.
struct Listener {
  /// The length of the kernel's queue of new connections (at most net.core.somaxconn).
  static let backlog: Int32 = 4096

  let descriptor: Int32

  /// Binds and listens.
  ///
  /// With `shared`, several sockets can have the same port (`SO_REUSEPORT`), and the kernel
  /// distributes connections among them. With `bothFamilies`, an IPv6 address also takes the port
  /// for IPv4 (ipv6(7)). Accepted sockets inherit the send buffer and the user timeout from
  /// `limits`.
  init(
    _ address: SocketAddress, shared: Bool, bothFamilies: Bool = false, limits: Limits = Limits()
  ) throws(SystemError) {
    descriptor = Epoll.makeSocket(family: address.family)
    guard descriptor >= 0 else { throw SystemError("socket") }
    do throws(SystemError) {
      try set(SOL_SOCKET, SO_REUSEADDR, "SO_REUSEADDR")
      if shared { try set(SOL_SOCKET, SO_REUSEPORT, "SO_REUSEPORT") }
      if address.family == AF_INET6 {
        // The default depends on the machine.
        try set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, "IPV6_V6ONLY", to: bothFamilies ? 0 : 1)
      }
      // Accepted sockets inherit it. Responses are written whole, so Nagle's algorithm would only
      // delay them.
      try set(Int32(IPPROTO_TCP), TCP_NODELAY, "TCP_NODELAY")
      SocketOption.setSendBuffer(descriptor, limits.sendBuffer)
      SocketOption.setUserTimeout(descriptor, limits.writeTimeout.wholeMilliseconds)
      guard address.withSockaddr({ bind(descriptor, $0, $1) }) == 0 else {
        let error = SystemError("bind")
        throw SystemError(
          error.call, error.code, saying: "cannot listen on \(address): \(error)")
      }
      guard listen(descriptor, Listener.backlog) == 0 else { throw SystemError("listen") }
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  private func set(
    _ level: Int32, _ option: Int32, _ name: String, to value: Int32 = 1
  ) throws(SystemError) {
    var value = value
    guard setsockopt(descriptor, level, option, &value, 4) == 0 else {
      throw SystemError("setsockopt(\(name))")
    }
  }

  /// Returns the bound port, which the kernel chose if the port was 0.
  func boundPort() throws(SystemError) -> UInt16 {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
    }
    guard result == 0 else { throw SystemError("getsockname") }
    return Peer(&address).port
  }

  func close() { Glibc.close(descriptor) }
}
