import Glibc

/// A numeric IPv4 address and a port of a private network: `10.88.0.1:9501`.
struct NodeAddress: Sendable, Hashable, CustomStringConvertible {
  let host: String
  let port: UInt16
  private let bits: UInt32

  var description: String { "\(host):\(port)" }

  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let port = UInt16(parts[1]), port > 0, "\(port)" == parts[1] else {
      return nil
    }
    var address = in_addr()
    guard inet_pton(AF_INET, String(parts[0]), &address) == 1 else { return nil }
    host = String(parts[0])
    self.port = port
    bits = UInt32(bigEndian: address.s_addr)
  }

  /// Whether the internet does not reach the address: loopback, RFC 1918, or RFC 6598.
  var isPrivate: Bool {
    let blocks: [(UInt32, UInt32)] = [
      (0x7F00_0000, 8), (0x0A00_0000, 8), (0xAC10_0000, 12), (0xC0A8_0000, 16), (0x6440_0000, 10),
    ]
    return blocks.contains { (bits ^ $0.0) >> (32 - $0.1) == 0 }
  }
}
