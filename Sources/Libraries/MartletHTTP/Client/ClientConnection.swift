import Glibc
import MartletJSON

/// Why a request of ``ClientConnection`` got no response.
package enum ClientError: Error, Sendable {
  /// No connection could be made, so nothing was sent.
  case unreachable(String)
  /// The connection broke or timed out. What the request asked for may have been done or not.
  case broken(String)
}

extension ClientError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreachable(let text), .broken(let text): text
    }
  }
}

/// A connection to another server of ours, for one request after another. It blocks its caller.
///
/// `@unchecked Sendable`: used by one thread at a time.
package final class ClientConnection: @unchecked Sendable {
  /// How long to wait for a connection.
  private static let connectTime = Duration.seconds(2)
  /// After so many microseconds without anything, the caller is asked whether to go on.
  private static let slice = 250_000

  private let address: String
  private let socket: Int32
  private let timeout: Duration
  /// Whether another request can be sent.
  package private(set) var isUsable = true

  /// Connects to a server.
  ///
  /// - Parameters:
  ///   - address: A numeric address or a name, and a port: `10.88.0.1:9502`.
  ///   - timeout: How long to wait for the connection, and for each part of a response.
  package init(to address: String, timeout: Duration) throws(ClientError) {
    self.address = address
    self.timeout = timeout
    let end = address.lastIndex(of: ":") ?? address.endIndex
    guard end < address.endIndex, let port = UInt16(address[address.index(after: end)...]) else {
      throw .unreachable("\(address) is no host with a port")
    }
    let resolved: SocketAddress
    do throws(SystemError) {
      let all = try SocketAddress.resolve(String(address[..<end]), port: port)
      guard let first = all.first else { throw SystemError("getaddrinfo", EADDRNOTAVAIL) }
      resolved = first
    } catch { throw .unreachable("\(address): \(error)") }
    socket = Glibc.socket(
      resolved.family, Epoll.streamSocket | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw .unreachable("\(address): \(String(cString: strerror(errno)))") }
    var one: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    // Also limits `connect`.
    let (seconds, attoseconds) = min(timeout, Self.connectTime).components
    var time = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    time = timeval(tv_sec: 0, tv_usec: Self.slice)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    let code = resolved.withSockaddr { connect(socket, $0, $1) }
    guard code == 0 else {
      let reason = errno == EINPROGRESS ? "no answer" : String(cString: strerror(errno))
      throw .unreachable("\(address): \(reason)")
    }
  }

  deinit { if socket >= 0 { close(socket) } }

  /// Sends a request and returns the response, with its whole body.
  ///
  /// - Parameters:
  ///   - fields: The header fields; `Host` among them.
  ///   - largest: The largest body of a response.
  ///   - givesUp: Asked while nothing comes: whether to wait no longer.
  package func send(
    _ method: Method, _ target: String, _ fields: Fields, body: SharedBytes? = nil, largest: Int,
    givesUp: () -> Bool = { false }
  ) throws(ClientError) -> Response {
    let buffer = ByteBuffer(capacity: 1024)
    let head = try send(method, target, fields, body: body, givesUp) { part throws(ClientError) in
      guard buffer.count + part.bytes.count <= largest else {
        throw .broken("\(address) has sent more than \(largest) bytes")
      }
      buffer.append(part.bytes)
    }
    return Response(
      Status(head.status), head.fields, body: buffer.count == 0 ? .none : .shared(buffer.share()))
  }

  /// Sends a request, and gives the body of a successful response away as it comes. Returns the
  /// status.
  package func download(
    _ target: String, _ fields: Fields, _ content: (SharedBytes) throws -> Void
  ) throws -> Status {
    var failure: (any Error)?
    do {
      let head = try send(.get, target, fields, body: nil, { false }) { part throws(ClientError) in
        do { try content(part) } catch {
          failure = error
          throw .broken("\(error)")
        }
      }
      return Status(head.status)
    } catch { throw failure ?? error }
  }

  private func send(
    _ method: Method, _ target: String, _ fields: Fields, body: SharedBytes?,
    _ givesUp: () -> Bool, _ content: (SharedBytes) throws(ClientError) -> Void
  ) throws(ClientError) -> ResponseParser.Head {
    guard isUsable else { throw .unreachable("the connection to \(address) is used up") }
    isUsable = false
    var head = Array("\(method.name) \(target) HTTP/1.1\r\n".utf8)
    fields.visit { name, value in
      head.append(contentsOf: name)
      head.append(contentsOf: ": ".utf8)
      head.append(contentsOf: value)
      head.append(contentsOf: "\r\n".utf8)
    }
    if let body, !body.bytes.isEmpty {
      head.append(contentsOf: "Content-Length: \(body.bytes.count)\r\n".utf8)
    } else if !method.isSafe {
      head.append(contentsOf: "Content-Length: 0\r\n".utf8)
    }
    head.append(contentsOf: "\r\n".utf8)
    try head.withUnsafeBufferPointer { bytes throws(ClientError) in try write(bytes) }
    if let body { try write(body.bytes) }
    return try receive(method, givesUp, content)
  }

  private func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(ClientError) {
    var sent = 0
    while sent < bytes.count {
      let count = Glibc.send(
        socket, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(errno) }
      sent += count
    }
  }

  private func receive(
    _ method: Method, _ givesUp: () -> Bool, _ content: (SharedBytes) throws(ClientError) -> Void
  ) throws(ClientError) -> ResponseParser.Head {
    var parser = ResponseParser(to: method)
    let size = 64 << 10
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: size)
    defer { buffer.deallocate() }
    var end = ContinuousClock.now + timeout
    while !parser.isDone {
      let count = recv(socket, buffer.baseAddress!, size, 0)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN, ContinuousClock.now < end, !givesUp() { continue }
      end = .now + timeout
      guard count > 0 else { throw failure(count == 0 ? ECONNRESET : errno) }
      do {
        try parser.read(UnsafeBufferPointer(start: buffer.baseAddress!, count: count)) {
          try content($0)
        }
      } catch let error as ClientError { throw error } catch {
        throw .broken("\(address): \((error as? ProtocolError)?.detail ?? "\(error)")")
      }
    }
    guard let head = parser.head else { throw .broken("\(address) has sent nothing") }
    isUsable = head.mayPersist
    return head
  }

  private func failure(_ code: Int32) -> ClientError {
    let reason = code == EAGAIN ? "no answer in time" : String(cString: strerror(code))
    return .broken("\(address): \(reason)")
  }
}
