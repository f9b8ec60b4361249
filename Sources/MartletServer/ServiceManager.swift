import Glibc

/// What a service manager is told of: with `Type=notify` systemd counts the service as started when it listens.
/// A datagram to the socket that `NOTIFY_SOCKET` names (https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html).
enum ServiceManager {
  /// `READY=1`, `STOPPING=1`. Nothing where no manager wants to hear.
  static func notify(_ state: String) {
    guard let path = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }), !path.isEmpty else {
      return
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let isAddressed = withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      guard path.utf8.count < bytes.count else { return false }
      bytes.copyBytes(from: path.utf8)
      // A name without a file begins with a NUL, for which an @ is written.
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
