import Foundation
import TestSupport
import Testing

@testable import MartletCourier

@Suite struct AddressOracleTests {
  /// Prints for each address whether `ipaddress` of Python takes it for a host of the internet.
  private static let script = """
    import ipaddress, sys
    for line in sys.stdin if len(sys.argv) < 2 else open(sys.argv[1]):
        ip = ipaddress.ip_address(line.strip())
        ip = getattr(ip, "ipv4_mapped", None) or ip
        plain = ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_link_local
            or ip.is_private or ip.is_loopback or ip.is_unspecified
            or getattr(ip, "is_site_local", False) or getattr(ip, "sixtofour", None)
            or getattr(ip, "teredo", None))
        print("global" if plain else "special")
    """

  /// What this project refuses and Python does not know, or what only Python refuses.
  private static let exceptions: [(network: String, why: String)] = [
    ("192.88.99.0/24", "relays of 6to4, RFC 7526"),
    ("192.0.0.0/24", "Python allows the part that is not assigned"),
    ("168.63.129.16", "Azure's metadata"),
    ("64:ff9b::/96", "NAT64: it depends on the IPv4 address"),
    ("2001::/23", "Python allows parts of it"),
    ("3fff::/20", "for documentation since 2024"),
  ]

  @Test("Python's ipaddress agrees about random addresses, and those at borders")
  func oracle() throws {
    var random = SeededRandom()
    let seed = random.seed
    var addresses: [IPAddress] = []
    let starts = [
      "0.0.0.0", "9.255.255.255", "10.0.0.0", "100.63.255.255", "100.64.0.0", "100.127.255.255",
      "126.255.255.255", "127.0.0.0", "127.255.255.255", "169.254.0.0", "169.255.0.0",
      "172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0", "192.0.2.0", "192.0.3.0",
      "192.167.255.255", "192.168.0.0", "192.169.0.0", "198.17.255.255", "198.18.0.0",
      "198.19.255.255", "198.20.0.0", "198.51.100.0", "203.0.113.255", "223.255.255.255",
      "224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255", "8.8.8.8", "::", "::1", "::2",
      "::ffff:10.0.0.1", "::ffff:8.8.8.8", "::8.8.8.8", "64:ff9b:1::1", "100::1", "1fff::1",
      "2000::1", "2001:200::1", "2001:db8::1", "2002:808:808::1", "2003::1", "3ffe::1", "4000::1",
      "fbff::1", "fc00::1", "fdff::1", "fe00::1", "fe80::1", "febf::1", "fec0::1", "feff::1",
      "ff02::1", "2606:4700:4700::1111", "5f00::1",
    ]
    addresses += try starts.map { try #require(IPAddress($0), "\($0)") }
    for _ in 0..<4000 {
      let isIPv4 = random.once(in: 2)
      var bytes = (0..<(isIPv4 ? 4 : 16)).map { _ in UInt8.random(in: 0...255, using: &random) }
      // Most random addresses are far from any special network.
      if random.once(in: 2), let near = IPAddress(random.pick(starts)) {
        let kept = near.bytes.prefix(Int.random(in: 1...3, using: &random))
        bytes =
          kept + (kept.count..<near.bytes.count).map { _ in .random(in: 0...255, using: &random) }
      }
      addresses.append(try #require(IPAddress(bytes: bytes)))
    }
    let folder = try TemporaryFolder()
    let file = folder.file("addresses")
    try addresses.map(\.description).joined(separator: "\n")
      .write(toFile: file, atomically: true, encoding: .utf8)
    let result = try ChildProcess(
      "/usr/bin/python3", ["-c", Self.script, file], folder: folder
    ).wait()
    #expect(result.errors == "")
    let verdicts = result.output.split(separator: "\n")
    try #require(verdicts.count == addresses.count)
    let exceptions = Self.exceptions.compactMap { IPNetwork($0.network) }
    for (address, verdict) in zip(addresses, verdicts)
    where !exceptions.contains(where: { $0.contains(address) }) {
      #expect(
        (AddressKind(address) == .global) == (verdict == "global"),
        "\(address) is \(verdict), seed \(seed)")
    }
  }
}
