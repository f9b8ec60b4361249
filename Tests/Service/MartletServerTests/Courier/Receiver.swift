import Dispatch
import Foundation
import Synchronization
import TestSupport

/// A server on 127.0.0.1 that answers each connection with what a test says, byte by byte.
final class Receiver: Sendable {
  /// One connection.
  final class Exchange: Sendable {
    fileprivate let descriptor: Int32
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Reads a request: the head, and as much body as `Content-Length` says.
    func request() -> [UInt8] {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return bytes }
        bytes += buffer[..<count]
        guard let head = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
        let text = String(decoding: bytes[..<head.lowerBound], as: UTF8.self)
        let length = text.firstMatch(of: /\r\nContent-Length: (\d+)/).flatMap { Int($0.1) } ?? 0
        if bytes.count >= head.upperBound + length { return bytes }
      }
    }

    /// Sends text. Returns false when the other side has closed the connection.
    @discardableResult
    func send(_ text: String) -> Bool {
      let bytes = Array(text.utf8)
      return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Waits until the other side has closed the connection.
    func waitForEnd() {
      var byte: UInt8 = 0
      while recv(descriptor, &byte, 1, 0) > 0 {}
    }
  }

  typealias Handler = @Sendable (Exchange) -> Void

  let port: UInt16
  private let listener: Int32
  private let seen = Mutex<[[UInt8]]>([])

  /// Reads a request from each connection, keeps it, and lets `handler` answer it.
  init(_ handler: @escaping Handler = { $0.send("HTTP/1.1 204 No Content\r\n\r\n") }) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw TestFailure("no socket: \(errno)") }
    port = UInt16(bigEndian: address.sin_port)
    DispatchQueue(label: "receiver").async { [weak self] in
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        DispatchQueue(label: "exchange").async { [weak self] in
          let exchange = Exchange(descriptor)
          let request = exchange.request()
          self?.seen.withLock { $0.append(request) }
          handler(exchange)
          close(descriptor)
        }
      }
    }
  }

  deinit {
    // Ends `accept` as well.
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// The requests so far.
  var requests: [String] {
    seen.withLock { $0.map { String(decoding: $0, as: UTF8.self) } }
  }

  /// The bytes of the requests so far.
  var bytes: [[UInt8]] { seen.withLock { $0 } }

  /// A URL of this server.
  func url(_ path: String = "/hook", host: String = "127.0.0.1") -> String {
    "http://\(host):\(port)\(path)"
  }
}
