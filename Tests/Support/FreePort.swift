import Foundation

/// A port for a program that cannot choose one itself.
public enum FreePort {
  /// Returns a port of 127.0.0.1 that is free now.
  public static func find() throws -> UInt16 {
    let descriptor = socket(
      AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) | getsockname(descriptor, $0, &size)
      }
    }
    guard result == 0 else { throw ChildProcess.Failure(description: "no port: \(errno)") }
    return UInt16(bigEndian: address.sin_port)
  }
}
