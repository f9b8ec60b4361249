import Foundation
import MartletCourier
import TestSupport
import Testing

/// What is checked when a connection is made.
@Suite(.timeLimit(.minutes(10))) struct DestinationTests {
  /// Allows names, so that the check of the URL passes and only that of the connection remains.
  private func refusal(_ url: String, _ courier: Courier) async -> String {
    let result = await courier.result(CourierRequest(url))
    #expect(result.failure?.kind == .refused)
    return result.failure?.text ?? ""
  }

  private static func hostName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, 255)
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  @Test("A name with a forbidden address is refused when the connection is made")
  func machine() async throws {
    let name = Self.hostName().lowercased()
    let receiver = try Receiver()
    // The machine's own name has a loopback or a private address, which no check of a URL knows.
    let rules = OutgoingRules()
    guard rules.problem(with: receiver.url(host: name)) == nil else { return }
    let courier = Courier(allowing: [])
    let result = await courier.result(CourierRequest(receiver.url(host: name)))
    let failure = try #require(result.failure)
    if failure.kind == .refused {
      #expect(failure.text.contains("\(name) ("))
      #expect(failure.text.contains("--outgoing-to "))
    }
    #expect(receiver.requests == [])
  }

  @Test("Of a name's addresses, only the allowed ones are connected to")
  func someAddresses() async throws {
    let receiver = try Receiver()
    let result = await Courier(allowing: ["127.0.0.1"]).result(
      CourierRequest(receiver.url(host: "localhost")))
    #expect(result.status == 204)
    #expect(receiver.requests.first?.contains("\r\nHost: localhost:\(receiver.port)\r\n") == true)
    let other = await Courier(allowing: ["::1"]).result(
      CourierRequest(receiver.url(host: "localhost")))
    #expect(other.failure != nil)
    #expect(receiver.requests.count == 1)
  }

  @Test("An allowed name, and the network of an address")
  func allowed() async throws {
    let receiver = try Receiver()
    let named = Courier(allowing: ["localhost"])
    #expect(await named.result(CourierRequest(receiver.url(host: "localhost"))).status == 204)
    #expect(await refusal(receiver.url(), named).contains("127.0.0.1 is a loopback address"))
    let network = Courier(allowing: ["127.0.0.0/8"])
    for host in ["127.0.0.1", "127.1", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]"] {
      #expect(await network.result(CourierRequest(receiver.url(host: host))).status == 204)
    }
  }

  @Test("The server itself is never reached")
  func own() async throws {
    let receiver = try Receiver()
    let courier = Courier(
      allowing: ["0.0.0.0/0", "::/0", Self.hostName()], ownPort: receiver.port)
    for host in ["127.0.0.1", "localhost", Self.hostName()] {
      let result = await courier.result(CourierRequest(receiver.url(host: host)))
      let text = result.failure?.text ?? ""
      // A machine's own name may have no address.
      #expect(text.contains("is this server itself") || text.contains("resolve"), "\(text)")
    }
    #expect(receiver.requests == [])
    // Another port of the same machine is another server.
    let other = try Receiver()
    #expect(await courier.result(CourierRequest(other.url())).status == 204)
  }

  @Test("Variables for proxies and the user's files have no effect")
  func proxies() async throws {
    let proxy = try Receiver()
    let receiver = try Receiver()
    let folder = try TemporaryFolder()
    try "machine 127.0.0.1 login a password b\n".write(
      toFile: folder.file(".netrc"), atomically: true, encoding: .utf8)
    let known = try KnownCourier(variables: [
      "http_proxy": proxy.url(""), "ALL_PROXY": proxy.url(""), "HOME": folder.path,
    ])
    #expect(await known.courier.result(CourierRequest(receiver.url())).status == 204)
    #expect(proxy.requests == [])
    #expect(receiver.requests.first?.contains("Authorization") == false)
  }

  @Test("A port on which nothing listens")
  func closed() async throws {
    let port = try Receiver().port
    let failure = await Courier().result(CourierRequest("http://127.0.0.1:\(port)/secret")).failure
    #expect(failure?.kind == .unanswered)
    #expect(failure?.text.contains("connect") == true)
    #expect(failure?.text.contains("secret") == false)
  }

  @Test("A name that does not exist")
  func unknown() async throws {
    let failure = await Courier { $0.timeout = .seconds(3) }
      .result(CourierRequest("http://nowhere.invalid/secret")).failure
    #expect(failure?.kind == .unanswered)
    #expect(failure?.text.contains("secret") == false)
  }
}
