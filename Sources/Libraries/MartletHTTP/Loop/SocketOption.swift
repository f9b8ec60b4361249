import Glibc

/// The socket options that the server sets and queries.
enum SocketOption {
  /// Sets the size of the send buffer, including the kernel's overhead (socket(7)), by passing half
  /// of it. The kernel doubles the given value. Accepted sockets inherit it from the listener.
  static func setSendBuffer(_ descriptor: Int32, _ bytes: Int) {
    var half = Int32(clamping: bytes / 2)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &half, 4)
  }

  /// Sets how many milliseconds sent data can stay unacknowledged before the kernel closes the
  /// connection (tcp(7), `TCP_USER_TIMEOUT`).
  ///
  /// It also applies after the process has closed the socket. Accepted sockets inherit it.
  static func setUserTimeout(_ descriptor: Int32, _ milliseconds: Int) {
    var timeout = UInt32(clamping: milliseconds)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &timeout, 4)
  }

  /// Makes `close` discard the send buffer and reset the connection.
  static func setReset(_ descriptor: Int32) {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
  }

  /// The number of bytes that the peer has not acknowledged (tcp(7), `SIOCOUTQ`). 0 if the
  /// connection is broken or the kernel does not report it.
  static func unsent(_ descriptor: Int32) -> Int {
    var error: Int32 = 0
    var size = socklen_t(4)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0, error == 0 else {
      return 0
    }
    var count: Int32 = 0
    return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
  }
}
