import Glibc

/// An address to listen on.
struct SocketAddress: CustomStringConvertible {
  private var storage: sockaddr_storage
  private let length: socklen_t

  private init(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) {
    storage = sockaddr_storage()
    self.length = length
    withUnsafeMutableBytes(of: &storage) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(length)))
    }
  }

  /// Resolves a host name (`localhost` has two addresses) or an address; `::1` can be in brackets.
  /// An empty string means every address of this machine.
  static func resolve(_ host: String, port: UInt16) throws(SystemError) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Epoll.streamSocket
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var first: UnsafeMutablePointer<addrinfo>?
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    let name = isBracketed ? String(host.dropFirst().dropLast()) : host
    let result =
      name.isEmpty
      ? getaddrinfo(nil, String(port), &hints, &first)
      : getaddrinfo(name, String(port), &hints, &first)
    guard result == 0 else {
      throw SystemError(
        "getaddrinfo", result,
        saying: "cannot resolve \(host): \(String(cString: gai_strerror(result)))")
    }
    defer { freeaddrinfo(first) }
    var addresses: [SocketAddress] = []
    var seen: Set<String> = []
    var entry = first
    while let info = entry?.pointee {
      entry = info.ai_next
      guard info.ai_family == AF_INET || info.ai_family == AF_INET6, let address = info.ai_addr
      else { continue }
      let found = SocketAddress(address, info.ai_addrlen)
      if seen.insert(found.description).inserted { addresses.append(found) }
    }
    return addresses
  }

  var family: Int32 { Int32(storage.ss_family) }

  /// Whether it is `::`, every IPv6 address of this machine.
  var isWildcard6: Bool {
    family == AF_INET6
      && withUnsafePointer(to: storage) { Peer($0).host } == Peer(high: 0, low: 0, port: 0)
  }

  /// The same address with another port.
  func with(port: UInt16) -> SocketAddress {
    var copy = self
    // sin_port and sin6_port have the same offset.
    withUnsafeMutableBytes(of: &copy.storage) {
      $0.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
    }
    return copy
  }

  func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  var description: String {
    withUnsafePointer(to: storage) { Peer($0).description }
  }
}
