import Glibc

/// A connection to a dqlite node, which blocks its caller.
///
/// `@unchecked Sendable`: used by one thread at a time.
final class WireConnection: @unchecked Sendable {
  /// The largest answer, in bytes: rows come in several.
  private static let largest = 64 << 20

  let address: String
  /// Closed with the object, so that its number belongs to it until then.
  private let socket: Int32
  private let timeout: Duration
  private var isBroken = false

  /// Connects to a node.
  ///
  /// - Parameters:
  ///   - address: Numeric IPv4 and port.
  ///   - timeout: How long to wait for the connection, and for each answer.
  init(to address: String, timeout: Duration) throws(ClusterError) {
    self.address = address
    self.timeout = timeout
    guard var to = SocketAddress.parse(address) else {
      throw .connection("\(address) is not an IPv4 address with a port")
    }
    socket = Glibc.socket(
      AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw failure("connect to", errno) }
    var one: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    // Also limits `connect`.
    let (seconds, attoseconds) = timeout.components
    var time = timeval(
      tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    let code = withUnsafePointer(to: &to) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw failure("connect to", errno) }
    // The version of the protocol.
    try send([1, 0, 0, 0, 0, 0, 0, 0])
  }

  deinit { if socket >= 0 { Glibc.close(socket) } }

  private func failure(_ what: String, _ code: Int32) -> ClusterError {
    isBroken = true
    let reason =
      code == EAGAIN || code == EINPROGRESS
      ? "no answer within \(timeout)" : String(cString: strerror(code))
    return .connection("\(what) \(address): \(reason)")
  }

  private func send(_ bytes: [UInt8]) throws(ClusterError) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("send to", errno) }
      sent += count
    }
  }

  private func receive(_ count: Int) throws(ClusterError) -> [UInt8] {
    var error: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, received in
      while received < count {
        // dqlite's sockets wait for acknowledgments before they send the rest of an answer.
        var one: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_QUICKACK, &one, 4)
        let got = recv(socket, buffer.baseAddress! + received, count - received, 0)
        if got < 0, errno == EINTR { continue }
        guard got > 0 else {
          error = got == 0 ? ECONNRESET : errno
          return
        }
        received += got
      }
    }
    guard error == 0 else { throw failure("receive from", error) }
    return bytes
  }

  /// Sends a request and returns its answer. After an error other than a refusal the connection
  /// cannot be used any more.
  func call(
    _ request: WireRequest, _ expected: WireAnswer.AnswerType
  ) throws(ClusterError) -> WireAnswer {
    guard !isBroken else { throw .connection("the connection to \(address) is broken") }
    try send(request.message)
    return try answer(expected)
  }

  /// Receives an answer.
  func answer(_ expected: WireAnswer.AnswerType) throws(ClusterError) -> WireAnswer {
    let header = try receive(8)
    let words = header[0..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard words <= Self.largest / 8 else {
      isBroken = true
      throw .violation("an answer of \(words) words")
    }
    var answer = WireAnswer(words > 0 ? try receive(words * 8) : [])
    if header[4] == WireAnswer.AnswerType.failure.rawValue {
      let code = try answer.number()
      throw .refused(code: code, try answer.text())
    }
    guard header[4] == expected.rawValue else {
      isBroken = true
      throw .violation("answer \(header[4]) instead of \(expected.rawValue)")
    }
    return answer
  }
}

/// Numeric IPv4 addresses with a port, the only ones that dqlite knows.
enum SocketAddress {
  static func parse(_ text: String) -> sockaddr_in? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let port = UInt16(parts[1]), port > 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    guard inet_pton(AF_INET, String(parts[0]), &address.sin_addr) == 1 else { return nil }
    return address
  }
}
