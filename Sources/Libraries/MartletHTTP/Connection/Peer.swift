import Glibc
import MartletJSON

/// The other end of a connection: an IPv4 or IPv6 address and a port.
public struct Peer: Hashable, Sendable {
  /// The 128 bits of the address. An IPv4 address is stored as `::ffff:a.b.c.d` (RFC 4291 section
  /// 2.5.5.2).
  let high: UInt64
  let low: UInt64
  /// The port. 0 for an address without a port.
  public let port: UInt16

  init(high: UInt64, low: UInt64, port: UInt16) {
    self.high = high
    self.low = low
    self.port = port
  }

  /// Reads an address of the socket API. Other address families become `::`.
  init(_ address: UnsafePointer<sockaddr_storage>) {
    switch Int32(address.pointee.ss_family) {
    case AF_INET:
      self = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        Peer($0.pointee.sin_addr, port: UInt16(bigEndian: $0.pointee.sin_port))
      }
    case AF_INET6:
      self = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
        Peer($0.pointee.sin6_addr, port: UInt16(bigEndian: $0.pointee.sin6_port))
      }
    default: self.init(high: 0, low: 0, port: 0)
    }
  }

  /// Parses an address such as `192.0.2.7`, `2001:db8::7` or `[2001:db8::7]`, and sets the port to
  /// 0. `nil` if the text is not an address.
  public init?(address: some StringProtocol) {
    var text = String(address)
    if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      self.init(four, port: 0)
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      self.init(six, port: 0)
    } else {
      return nil
    }
  }

  private init(_ address: in_addr, port: UInt16) {
    self.init(
      high: 0, low: 0xFFFF_0000_0000 | UInt64(UInt32(bigEndian: address.s_addr)), port: port)
  }

  private init(_ address: in6_addr, port: UInt16) {
    self = withUnsafeBytes(of: address) {
      Peer(
        high: UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
        low: UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)), port: port)
    }
  }

  /// Whether the address is an IPv4 address.
  public var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

  /// Whether the address is in 127.0.0.0/8 or is `::1`.
  public var isLoopback: Bool {
    isIPv4 ? (low >> 24) & 0xFF == 127 : high == 0 && low == 1
  }

  /// The same address with port 0.
  public var host: Peer { Peer(high: high, low: low, port: 0) }

  /// The address that identifies a client: the IPv4 address, or the first 64 bits of the IPv6
  /// address, because one subscriber usually owns a /64 network.
  package var client: Peer {
    isIPv4 ? Peer(high: high, low: low, port: 0) : Peer(high: high, low: 0, port: 0)
  }

  /// Appends ``address`` to `buffer`.
  public func writeAddress(to buffer: ByteBuffer) {
    guard isIPv4 else { return buffer.append(utf8: address) }
    for shift in [24, 16, 8, 0] {
      buffer.append(decimal: Int((low >> UInt64(shift)) & 255))
      if shift > 0 { buffer.append(UInt8(ascii: ".")) }
    }
  }

  /// The address without the port, such as `192.0.2.7` or `2001:db8::7`.
  public var address: String {
    if isIPv4 {
      return "\((low >> 24) & 255).\((low >> 16) & 255).\((low >> 8) & 255).\(low & 255)"
    }
    var bytes = (high.bigEndian, low.bigEndian)
    return String(unsafeUninitializedCapacity: 64) { text in
      text.withMemoryRebound(to: CChar.self) { characters in
        guard inet_ntop(AF_INET6, &bytes, characters.baseAddress!, 64) != nil else { return 0 }
        return strlen(characters.baseAddress!)
      }
    }
  }
}

extension Peer: CustomStringConvertible {
  public var description: String {
    isIPv4 ? "\(address):\(port)" : "[\(address)]:\(port)"
  }
}
