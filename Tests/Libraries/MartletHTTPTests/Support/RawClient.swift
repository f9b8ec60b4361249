import Foundation
import Glibc

/// A client that only sends and receives bytes. It waits at most ten seconds per read.
final class RawClient {
  struct Answer {
    var status = 0
    var head = ""
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }

    func field(_ name: String) -> String? {
      for line in head.split(separator: "\r\n").dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts[0].lowercased() == name.lowercased() {
          return parts[1].trimmingCharacters(in: .whitespaces)
        }
      }
      return nil
    }
  }

  let descriptor: Int32
  private var buffered: [UInt8] = []

  /// Connects to a server. `receiveBuffer` is the size of the kernel's buffer, small for slow
  /// clients.
  convenience init(_ port: UInt16, host: String = "127.0.0.1", receiveBuffer: Int32? = nil) throws {
    self.init(isIPv6: host.contains(":"), receiveBuffer: receiveBuffer)
    try connect(port, host: host)
  }

  /// Makes a client that connects later.
  init(isIPv6: Bool = false, receiveBuffer: Int32? = nil) {
    // Processes that other tests start meanwhile must not inherit it.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, kind, 0)
    if var receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4) }
    var timeout = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
  }

  func connect(_ port: UInt16, host: String = "127.0.0.1") throws {
    var result: Int32
    if host.contains(":") {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      inet_pton(AF_INET6, host, &address.sin6_addr)
      result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      inet_pton(AF_INET, host, &address.sin_addr)
      result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit { Glibc.close(descriptor) }

  /// Sends everything. Returns false if the server has closed the connection.
  @discardableResult
  func send(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Resets the connection when this client is released.
  func resetsAtEnd() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
  }

  func halfClose() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// The next received bytes. Empty at the end, after a reset, or after ten seconds.
  private func receive() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(count, 0)))
  }

  /// Whether the connection ends here and now, without a reset.
  var endsCleanly: Bool {
    var byte: UInt8 = 0
    return buffered.isEmpty && recv(descriptor, &byte, 1, 0) == 0
  }

  /// Whether bytes or the end arrive within ten seconds.
  var hearsSomething: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) >= 0 || errno != EAGAIN
  }

  /// Everything up to the end of the connection.
  func readToEnd() -> String {
    var all = buffered
    buffered = []
    while true {
      let more = receive()
      if more.isEmpty { return String(decoding: all, as: UTF8.self) }
      all += more
    }
  }

  /// Everything up to and including `text`.
  func read(through text: String) -> String {
    let mark = Array(text.utf8)
    while true {
      if let range = buffered.firstRange(of: mark) {
        let taken = buffered[..<range.upperBound]
        buffered.removeSubrange(..<range.upperBound)
        return String(decoding: taken, as: UTF8.self)
      }
      let more = receive()
      if more.isEmpty { return String(decoding: buffered, as: UTF8.self) + "<end>" }
      buffered += more
    }
  }

  func read(_ count: Int) -> [UInt8] {
    while buffered.count < count {
      let more = receive()
      if more.isEmpty { break }
      buffered += more
    }
    let taken = Array(buffered.prefix(count))
    buffered.removeFirst(taken.count)
    return taken
  }

  /// The content of a chunked body. `nil` if a chunk violates RFC 9112 section 7.1.
  func chunks() -> [UInt8]? {
    var all: [UInt8] = []
    while true {
      // CR LF is one character.
      guard let count = Int(read(through: "\r\n").dropLast(), radix: 16) else { return nil }
      all += read(count)
      guard read(2) == [0x0D, 0x0A] else { return nil }
      if count == 0 { return all }
    }
  }

  /// Reads one response with a Content-Length, in chunks, or without content.
  func answer(toHead: Bool = false) -> Answer {
    var answer = Answer()
    answer.head = read(through: "\r\n\r\n")
    answer.status = Int(answer.head.split(separator: " ").dropFirst().first ?? "") ?? 0
    if !toHead, let length = answer.field("Content-Length").flatMap({ Int($0) }) {
      answer.body = read(length)
    } else if !toHead, answer.field("Transfer-Encoding") == "chunked" {
      answer.body = chunks() ?? []
    }
    return answer
  }

  /// Sends a GET and reads its response.
  func get(_ path: String, _ fields: String = "") -> Answer {
    send("GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
    return answer()
  }
}
