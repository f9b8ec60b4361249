/// The kind of an address, as far as it decides whether strangers may choose it as a destination
/// (https://www.iana.org/assignments/iana-ipv4-special-registry,
/// https://www.iana.org/assignments/iana-ipv6-special-registry).
enum AddressKind: Equatable {
  /// A host on the internet.
  case global
  /// Where a cloud gives its machines credentials.
  case metadata
  /// Everything else. The text completes a sentence: `a private address`.
  case special(String)

  init(_ address: IPAddress) {
    if AddressKind.isMetadata(address) {
      self = .metadata
    } else if address.isIPv4 {
      let kind = AddressKind.ipv4.first { $0.network.contains(address) }
      self = kind.map { .special($0.name) } ?? .global
    } else {
      self = AddressKind.kind(ipv6: address)
    }
  }

  private typealias Named = (network: IPNetwork, name: String)

  private static func networks(_ table: [(String, String)]) -> [Named] {
    table.map { text, name in
      guard let network = IPNetwork(text) else { preconditionFailure("\(text) is no network") }
      return (network, name)
    }
  }

  private static let ipv4 = networks([
    ("0.0.0.0/8", "an unspecified address"),
    ("10.0.0.0/8", "a private address"),
    ("100.64.0.0/10", "a shared address of a provider's network"),
    ("127.0.0.0/8", "a loopback address"),
    ("169.254.0.0/16", "a link-local address"),
    ("172.16.0.0/12", "a private address"),
    ("192.0.0.0/24", "a reserved address"),
    ("192.0.2.0/24", "an address for documentation"),
    ("192.88.99.0/24", "a reserved address"),
    ("192.168.0.0/16", "a private address"),
    ("198.18.0.0/15", "an address for benchmarks"),
    ("198.51.100.0/24", "an address for documentation"),
    ("203.0.113.0/24", "an address for documentation"),
    ("224.0.0.0/4", "a multicast address"),
    ("255.255.255.255", "the broadcast address"),
    ("240.0.0.0/4", "a reserved address"),
  ])

  // Only 2000::/3 is assigned to hosts of the internet, without the networks after it here.
  private static let ipv6 = networks([
    ("::", "the unspecified address"),
    ("::1", "a loopback address"),
    ("::/96", "an IPv4-compatible address"),
    ("64:ff9b:1::/48", "an address for local translation to IPv4"),
    ("fc00::/7", "a private address"),
    ("fe80::/10", "a link-local address"),
    ("fec0::/10", "a site-local address"),
    ("ff00::/8", "a multicast address"),
    ("2001::/32", "a Teredo address"),
    ("2001::/23", "a reserved address"),
    ("2001:db8::/32", "an address for documentation"),
    ("2002::/16", "a 6to4 address"),
    ("3fff::/20", "an address for documentation"),
  ])
  private static let assigned = networks([("2000::/3", "")])[0].network
  private static let translated = networks([("64:ff9b::/96", "")])[0].network

  private static func kind(ipv6 address: IPAddress) -> AddressKind {
    // NAT64 (RFC 6052): on networks without IPv4, every IPv4 host has such an address.
    if translated.contains(address), let ipv4 = IPAddress(bytes: Array(address.bytes[12...])) {
      return AddressKind(ipv4)
    }
    if let kind = ipv6.first(where: { $0.network.contains(address) }) { return .special(kind.name) }
    return assigned.contains(address) ? .global : .special("a reserved address")
  }

  // Amazon, Azure, Google, Oracle, DigitalOcean and others; Alibaba; Azure's host; Scaleway.
  private static let clouds = networks([
    ("169.254.169.0/24", ""), ("169.254.170.0/24", ""), ("169.254.42.42", ""),
    ("100.100.100.200", ""), ("168.63.129.16", ""), ("192.0.0.192", ""),
    ("fd00:ec2::/32", ""), ("fd20:ce::/32", ""), ("fd00:42::42", ""),
  ])

  /// Whether the address, or an IPv4 address inside it, is one of a metadata service.
  private static func isMetadata(_ address: IPAddress) -> Bool {
    ([address] + embedded(in: address)).contains { one in
      clouds.contains { $0.network.contains(one) }
    }
  }

  /// The IPv4 addresses to which a gateway could translate an IPv6 address.
  private static func embedded(in address: IPAddress) -> [IPAddress] {
    let bytes = address.bytes
    return translations.filter { $0.network.contains(address) }.flatMap(\.places).compactMap {
      places in
      IPAddress(bytes: places.map { bytes[$0] ^ (bytes[0...3] == [0x20, 0x01, 0, 0] ? 0xff : 0) })
    }
  }

  // IPv4-compatible; NAT64; NAT64 with a local prefix of 48 to 96 bits (RFC 6052 section 2.2);
  // 6to4; Teredo, which inverts the bits (RFC 4380 section 4).
  private static let translations: [(network: IPNetwork, places: [[Int]])] = [
    ("::/96", [[12, 13, 14, 15]]),
    ("64:ff9b::/96", [[12, 13, 14, 15]]),
    (
      "64:ff9b:1::/48",
      [[6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12], [12, 13, 14, 15]]
    ),
    ("2002::/16", [[2, 3, 4, 5]]),
    ("2001::/32", [[12, 13, 14, 15]]),
  ].compactMap { text, places in IPNetwork(text).map { ($0, places) } }
}
