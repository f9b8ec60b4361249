import Glibc

/// An IPv4 or IPv6 address. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) is its IPv4 address.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  /// 4 or 16 bytes in network order.
  let bytes: [UInt8]

  /// The address with these 4 or 16 bytes in network order; `nil` for another number of bytes.
  public init?(bytes: [UInt8]) {
    switch bytes.count {
    case 4: self.bytes = bytes
    case 16:
      let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10...11] == [0xff, 0xff]
      self.bytes = isMapped ? Array(bytes[12...]) : bytes
    default: return nil
    }
  }

  /// Reads the usual notations, `192.0.2.1` and `2001:db8::1`, without brackets or a zone.
  public init?(_ text: String) {
    let isIPv4 = !text.utf8.contains(UInt8(ascii: ":"))
    var bytes = [UInt8](repeating: 0, count: isIPv4 ? 4 : 16)
    guard inet_pton(isIPv4 ? AF_INET : AF_INET6, text, &bytes) == 1 else { return nil }
    self.init(bytes: bytes)
  }

  /// Reads every notation of an IPv4 address that `getaddrinfo` and libcurl accept: one to four
  /// numbers, each decimal, octal (`0177`) or hexadecimal (`0x7f`), where the last number fills the
  /// remaining bytes. `127.1` and `2130706433` are 127.0.0.1.
  init?(number text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 4 else { return nil }
    var numbers: [UInt32] = []
    for part in parts {
      guard let number = IPAddress.number(Substring(part)) else { return nil }
      numbers.append(number)
    }
    let last = numbers.removeLast()
    let rest = 4 - numbers.count
    guard numbers.allSatisfy({ $0 <= 255 }), rest == 4 || last < 1 << (8 * UInt32(rest)) else {
      return nil
    }
    bytes =
      numbers.map { UInt8($0) }
      + (0..<rest).reversed().map { UInt8(truncatingIfNeeded: last >> (8 * UInt32($0))) }
  }

  private static func number(_ text: Substring) -> UInt32? {
    let (digits, radix): (Substring, Int) =
      if text.lowercased().hasPrefix("0x") {
        (text.dropFirst(2), 16)
      } else if text.count > 1, text.hasPrefix("0") {
        (text.dropFirst(), 8)
      } else {
        (text, 10)
      }
    // `UInt32` would accept a sign.
    guard digits.utf8.first != UInt8(ascii: "+") else { return nil }
    // glibc reads `0x` as zero.
    return digits.isEmpty && radix == 16 ? 0 : UInt32(digits, radix: radix)
  }

  /// Whether this is an IPv4 address.
  public var isIPv4: Bool { bytes.count == 4 }

  public var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    inet_ntop(isIPv4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
