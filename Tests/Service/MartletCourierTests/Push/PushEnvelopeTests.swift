import MartletJSON
import TestSupport
import Testing

@testable import MartletCourier

@Suite struct PushEnvelopeTests {
  private func envelope(_ change: (inout PushEnvelope) -> Void = { _ in }) throws -> PushEnvelope {
    let point = Base64.encode(url: [4] + [UInt8](repeating: 1, count: 64))
    let secret = Base64.encode(url: [UInt8](repeating: 2, count: 16))
    let key = Base64.encode(url: [UInt8](repeating: 3, count: 32))
    var envelope = PushEnvelope(
      to: try #require(PushRecipient(p256dh: point, auth: secret)),
      from: try #require(VAPIDKey(privateKey: key, publicKey: point)),
      subject: "mailto:a@example.com", timeToLive: .seconds(86_400), urgency: .high,
      about: "alarm 3")
    change(&envelope)
    return envelope
  }

  private func request(
    _ count: Int = 10, _ change: (inout PushEnvelope) -> Void = { _ in }
  ) throws -> CourierRequest {
    try CourierRequest(
      push: envelope(change), endpoint: "https://push.example/a",
      payload: [UInt8](repeating: 0x61, count: count))
  }

  @Test("What a push may contain, and what not")
  func problems() throws {
    #expect(try request(0).problem == nil)
    #expect(try request(PushEnvelope.largestPayload) { $0.about = nil }.problem == nil)
    #expect(try request(PushEnvelope.largestPayload + 1).problem?.contains("1945 bytes") == true)
    #expect(try request { $0.timeToLive = .zero }.problem == nil)
    #expect(try request { $0.timeToLive = .seconds(-1) }.problem?.contains("time to") == true)
    #expect(try request { $0.timeToLive = .seconds(2_592_001) }.problem?.contains("time") == true)
    for about in ["", String(repeating: "a", count: 101)] {
      #expect(try request { $0.about = about }.problem?.contains("about") == true, "\(about)")
    }
    for subject in [
      "", "a@example.com", "http://example.com", "mailto:a b", "mailto:a\nb", "mailto:ä",
      "mailto:" + String(repeating: "a", count: 200),
    ] {
      let request = try request { $0.subject = subject }
      #expect(request.problem?.contains("subject") == true, "\(subject)")
    }
    var other = try request()
    other.fields = [.init("A", "b")]
    #expect(other.problem?.contains("only what the courier writes") == true)
  }

  @Test("Pushes, orders for keys, and their answers are read as they were written")
  func lines() throws {
    for request in [try request(), try request(0) { $0.about = nil }] {
      let line = CourierLine.bytes(.send(request), id: 9)
      let (id, order) = try #require(CourierLine.order(line.dropLast()))
      guard case .send(let read) = order else { throw TestFailure("\(order)") }
      #expect(id == 9)
      #expect(read == request)
    }
    let wanted = try #require(CourierLine.order(CourierLine.bytes(.makeKey, id: 3).dropLast()))
    guard case (3, .makeKey) = wanted else { throw TestFailure("\(wanted)") }
    var answer = CourierResult(.answered(status: 403))
    answer.reason = PushReason("BadJwtToken")
    answer.clockDifference = .seconds(-4000)
    for report: CourierLine.Report in [
      .result(id: 1, answer), .key(id: 2, try envelope().sender),
    ] {
      #expect(CourierLine.report(CourierLine.bytes(report).dropLast()) == report)
    }
  }

  @Test("No invalid push and no other word is believed")
  func invalid() throws {
    let line = String(
      decoding: CourierLine.bytes(.send(try request()), id: 9), as: UTF8.self)
    for (part, other) in [
      (#""auth":"Ag"#, #""auth":"A"#), (#""urgency":"high""#, #""urgency":"higher""#),
      (#""ttl":86400"#, #""ttl":"86400""#), (#""p256dh":"BA"#, #""p256dh":"CA"#),
      (#""privateKey""#, #""secretKey""#), (#""push":{"#, #""push":[{"#),
    ] {
      let broken = line.replacing(part, with: other)
      #expect(broken != line, "\(part)")
      #expect(CourierLine.order(Array(broken.utf8)) == nil, "\(part)")
    }
    let report = #"{"id":1,"status":403,"duration":0,"reason":"other","clockDifference":"#
    for number in ["\(Int64.min)", "\(Int64.max)", #""5""#] {
      guard case .result(1, let result) = CourierLine.report(Array("\(report)\(number)}".utf8))
      else { throw TestFailure(number) }
      #expect(result.reason == nil)
      #expect(result.clockDifference == nil, "\(number)")
    }
    let keys = #"{"id":1,"privateKey":"AQ","publicKey":"BA"}"#
    #expect(CourierLine.report(Array(keys.utf8)) == nil)
  }

  @Test("Endpoints have https on port 443, unless the operator allows the destination")
  func endpoints() throws {
    let rules = OutgoingRules()
    for endpoint in [
      "https://push.example/a", "https://push.example:443/a", "https://93.184.216.34/",
      "https://push.example/" + String(repeating: "a", count: 1000 - 21),
    ] {
      #expect(rules.problem(withEndpoint: endpoint) == nil, "\(endpoint)")
    }
    for endpoint in [
      "http://push.example/a", "https://push.example:8443/a", "http://93.184.216.34/",
      "https://93.184.216.34:8443/", "https://10.0.0.1/", "http://localhost/",
    ] {
      let problem = try #require(rules.problem(withEndpoint: endpoint), "\(endpoint)")
      #expect(problem.isRefusal)
      #expect(problem.text.contains("--outgoing-to "), "\(problem.text)")
      // The operator can follow the advice.
      let advice = try #require(problem.text.split(separator: " ").last.map(String.init))
      let allowing = OutgoingRules(allowed: [try #require(AllowedDestination(advice))])
      #expect(allowing.problem(withEndpoint: endpoint) == nil, "\(endpoint)")
    }
    let long = "https://push.example/" + String(repeating: "a", count: 1000 - 20)
    #expect(rules.problem(withEndpoint: long)?.detail == "must have at most 1000 bytes")
    #expect(rules.problem(withEndpoint: "https://")?.isRefusal == false)
    // A name can have an address of an allowed network, which only the connection shows.
    let network = OutgoingRules(allowed: [try #require(AllowedDestination("10.0.0.0/8"))])
    #expect(network.problem(withEndpoint: "http://push.example:8080/") == nil)
    let address = try #require(IPAddress("93.184.216.34"))
    let inside = try #require(IPAddress("10.0.0.1"))
    for (url, isPush, isInsideOnly) in [
      ("http://push.example:8080/", true, true), ("http://push.example:8080/", false, false),
      ("https://push.example/", true, false),
    ] {
      let gate = Gate(network, try Destination(url), for: isPush ? .push : .request)
      #expect(gate.allows(address, port: 443) == !isInsideOnly, "\(url)")
      #expect(gate.allows(inside, port: 443), "\(url)")
    }
  }

  @Test(
    "The origin of an endpoint",
    arguments: [
      ("https://Push.Example:443/a", "https://push.example"),
      ("https://push.example:8443", "https://push.example:8443"),
      ("http://127.1:80/", "http://127.0.0.1"), ("https://[::1]:9/", "https://[::1]:9"),
      ("http://a:443/", "http://a:443"), ("https://a./b", "https://a"),
    ])
  func origins(url: String, origin: String) throws {
    #expect(try Destination(url).origin == origin)
  }
}
