import Foundation
import Synchronization

/// Ports for programs that cannot choose one themselves, or that start again on the same one.
///
/// A port belongs to this process until it ends, also while no program listens on it. Each process
/// that runs tests or checks locks the byte at the port's number in one file, so two of them never
/// have the same port. Checks/lib/server.py does the same.
public enum FreePort {
  private static let taken = Mutex<(lockFile: Int32, ports: Set<UInt16>)>((-1, []))

  /// Returns a port of 127.0.0.1 that nothing listens on and no other test has.
  ///
  /// It is outside the range from which Linux takes ports for clients (`ip_local_port_range`).
  /// Otherwise a connection of another test could have it while a program restarts.
  public static func find() throws -> UInt16 {
    try taken.withLock { taken in
      if taken.lockFile < 0 { taken.lockFile = try openLockFile() }
      for _ in 0..<1_000 {
        let port = UInt16.random(in: 10_000..<32_000)
        guard !taken.ports.contains(port), lock(port, in: taken.lockFile), try isFree(port) else {
          continue
        }
        taken.ports.insert(port)
        return port
      }
      throw ChildProcess.Failure(description: "no free port from 10000 to 31999")
    }
  }

  private static func openLockFile() throws -> Int32 {
    let path = "/tmp/martlet-ports-\(getuid())"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ChildProcess.Failure(description: "cannot open \(path): \(errno)")
    }
    return descriptor
  }

  /// Whether this process now has the lock of a port's byte, until it ends.
  private static func lock(_ port: UInt16, in descriptor: Int32) -> Bool {
    var byte = flock()
    byte.l_type = Int16(F_WRLCK)
    byte.l_whence = Int16(SEEK_SET)
    byte.l_start = off_t(port)
    byte.l_len = 1
    return fcntl(descriptor, F_SETLK, &byte) == 0
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
