import Glibc

/// Notifies the service manager, so that systemd with `Type=notify` considers the service started
/// when it listens.
///
/// The notification is a datagram to the socket in the variable `NOTIFY_SOCKET`
/// (https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html).
enum ServiceManager {
  /// Sends a state such as `READY=1` or `STOPPING=1`. Does nothing without a service manager.
  static func notify(_ state: String) {
    guard let path = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }), !path.isEmpty else {
      return
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let isAddressed = withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      guard path.utf8.count < bytes.count else { return false }
      bytes.copyBytes(from: path.utf8)
      // An abstract socket address begins with a NUL byte, written as @ in the variable.
      if path.hasPrefix("@") { bytes[0] = 0 }
      return true
    }
    let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard isAddressed, file >= 0 else { return }
    defer { close(file) }
    let length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + path.utf8.count)
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(file, state, state.utf8.count, Int32(MSG_NOSIGNAL), $0, length)
      }
    }
  }
}
