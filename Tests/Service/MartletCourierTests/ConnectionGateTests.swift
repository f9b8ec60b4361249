import Glibc
import TestSupport
import Testing

@testable import MartletCourier

@Suite struct ConnectionGateTests {
  /// The IPv4 addresses of this machine's interfaces.
  private static func interfaces() -> [IPAddress] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    return sequence(first: first, next: { $0?.pointee.ifa_next }).compactMap { entry in
      guard let address = entry?.pointee.ifa_addr, Int32(address.pointee.sa_family) == AF_INET
      else { return nil }
      let ip = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_addr
      return IPAddress(bytes: withUnsafeBytes(of: ip) { Array($0) })
    }
  }

  @Test("The server's port is refused on the addresses of all interfaces, and only there")
  func own() throws {
    let everywhere = ["0.0.0.0/0", "::/0"].compactMap { AllowedDestination($0) }
    let rules = OutgoingRules(allowed: everywhere, ownPort: 8080)
    let gate = Gate(rules, try Destination("http://a.example:8080/"))
    for address in Self.interfaces() {
      #expect(!gate.allows(address, port: 8080), "\(address)")
    }
    #expect(!gate.wasOpened)
    #expect(gate.refusals.allSatisfy { $0.contains("is this server itself") })
    for text in ["192.0.2.1", "93.184.216.34"] {
      #expect(gate.allows(try #require(IPAddress(text)), port: 8080), "\(text)")
    }
    #expect(gate.wasOpened)
    for address in Self.interfaces() { #expect(gate.allows(address, port: 8081)) }
  }

  @Test("Each reason is kept once")
  func reasons() throws {
    let gate = Gate(OutgoingRules(), try Destination("http://a.example/"))
    for text in ["10.0.0.1", "10.0.0.1", "::1"] {
      #expect(!gate.allows(try #require(IPAddress(text)), port: 80))
    }
    #expect(gate.refusals.count == 2)
    #expect(gate.refusals.first?.hasPrefix("a.example (10.0.0.1) is a private address") == true)
  }
}
