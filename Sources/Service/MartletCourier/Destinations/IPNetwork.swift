/// The addresses that begin with the same bits: `192.168.1.0/24`.
public struct IPNetwork: Hashable, Sendable, CustomStringConvertible {
  /// The first address, whose remaining bits are zero.
  let address: IPAddress
  /// The number of bits that all addresses share.
  let length: Int

  /// Reads an address, which is a network of its own, or an address and a length. Returns `nil` if
  /// bits after the length are set, because `192.168.1.5/24` may mean the address or the network.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard parts.count <= 2, let address = IPAddress(parts[0]) else { return nil }
    let most = address.bytes.count * 8
    var length = most
    if parts.count == 2 {
      // A mapped address has become an IPv4 address, and its length counted the mapping.
      guard parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        let number = Int(parts[1]), number <= most,
        address.isIPv4 != parts[0].utf8.contains(UInt8(ascii: ":"))
      else { return nil }
      length = number
    }
    self.address = address
    self.length = length
    guard IPNetwork.masked(address, length) == address.bytes else { return nil }
  }

  /// Whether the address is one of the network's.
  public func contains(_ other: IPAddress) -> Bool {
    other.bytes.count == address.bytes.count
      && IPNetwork.masked(other, length) == address.bytes
  }

  private static func masked(_ address: IPAddress, _ length: Int) -> [UInt8] {
    address.bytes.enumerated().map { place, byte in
      let bits = min(max(length - place * 8, 0), 8)
      return byte & UInt8(truncatingIfNeeded: 0xff << (8 - bits))
    }
  }

  public var description: String {
    length == address.bytes.count * 8 ? "\(address)" : "\(address)/\(length)"
  }
}
