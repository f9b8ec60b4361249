import TestSupport
import Testing

@testable import MartletCourier

@Suite struct OutgoingRulesTests {
  @Test(
    "A URL with a forbidden address is rejected without a network, with the flag that allows it",
    arguments: [
      "http://127.0.0.1/", "http://127.1/", "http://0x7f.1/", "http://2130706433/",
      "http://0177.0.0.1/", "http://127.0.0.1./", "http://[::1]/", "http://[::ffff:127.0.0.1]/",
      "http://[::ffff:7f00:1]:9/x", "http://localhost", "http://LOCALHOST:8080/",
      "https://localhost./x", "http://a.localhost/", "http://ip6-localhost/", "http://0/",
      "http://0.0.0.0:80/", "http://10.0.0.1/", "http://172.16.5.4/", "https://192.168.1.20/hook",
      "http://100.64.0.1/", "http://169.254.1.1/", "http://[fe80::1]/", "http://[fc00::1]/",
      "http://[fec0::1]/", "http://224.0.0.1/", "http://255.255.255.255/", "http://198.18.0.1/",
      "http://192.0.2.1/", "http://[::]/", "http://[::127.0.0.1]/", "http://[2002:7f00:1::]/",
      "http://[64:ff9b::10.0.0.1]/", "http://[64:ff9b:1::1]/", "http://[2001::1]/",
      "http://[ff02::1]/", "http://[2001:db8::1]/", "HTTP://192.168.1.1?q",
    ])
  func forbidden(url: String) throws {
    let problem = try #require(OutgoingRules().problem(with: url)).text
    #expect(problem.hasPrefix("the URL is not allowed: "))
    #expect(problem.contains("--outgoing-to "))
    // The operator can follow the advice.
    let advice = try #require(problem.split(separator: " ").last.map(String.init))
    let rules = OutgoingRules(allowed: [try #require(AllowedDestination(advice), "\(advice)")])
    #expect(rules.problem(with: url) == nil)
  }

  @Test(
    "A URL that no parser could read in another way is allowed",
    arguments: [
      "https://example.com", "http://example.com:8080/a/b?c=d", "https://93.184.216.34/",
      "https://[2606:4700:4700::1111]:443/", "https://xn--bcher-kva.example/%C3%BC",
      "https://example.com.", "http://a_b.example/?", "https://example.com/a@b", "http://1.a/",
      "https://api.telegram.org/bot123:ABC/sendMessage", "http://nas", "http://0xg.example/",
    ])
  func allowed(url: String) { #expect(OutgoingRules().problem(with: url) == nil) }

  @Test(
    "Everything else is rejected",
    arguments: [
      "", "example.com", "ftp://example.com/", "file:///etc/passwd", "http:example.com",
      "http:/example.com", "http:///example.com", "http://", "http://user@example.com/",
      "http://user:password@example.com/", "http://@example.com/", "http://example.com:0/",
      "http://example.com:65536/", "http://example.com:/", "http://example.com:8o/",
      "http://example.com:+80/", "http://example.com:000080/", "http://a b/",
      "http://example.com\\@127.0.0.1/", "http://example.com/#@127.0.0.1/", "http://ex\u{e4}mple/",
      "http://example.com/\r\nHost: a", "http://exa%6dple.com/", "http://[::1/", "http://[]/",
      "http://[::1]x/", "http://[fe80::1%25lo]/", "http://[127.0.0.1]/", "http://1.2.3.4.5/",
      "http://256.1.1.1/", "http://a..b/", "http://.a/", "http://0x/..", "http://09/", " http://a/",
      "http://a\t/", "unix:///run/x", "gopher://a/", "javascript:0", "http://a/\u{0}",
    ])
  func invalid(url: String) throws {
    let problem = try #require(OutgoingRules().problem(with: url), "\(url)").text
    #expect(problem.hasPrefix("the URL "))
    #expect(!problem.contains("password@"))
  }

  @Test("A connection to an address that a name has is refused")
  func connections() throws {
    let rules = OutgoingRules(allowed: [try #require(.init("192.168.1.0/24"))], ownPort: 8080)
    func refusal(_ address: String, _ port: UInt16 = 443) throws
      -> String?
    {
      rules.refusal(
        of: try #require(IPAddress(address)), port: port, host: "rebound.example",
        isOwn: { _ in false })
    }
    #expect(
      try refusal("10.0.0.7")
        == """
        rebound.example (10.0.0.7) is a private address; \
        the operator can allow it with --outgoing-to 10.0.0.7
        """)
    #expect(try refusal("192.168.1.7") == nil)
    #expect(try refusal("93.184.216.34") == nil)
    #expect(try refusal("192.168.2.7") != nil)
  }

  @Test("The server's own port is never allowed, on any address of this machine")
  func ownPort() throws {
    let all = ["0.0.0.0/0", "::/0", "localhost"].compactMap { AllowedDestination($0) }
    let rules = OutgoingRules(allowed: all, ownPort: 8080)
    let own = Set([try #require(IPAddress("93.184.216.34"))])
    for text in ["127.0.0.1", "127.9.9.9", "0.0.0.0", "::1", "::", "93.184.216.34"] {
      let address = try #require(IPAddress(text))
      let refusal = try #require(
        rules.refusal(of: address, port: 8080, host: nil, isOwn: own.contains), "\(text)")
      #expect(refusal.hasSuffix("port 8080, is this server itself"))
      #expect(rules.refusal(of: address, port: 8081, host: nil, isOwn: own.contains) == nil)
    }
    for host in ["localhost", "127.0.0.1", "127.1", "[::1]"] {
      #expect(
        rules.problem(with: "http://\(host):8080/")?.text.contains("this server itself") == true)
      #expect(rules.problem(with: "http://\(host):80/") == nil)
    }
  }

  @Test("An allowed name may have any address, but only under that name")
  func names() throws {
    let rules = OutgoingRules(allowed: [try #require(.init("NAS.example."))])
    let address = try #require(IPAddress("10.0.0.7"))
    #expect(rules.refusal(of: address, port: 80, host: "nas.example", isOwn: { _ in false }) == nil)
    #expect(
      rules.refusal(of: address, port: 80, host: "other.example", isOwn: { _ in false }) != nil)
    #expect(
      rules.refusal(of: address, port: 80, host: "x.nas.example", isOwn: { _ in false }) != nil)
    #expect(rules.refusal(of: address, port: 80, host: nil, isOwn: { _ in false }) != nil)
  }

  @Test("The push services that the operator allows, and nothing else, if there is a list")
  func pushHosts() throws {
    var rules = OutgoingRules()
    #expect(rules.problem(withEndpoint: "https://push.example/a") == nil)
    rules.pushHosts = try ["fcm.googleapis.com", "*.Push.Apple.com"].map {
      try #require(PushHost($0))
    }
    for url in ["https://fcm.googleapis.com/a", "https://web.push.apple.com/b"] {
      #expect(rules.problem(withEndpoint: url) == nil, "\(url)")
    }
    for url in [
      "https://push.example/a", "https://a.fcm.googleapis.com/a", "https://push.apple.com/b",
      "https://evilpush.apple.com/b", "https://web.push.apple.com.example/b", "https://1.1.1.1/a",
    ] {
      let problem = try #require(rules.problem(withEndpoint: url), "\(url)")
      #expect(problem.isRefusal && problem.detail.contains("is not a push service"))
      #expect(rules.problem(with: url) == nil)
    }
    for text in ["", "*", "*.", "https://a.example", "a.example:443", "127.0.0.1", "*.127.0.0.1"] {
      #expect(PushHost(text) == nil, "\(text)")
    }
  }

  @Test("What the operator can allow")
  func values() {
    for text in ["192.168.1.0/24", "192.168.1.5", "fd12::/16", "::1", "nas", "nas.example"] {
      #expect(AllowedDestination(text)?.description == text)
    }
    #expect(AllowedDestination("[::1]")?.description == "::1")
    for text in ["", "192.168.1.5/24", "127.1", "http://nas", "nas:80", "a b", "*.example", "10/8"]
    {
      #expect(AllowedDestination(text) == nil, "\(text)")
    }
  }
}
