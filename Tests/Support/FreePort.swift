import Foundation

/// A port for a program that cannot choose one itself.
public enum FreePort {
  /// Returns a port of 127.0.0.1 that is free now.
  ///
  /// It is outside the range from which Linux takes ports for clients (`ip_local_port_range`).
  /// Otherwise a connection of another test could have it while a program restarts.
  public static func find() throws -> UInt16 {
    for _ in 0..<1_000 {
      let port = UInt16.random(in: 10_000..<32_000)
      if try isFree(port) { return port }
    }
    throw ChildProcess.Failure(description: "no free port from 10000 to 31999")
  }

  private static func isFree(_ port: UInt16) throws -> Bool {
    let descriptor = socket(
      AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw ChildProcess.Failure(description: "no socket: \(errno)") }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
