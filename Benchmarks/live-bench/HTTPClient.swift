import Glibc

/// A blocking HTTP/1.1 client with one connection.
final class HTTPClient {
  private let descriptor: Int32

  init(port: UInt16) throws { descriptor = try HTTPClient.connect(port) }
  deinit { close(descriptor) }

  static func connect(_ port: UInt16) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw Failure("cannot connect: \(String(cString: strerror(errno)))") }
    var one: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    return descriptor
  }

  static func head(_ method: String, _ target: String, _ fields: [String] = []) -> String {
    ([("\(method) \(target) HTTP/1.1"), "Host: 127.0.0.1"] + fields).joined(separator: "\r\n")
      + "\r\n\r\n"
  }

  /// Sends a request and returns the body of the response. Throws unless its status is 2xx.
  @discardableResult
  func request(_ method: String, _ target: String, _ body: String = "") throws -> String {
    let text =
      HTTPClient.head(method, target, ["Content-Length: \(body.utf8.count)"]) + body
    guard write(descriptor, text, text.utf8.count) == text.utf8.count else {
      throw Failure("a request could not be sent")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { throw Failure("the server closed the connection") }
      bytes += buffer[..<count]
      let text = String(decoding: bytes, as: UTF8.self)
      guard let end = text.firstRange(of: "\r\n\r\n") else { continue }
      let length = text.firstRange(of: "Content-Length: ").map {
        Int(text[$0.upperBound...].prefix { $0.isNumber }) ?? 0
      }
      let answer = text[end.upperBound...]
      guard answer.utf8.count >= length ?? 0 else { continue }
      guard text.hasPrefix("HTTP/1.1 2") else { throw Failure("\(method) \(target): \(text)") }
      return String(answer)
    }
  }
}
