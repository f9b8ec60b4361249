import Glibc

/// A blocking HTTP/1.1 connection to a server on 127.0.0.1, for one thread.
///
/// It sends exactly the bytes it is given and interprets as little as possible, so that a test can
/// also send a request that a well-behaved client would not.
public final class TestClient {
  /// The server's port.
  public let port: UInt16
  private let descriptor: Int32
  private let timeout: Double
  private var buffer: [UInt8] = []

  /// Connects. Every read fails after `timeout` seconds.
  public init(port: UInt16, timeout: Double = Deadline.hang) throws {
    self.timeout = timeout
    self.port = port
    descriptor = try TestClient.connected(port)
  }

  deinit { close(descriptor) }

  /// A connected socket on loopback.
  static func connected(_ port: UInt16) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw TestFailure("socket: \(errno)") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      let code = errno
      close(descriptor)
      throw TestFailure("connect to \(port): \(String(cString: strerror(code)))")
    }
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    return descriptor
  }

  // MARK: Bytes

  /// Sends text as UTF-8.
  public func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Sends bytes, waiting until the socket has taken all of them.
  public func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw TestFailure("send: \(String(cString: strerror(errno)))") }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads what has arrived, waiting for at least one byte. Returns false at the end of the
  /// connection.
  private func readMore(_ deadline: Deadline) throws -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let ready = poll(&entry, 1, deadline.milliseconds)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else {
        let text = String(decoding: buffer.prefix(500), as: UTF8.self)
        throw TestFailure(
          text.isEmpty
            ? "nothing arrived within \(timeout) s"
            : "nothing more arrived within \(timeout) s; so far: \(text)")
      }
      break
    }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    if count < 0, errno == EINTR { return true }
    guard count > 0 else { return false }
    buffer += bytes[..<count]
    return true
  }

  /// All bytes up to the end of the connection.
  public func receiveAll() throws -> [UInt8] {
    let deadline = Deadline(timeout)
    while try readMore(deadline) {}
    defer { buffer = [] }
    return buffer
  }

  // MARK: Messages

  /// Reads the next response. `hasBody` is false for a response to `HEAD`.
  public func response(hasBody: Bool = true) throws -> TestResponse {
    let head = try responseHead()
    guard hasBody, head.status >= 200, head.status != 204, head.status != 304 else { return head }
    return head.with(body: try body(of: head))
  }

  /// Reads the head of the next response and leaves its body in the socket.
  public func responseHead() throws -> TestResponse {
    let deadline = Deadline(timeout)
    while true {
      if let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) {
        guard let head = TestResponse(head: buffer[..<end.lowerBound]) else {
          throw TestFailure("not a response: \(String(decoding: buffer, as: UTF8.self))")
        }
        buffer.removeFirst(end.upperBound)
        return head
      }
      guard try readMore(deadline) else {
        throw TestFailure("the connection ended before a response")
      }
    }
  }

  /// Reads the body that follows a head.
  public func body(of head: TestResponse) throws -> [UInt8] {
    let deadline = Deadline(timeout)
    if head["Transfer-Encoding"] == "chunked" { return try chunks(deadline) }
    guard let length = head["Content-Length"].flatMap({ Int($0) }) else {
      while try readMore(deadline) {}
      defer { buffer = [] }
      return buffer
    }
    while buffer.count < length {
      guard try readMore(deadline) else {
        throw TestFailure("the connection ended inside a body")
      }
    }
    defer { buffer.removeFirst(length) }
    return Array(buffer[..<length])
  }

  /// A chunked body. Requests are not pipelined, so nothing follows it.
  private func chunks(_ deadline: Deadline) throws -> [UInt8] {
    var decoder = ChunkedBody()
    var body: [UInt8] = []
    while true {
      body += decoder.receive(buffer)
      buffer = []
      if decoder.isComplete { return body }
      guard try readMore(deadline) else {
        throw TestFailure("the connection ended inside a body")
      }
    }
  }

  /// Sends a request and reads its response. A body adds `Content-Length`. A failure names the
  /// request.
  public func request(
    _ method: String, _ target: String, _ fields: [(String, String)] = [], body: String? = nil
  ) throws -> TestResponse {
    do {
      try send(TestClient.head(method, target, fields, body: body) + (body ?? ""))
      return try response(hasBody: method != "HEAD")
    } catch let failure as TestFailure {
      throw TestFailure("\(method) \(target): \(failure)")
    }
  }

  /// Sends a `GET` and reads its response.
  public func get(_ target: String, _ fields: [(String, String)] = []) throws -> TestResponse {
    try request("GET", target, fields)
  }

  /// Sends a `POST` and reads its response.
  public func post(
    _ target: String, _ body: String = "", _ fields: [(String, String)] = []
  ) throws -> TestResponse {
    try request("POST", target, fields, body: body)
  }

  /// The head of a request, with `Host: localhost` unless `fields` has another one.
  public static func head(
    _ method: String, _ target: String, _ fields: [(String, String)] = [], body: String? = nil
  ) -> String {
    var text = "\(method) \(target) HTTP/1.1\r\n"
    if !fields.contains(where: { $0.0.lowercased() == "host" }) { text += "Host: localhost\r\n" }
    for (name, value) in fields { text += "\(name): \(value)\r\n" }
    if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
    return text + "\r\n"
  }
}
