import Glibc

/// `martlet health`: one request to `/readyz`, for the health check of a container.
enum Health {
  static func run(_ values: Values) throws {
    let port = UInt16(try values.integer(.serverPort))
    var host = ServeSettings.reachable(values.text(.serverHost))
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    let status = try answer(host: host, port: port)
    guard status.hasPrefix("HTTP/1.1 200 ") else {
      let url = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/readyz"
      throw Failure(
        status.hasPrefix("HTTP/1.1 503 ")
          ? "not ready: \(status): curl \(url) and the log of the server say why"
          : "not ready: \(url) answered \"\(status)\": \(advice)")
    }
    print("ready")
  }

  /// The advice if nothing listens there, or another program does.
  private static let advice = "start the server, or name its address with --host and --port"

  /// Sends the request and returns the status line of the response.
  private static func answer(host: String, port: UInt16) throws -> String {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found else {
      throw Failure("\(host) cannot be resolved to an address: name one with --host")
    }
    defer { freeaddrinfo(found) }
    let socket = socket(address.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else {
      throw Failure("a socket cannot be created: \(String(cString: strerror(errno)))")
    }
    defer { close(socket) }
    var timeout = timeval(tv_sec: 3, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
    guard connect(socket, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 else {
      let cause = String(cString: strerror(errno))
      throw Failure("\(host):\(port) cannot be reached: \(cause): \(advice)")
    }
    let request = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    guard send(socket, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count
    else { throw Failure("the request cannot be sent to \(host):\(port): try again") }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(socket, &bytes, bytes.count, 0)
    guard count > 0 else {
      throw Failure(
        "\(host):\(port) closed the connection or did not respond within 3 s: see the log of the server"
      )
    }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    return String(text.prefix { $0 != "\r\n" && $0 != "\r" && $0 != "\n" })
  }
}
