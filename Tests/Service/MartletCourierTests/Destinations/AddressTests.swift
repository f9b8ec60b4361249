import TestSupport
import Testing

@testable import MartletCourier

@Suite struct AddressTests {
  @Test(
    "All notations of an IPv4 address that the C library accepts",
    arguments: [
      "127.0.0.1", "127.1", "127.0.1", "0x7f.1", "0X7F.1", "2130706433", "0x7f000001", "0177.0.0.1",
      "017700000001", "127.0.0.01", "0x7f.0x0.0x0.0x1",
    ])
  func numbers(text: String) {
    #expect(IPAddress(number: text)?.description == "127.0.0.1")
  }

  @Test(
    "What is no address",
    arguments: ["", ".", "256.1.1.1", "1.2.3.4.5", "1..2", "0x100000000", "4294967296", "08", "+1"])
  func invalid(text: String) { #expect(IPAddress(number: text) == nil) }

  @Test("A mapped address is its IPv4 address")
  func mapped() {
    #expect(IPAddress("::ffff:127.0.0.1")?.description == "127.0.0.1")
    #expect(IPAddress("::FFFF:7f00:1")?.description == "127.0.0.1")
    #expect(IPAddress("::ffff:0:1")?.description == "0.0.0.1")
    #expect(IPAddress("fe80::1%lo") == nil)
  }

  @Test("Networks contain their addresses only")
  func networks() throws {
    let home = try #require(IPNetwork("192.168.1.0/24"))
    #expect(home.contains(try #require(IPAddress("192.168.1.255"))))
    #expect(home.contains(try #require(IPAddress("::ffff:192.168.1.7"))))
    #expect(!home.contains(try #require(IPAddress("192.168.2.0"))))
    #expect(!home.contains(try #require(IPAddress("c0a8:100::"))))
    let odd = try #require(IPNetwork("fd12:8000::/17"))
    #expect(odd.contains(try #require(IPAddress("fd12:ffff::1"))))
    #expect(!odd.contains(try #require(IPAddress("fd12:7fff::1"))))
    #expect(IPNetwork("0.0.0.0/0")?.contains(try #require(IPAddress("8.8.8.8"))) == true)
    for text in ["192.168.1.5/24", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10/8", "::/129", ""]
    {
      #expect(IPNetwork(text) == nil, "\(text)")
    }
  }

  @Test(
    "Metadata services, also inside other addresses",
    arguments: [
      "169.254.169.254", "169.254.170.2", "fd00:ec2::254", "100.100.100.200", "168.63.129.16",
      "::ffff:169.254.169.254", "::169.254.169.254", "64:ff9b::169.254.169.254",
      "2002:a9fe:a9fe::1", "64:ff9b:1:a9fe:a9:fe00::", "2001:0:1:2:3:4:5601:5601",
      "64:ff9b:1::169.254.169.254", "fd20:ce::254",
    ])
  func metadata(text: String) throws {
    let address = try #require(IPAddress(text))
    #expect(AddressKind(address) == .metadata)
    let everything = OutgoingRules(allowed: ["0.0.0.0/0", "::/0"].compactMap { .init($0) })
    let refusal = try #require(
      everything.refusal(of: address, port: 80, host: "a.example", isOwn: { _ in false }))
    #expect(refusal.contains("metadata service"))
    #expect(!refusal.contains("--outgoing-to"))
  }

  @Test("NAT64 reaches the internet only")
  func translated() throws {
    #expect(AddressKind(try #require(IPAddress("64:ff9b::8.8.8.8"))) == .global)
    #expect(
      AddressKind(try #require(IPAddress("64:ff9b::192.168.1.1"))) == .special("a private address"))
  }
}
