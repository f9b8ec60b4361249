import Foundation
import MartletJSON
import MartletTime
import TestSupport
import Testing

@testable import MartletCourier

@Suite struct PushTokensTests {
  init() throws { try Libraries.load(curl: "libcurl.so.4", crypto: "libcrypto.so.3") }

  private static let start = Instant(milliseconds: 1_764_000_000_000)

  private func envelope(
    _ key: VAPIDKey? = VAPIDKey.random(), subject: String = "mailto:a@example.com"
  ) throws -> PushEnvelope {
    let recipient = try #require(VAPIDKey.random())
    let auth = Base64.encode(url: [UInt8](repeating: 7, count: 16))
    return PushEnvelope(
      to: try #require(PushRecipient(p256dh: recipient.publicKey, auth: auth)),
      from: try #require(key), subject: subject, timeToLive: .seconds(60))
  }

  /// The parts of `vapid t=…,k=…`: header, claims, signature and key.
  private func parts(_ text: String) throws -> (JSONValue, JSONValue, [UInt8], String, String) {
    let match = try #require(
      text.wholeMatch(of: /vapid t=(([\w-]+)\.([\w-]+))\.([\w-]+),k=([\w-]+)/))
    func json(_ part: Substring) throws -> JSONValue {
      try JSONValue.parse(try #require(Base64.decode(url: String(part))))
    }
    let signature = try #require(Base64.decode(url: String(match.4)))
    return (try json(match.2), try json(match.3), signature, String(match.5), String(match.1))
  }

  @Test("The claims, and a signature that the openssl program verifies")
  func claims() throws {
    let envelope = try envelope()
    // The bytes of r and s begin with zeros in some signatures, and in others with a bit.
    for number in 0..<20 {
      let now = Self.start.adding(milliseconds: Int64(number) * 3_600_000)
      let text = try PushTokens().authorization(
        envelope, origin: "https://push.example", now: now)
      let (header, claims, signature, key, signed) = try parts(text)
      #expect("\(header)" == #"{"typ":"JWT","alg":"ES256"}"#)
      #expect(claims["aud"]?.string == "https://push.example")
      #expect(claims["sub"]?.string == "mailto:a@example.com")
      #expect(claims["exp"]?.int64 == now.milliseconds / 1000 + 12 * 3600)
      #expect(key == envelope.sender.publicKey)
      #expect(signature.count == 64)
      #expect(try isVerified(signature, of: signed, by: envelope.sender.publicBytes))
      #expect(try !isVerified(signature, of: signed + "x", by: envelope.sender.publicBytes))
    }
  }

  private func isVerified(_ signature: [UInt8], of text: String, by key: [UInt8]) throws -> Bool {
    let folder = try TemporaryFolder()
    func write(_ bytes: [UInt8], to name: String) throws {
      try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name)))
    }
    func integer(_ half: ArraySlice<UInt8>) -> [UInt8] {
      let digits = half.drop { $0 == 0 }
      let number = (digits.first ?? 0) > 0x7f ? [0] + digits : Array(digits)
      return [2, UInt8(number.count)] + number
    }
    let numbers = integer(signature[..<32]) + integer(signature[32...])
    let head = try #require(Base64.decode(url: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgA"))
    try write([0x30, UInt8(numbers.count)] + numbers, to: "signature")
    try write(head + key, to: "key")
    try write(Array(text.utf8), to: "text")
    let result = try ChildProcess(
      "/usr/bin/openssl",
      [
        "dgst", "-sha256", "-verify", "key", "-keyform", "DER", "-signature", "signature", "text",
      ], folder: folder
    ).wait()
    return result.output == "Verified OK\n"
  }

  @Test("A token is used for an hour, for one origin, key and subject, also if the clock is set")
  func stored() throws {
    let tokens = PushTokens()
    let key = VAPIDKey.random()
    let first = try envelope(key)
    func token(_ minutes: Int64, _ one: PushEnvelope, _ origin: String = "https://a") throws
      -> String
    {
      try tokens.authorization(
        one, origin: origin, now: Self.start.adding(milliseconds: minutes * 60_000))
    }
    let text = try token(0, first)
    #expect(try token(59, first) == text)
    // Another device of the same push service.
    #expect(try token(59, envelope(key)) == text)
    #expect(try token(59, first, "https://b") != text)
    #expect(try token(59, envelope()) != text)
    #expect(try token(59, envelope(key, subject: "https://example.com")) != text)
    let second = try token(60, first)
    #expect(try parts(second).1["exp"]?.int64 != parts(text).1["exp"]?.int64)
    // The clock was set back: the token would be from the future.
    let earlier = try token(-600, first)
    #expect(
      try parts(earlier).1["exp"]?.int64 == (Self.start.milliseconds / 1000) - 600 * 60 + 12 * 3600)
    for number in 0..<200 { _ = try token(0, first, "https://\(number)") }
  }

  @Test("Keys that do not belong together are refused for good, and no text has them")
  func mismatch() throws {
    let keys = try (0..<2).map { _ in try #require(VAPIDKey.random()) }
    let mixed = VAPIDKey(privateBytes: keys[0].privateBytes, publicBytes: keys[1].publicBytes)
    let envelope = try envelope(mixed)
    let failure = #expect(throws: CourierResult.Failure.self) {
      try PushTokens().authorization(envelope, origin: "https://a", now: Self.start)
    }
    #expect(failure?.kind == .refused)
    #expect(failure?.text == "the server's push keys do not belong together")
    let request = CourierRequest(
      push: envelope, endpoint: "https://push.example/secret-path", payload: Array("secret".utf8))
    var dumped = ""
    dump(request, to: &dumped)
    dump(envelope, to: &dumped)
    let texts = "\(request)\(String(reflecting: request))\(envelope)\(dumped)"
    for secret in [
      "secret", keys[0].privateKey, envelope.recipient.auth, "\(keys[0].privateBytes)",
      envelope.recipient.p256dh,
    ] {
      #expect(!texts.contains(secret), "\(secret)")
    }
    #expect("\(request)" == "push to https://push.example")
  }
}
