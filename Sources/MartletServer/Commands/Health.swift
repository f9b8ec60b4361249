import Glibc

/// `martlet health`: one request to `/readyz`, as a container's health check makes it.
enum Health {
  static func run(_ values: Values) throws {
    let port = UInt16(try values.integer(.port))
    guard port > 0 else {
      throw UsageError("\(values.name(.port)) is the one that the server listens on, not 0")
    }
    var host = ServeSettings.reachable(values.text(.host))
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    let status = try answer(host: host, port: port)
    guard status.hasPrefix("HTTP/1.1 200 ") else {
      throw Failure("not ready: \(status)")
    }
    print("ready")
  }

  /// The status line.
  private static func answer(host: String, port: UInt16) throws -> String {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found else {
      throw Failure("\(host) has no address")
    }
    defer { freeaddrinfo(found) }
    let socket = socket(address.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw Failure("no socket: \(String(cString: strerror(errno)))") }
    defer { close(socket) }
    var patience = timeval(tv_sec: 3, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
    guard connect(socket, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 else {
      throw Failure("\(host):\(port) does not answer: \(String(cString: strerror(errno)))")
    }
    let request = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    guard send(socket, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count
    else { throw Failure("\(host):\(port) does not take a request") }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(socket, &bytes, bytes.count, 0)
    guard count > 0 else { throw Failure("\(host):\(port) gives no answer") }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    return String(text.prefix { $0 != "\r\n" && $0 != "\r" && $0 != "\n" })
  }
}
