import Glibc

/// What the server asks the kernel about a socket, and tells it.
enum SocketOption {
  /// How much the kernel keeps of what the peer has not read, its bookkeeping included (socket(7)); it doubles
  /// what it is told. Sockets that a listener accepts have the listener's.
  static func setSendBuffer(_ descriptor: Int32, _ bytes: Int) {
    var half = Int32(clamping: bytes / 2)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &half, 4)
  }

  /// For how many milliseconds what was sent may stay unread, or unacknowledged, before the kernel gives the
  /// connection up (tcp(7), `TCP_USER_TIMEOUT`); also when its process has closed it. Inherited, too.
  static func setUserTimeout(_ descriptor: Int32, _ milliseconds: Int) {
    var timeout = UInt32(clamping: milliseconds)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &timeout, 4)
  }

  /// Has `close` drop what the kernel holds, and reset the connection.
  static func setReset(_ descriptor: Int32) {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
  }

  /// How many bytes the peer has not acknowledged (tcp(7), `SIOCOUTQ`); 0 where the connection is broken, or the
  /// kernel does not tell.
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
