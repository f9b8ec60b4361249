import Foundation
import MartletJSON
import Synchronization
import TestSupport
import Testing

@testable import MartletCourier

/// Pushes through the courier's process, to a receiver that plays the push service and the browser.
@Suite(.timeLimit(.minutes(10))) struct PushDeliveryTests {
  private let device: PushDevice

  init() throws {
    try Libraries.load(curl: "libcurl.so.4", crypto: "libcrypto.so.3")
    device = try PushDevice()
  }

  private func request(
    _ receiver: Receiver, _ key: VAPIDKey, _ payload: String = "secret-payload",
    path: String = "/push/secret-path"
  ) throws -> CourierRequest {
    let envelope = PushEnvelope(
      to: device.recipient, from: key, subject: "mailto:operator@example.com",
      timeToLive: .seconds(86_400), urgency: .high, about: "alarm 3")
    return CourierRequest(
      push: envelope, endpoint: receiver.url(path), payload: Array(payload.utf8))
  }

  private func receiver(
    _ answer: String = "HTTP/1.1 201 Created\r\n\r\n"
  ) throws -> Receiver {
    try Receiver { $0.send(answer) }
  }

  @Test("A push arrives with its header fields, and the device can read it")
  func arrives() async throws {
    let receiver = try receiver()
    let courier = Courier()
    let key = try await courier.madeKey()
    let payload = #"{"v":1,"title":"Zahnärztin"}"#
    let result = await courier.result(try request(receiver, key, payload))
    #expect(result.status == 201)
    #expect(result.reason == nil)
    let bytes = try #require(receiver.bytes.first)
    let end = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)))
    let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    let body = Array(bytes[end.upperBound...])
    let token = try #require(head.firstMatch(of: /\r\nAuthorization: vapid t=([\w.-]+),k=([\w-]+)/))
    let topic = try #require(head.firstMatch(of: /\r\nTopic: ([\w-]{32})\r\n/)).1
    #expect(
      head.replacing(token.1, with: "T").replacing(topic, with: "C") == """
        POST /push/secret-path HTTP/1.1\r
        Host: 127.0.0.1:\(receiver.port)\r
        User-Agent: martlet/test\r
        Accept: */*\r
        TTL: 86400\r
        Urgency: high\r
        Content-Encoding: aes128gcm\r
        Content-Type: application/octet-stream\r
        Authorization: vapid t=T,k=\(key.publicKey)\r
        Topic: C\r
        Content-Length: 512
        """)
    #expect(try device.read(body) == payload)
    let claims = try #require(
      String(token.1).split(separator: ".").dropFirst().first.flatMap {
        Base64.decode(url: String($0))
      })
    #expect(
      try JSONValue.parse(claims)["aud"]?.string == "http://127.0.0.1:\(receiver.port)")
  }

  @Test("Each attempt is encrypted anew, and signed once")
  func attempts() async throws {
    let receiver = try receiver()
    let courier = Courier()
    let request = try request(receiver, try await courier.madeKey())
    for _ in 0..<5 { #expect(await courier.result(request).status == 201) }
    let parts = receiver.bytes.compactMap { bytes in
      bytes.firstRange(of: Array("\r\n\r\n".utf8)).map {
        (bytes[..<$0.lowerBound], Array(bytes[$0.upperBound...]))
      }
    }
    try #require(parts.count == 5)
    #expect(Set(parts.map(\.0)).count == 1)
    #expect(Set(parts.map(\.1)).count == 5)
    for part in parts { #expect(try device.read(part.1) == "secret-payload") }
  }

  @Test("An answer's known word, and a clock that differs, are reported, and nothing else")
  func answers() async throws {
    let courier = Courier()
    let key = try await courier.madeKey()
    for (body, word) in [
      (#"{"reason":"BadJwtToken"}"#, "BadJwtToken"), (#"{"errno":103}"#, "errno 103"),
      (#"{"reason":"other secret"}"#, nil),
    ] {
      let receiver = try receiver(
        """
        HTTP/1.1 403 Forbidden\r
        Date: Sun, 06 Nov 1994 08:49:37 GMT\r
        Retry-After: 7\r
        Content-Length: \(body.utf8.count)\r
        \r
        \(body)
        """)
      let result = await courier.result(try request(receiver, key))
      #expect(result.status == 403)
      #expect(result.reason?.description == word)
      #expect(result.retryAfter == .seconds(7))
      #expect((result.clockDifference ?? .zero) < .seconds(-365 * 86_400))
      // Of a webhook nothing of it is reported.
      let hook = await courier.result(CourierRequest(receiver.url()))
      #expect(hook.status == 403)
      #expect(hook.reason == nil)
      #expect(hook.clockDifference == nil)
    }
  }

  @Test("No failure names a secret")
  func failures() async throws {
    let silent = try Receiver { $0.waitForEnd() }
    let garbage = try Receiver { $0.send("secret-answer\r\n\r\n") }
    let courier = Courier { $0.timeout = .milliseconds(300) }
    let key = try await courier.madeKey()
    var wrong = device.recipient.publicKey
    wrong[9] ^= 1
    let offCurve = PushEnvelope(
      to: try #require(
        PushRecipient(p256dh: Base64.encode(url: wrong), auth: device.recipient.auth)),
      from: key, subject: "mailto:operator@example.com", timeToLive: .zero)
    let requests = [
      try request(silent, key), try request(garbage, key),
      CourierRequest(
        push: offCurve, endpoint: silent.url("/secret-path"), payload: Array("secret".utf8)),
      CourierRequest(
        push: offCurve, endpoint: "https://10.0.0.1/secret-path", payload: Array("secret".utf8)),
    ]
    var kinds: [CourierResult.Failure.Kind] = []
    for request in requests {
      let result = await courier.result(request)
      let failure = try #require(result.failure)
      kinds.append(failure.kind)
      for secret in ["secret", key.privateKey, device.recipient.auth] {
        #expect(!failure.text.contains(secret), "\(failure.text)")
      }
    }
    #expect(kinds == [.unanswered, .unanswered, .refused, .refused])
  }

  @Test("A connection is used again for pushes, and closed when it is idle")
  func connections() async throws {
    let ends = Collected<Int>()
    let receiver = try Receiver { exchange in
      var count = 1
      repeat {
        exchange.send("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        count += 1
      } while !exchange.request().isEmpty
      ends.add(count - 1)
    }
    var courier: Courier? = Courier()
    let key = try await #require(courier).madeKey()
    for _ in 0..<3 {
      #expect(await courier?.result(try request(receiver, key)).status == 201)
    }
    #expect(await courier?.result(CourierRequest(receiver.url())).status == 201)
    courier = nil
    try await eventually { ends.now.count == 2 }
    #expect(ends.now.sorted() == [1, 3])

    // The process goes on, and closes the connection itself.
    let hasty = Courier { $0.idleTimeout = .milliseconds(50) }
    #expect(await hasty.result(try request(receiver, key)).status == 201)
    try await eventually { ends.now.count == 3 }
    #expect(await hasty.result(try request(receiver, key)).status == 201)
  }

  @Test("Sixteen pushes at once, beside eight requests")
  func concurrent() async throws {
    let gate = DispatchSemaphore(value: 0)
    let receiver = try Receiver { exchange in
      gate.wait()
      exchange.send("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
    }
    let courier = Courier()
    let key = try await courier.madeKey()
    let results = Collected<CourierResult>()
    for number in 0..<24 {
      let request =
        number < 8
        ? CourierRequest(receiver.url("/\(number)"))
        : try request(receiver, key, path: "/\(number)")
      courier.send(request) { results.add($0) }
    }
    // None is answered before all have arrived.
    try await eventually { receiver.requests.count == 24 }
    for _ in 0..<24 { gate.signal() }
    try await eventually { results.now.count == 24 }
    #expect(results.now.filter(\.isSuccess).count == 24)
  }
}

/// A browser with a subscription.
private struct PushDevice {
  let recipient: PushRecipient
  private let key: VAPIDKey

  init() throws {
    key = try #require(VAPIDKey.random())
    let secret = (0..<16).map { _ in UInt8.random(in: 0...255) }
    recipient = try #require(
      PushRecipient(p256dh: key.publicKey, auth: Base64.encode(url: secret)))
  }

  /// Decrypts the body of a push (RFC 8291 section 3.4).
  func read(_ body: [UInt8]) throws -> String {
    let salt = Array(body[..<16])
    let sender = Array(body[21..<86])
    let record = Array(body[86...])
    #expect(Array(body[16..<21]) == [0, 0, 16, 0, 65])
    let own = try #require(CurveKey(privateKey: key.privateBytes))
    let peer = try #require(CurveKey(publicKey: sender))
    let shared = try #require(own.agreement(with: peer))
    func code(_ key: [UInt8], _ data: [UInt8]) throws -> [UInt8] {
      try #require(Libraries.hmac(key: key, data: data))
    }
    let input = try code(
      try code(recipient.secret, shared),
      Array("WebPush: info\0".utf8) + recipient.publicKey + sender + [1])
    let random = try code(salt, input)
    let contentKey = try code(random, Array("Content-Encoding: aes128gcm\0\u{1}".utf8)).prefix(16)
    let nonce = try code(random, Array("Content-Encoding: nonce\0\u{1}".utf8)).prefix(12)
    // The cipher is its own inverse, except for the tag.
    func seal(_ text: [UInt8]) throws -> [UInt8] {
      try #require(Libraries.seal(text, key: Array(contentKey), nonce: Array(nonce)))
    }
    let text = Array(try seal(record.dropLast(16)).dropLast(16))
    #expect(try seal(text) == record)
    let end = try #require(text.lastIndex { $0 != 0 })
    #expect(text[end] == 2)
    return String(decoding: text[..<end], as: UTF8.self)
  }
}
