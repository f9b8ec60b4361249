import Foundation
import MartletJSON
import TestSupport
import Testing

@testable import MartletCourier

@Suite struct PushEncryptionTests {
  init() throws { try Libraries.load(curl: "libcurl.so.4", crypto: "libcrypto.so.3") }

  private static let publicKey =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
  private static let secret = "BTBZMqHH6r4Tts7J_aSIgg"

  private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64.decode(url: text)) }

  @Test("The vector of RFC 8291, appendix A, bit for bit")
  func vector() throws {
    let recipient = try #require(PushRecipient(p256dh: Self.publicKey, auth: Self.secret))
    let key = try #require(
      CurveKey(privateKey: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")))
    #expect(
      try key.publicKey
        == bytes(
          "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8")
    )
    let recipientKey = try #require(CurveKey(publicKey: recipient.publicKey))
    #expect(
      try key.agreement(with: recipientKey)
        == bytes("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs"))
    let body = try PushEncryption.body(
      Array("When I grow up, I want to be a watermelon".utf8), padding: 0, to: recipient,
      recipientKey, key: key, salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"))
    #expect(
      Base64.encode(url: try #require(body))
        == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        + "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        + "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
  }

  @Test("Points that are not on the curve, and other forms of points, are refused")
  func points() throws {
    let point = try bytes(Self.publicKey)
    #expect(CurveKey(publicKey: point) != nil)
    var moved = point
    moved[64] ^= 1
    let zero: [UInt8] = [4] + [UInt8](repeating: 0, count: 64)
    // Larger than the field's prime.
    let large: [UInt8] = [4] + [UInt8](repeating: 0xff, count: 64)
    let compressed = [2 | point[64] & 1] + point[1...32]
    let hybrid = [6 | point[64] & 1] + point.dropFirst()
    for wrong in [moved, zero, large, compressed, hybrid, [0], [], Array(point.dropLast())] {
      #expect(CurveKey(publicKey: wrong) == nil, "\(wrong)")
    }
    // The order of the base point, one below it, and what lies around.
    let order = try bytes("_____wAAAAD__________7zm-q2nF56E87nKwvxjJVE")
    let ones = [UInt8](repeating: 0xff, count: 32)
    for wrong in [order, ones, [UInt8](repeating: 0, count: 32), [1], []] {
      #expect(CurveKey(privateKey: wrong) == nil, "\(wrong)")
    }
    #expect(CurveKey(privateKey: order.dropLast() + [0x50]) != nil)
    #expect(CurveKey(privateKey: [UInt8](repeating: 0, count: 31) + [1]) != nil)
  }

  @Test("Keys of another length, and texts that are not Base64 for URLs, are refused")
  func lengths() throws {
    let point = try bytes(Self.publicKey)
    for wrong in [
      Base64.encode(url: Array(point.dropLast())), Base64.encode(url: point + [0]),
      Base64.encode(url: [5] + point.dropFirst()), Self.publicKey + "=", "", "!",
    ] {
      #expect(PushRecipient(p256dh: wrong, auth: Self.secret) == nil, "\(wrong)")
      #expect(VAPIDKey(privateKey: Base64.encode(url: order), publicKey: wrong) == nil)
    }
    for count in [0, 15, 17, 32] {
      let secret = Base64.encode(url: [UInt8](repeating: 1, count: count))
      #expect(PushRecipient(p256dh: Self.publicKey, auth: secret) == nil, "\(count)")
    }
    for count in [0, 31, 33] {
      let key = Base64.encode(url: [UInt8](repeating: 1, count: count))
      #expect(VAPIDKey(privateKey: key, publicKey: Self.publicKey) == nil, "\(count)")
    }
  }

  private let order = [UInt8](repeating: 1, count: 32)

  @Test("New keys differ, and are the same after they were written and read")
  func newKeys() throws {
    let keys = try (0..<20).map { _ in try #require(VAPIDKey.random()) }
    #expect(Set(keys).count == keys.count)
    for key in keys {
      let read = try #require(CurveKey(privateKey: key.privateBytes))
      #expect(read.publicKey == key.publicBytes)
      // It is written for a new pair only.
      #expect(read.privateKey == nil)
      #expect(VAPIDKey(privateKey: key.privateKey, publicKey: key.publicKey) == key)
    }
  }

  @Test("A message has one of three sizes, and each attempt another key and salt")
  func sizes() throws {
    let recipient = try #require(PushRecipient(p256dh: Self.publicKey, auth: Self.secret))
    let envelope = PushEnvelope(
      to: recipient, from: try #require(VAPIDKey.random()), subject: "mailto:a@example.com",
      timeToLive: .seconds(60))
    let destination = try Destination("https://push.example/a")
    let tokens = PushTokens()
    func body(_ count: Int) throws -> [UInt8] {
      try envelope.attempt(
        [UInt8](repeating: 0x61, count: count), destination, tokens,
        now: .init(milliseconds: 1_700_000_000_000)
      ).body
    }
    for (count, size) in [
      (0, 512), (409, 512), (410, 1024), (921, 1024), (922, 2048), (1945, 2048),
    ] {
      #expect(try body(count).count == size, "\(count)")
    }
    #expect(PushEnvelope.largestPayload == 1945)
    #expect(throws: CourierResult.Failure.self) { try body(1946) }
    let bodies = try (0..<20).map { _ in try body(10) }
    #expect(Set(bodies.map { $0[0..<16] }).count == bodies.count)
    #expect(Set(bodies.map { $0[21..<86] }).count == bodies.count)
  }

  @Test("A subscription with a point that is not on the curve is refused for good")
  func wrongSubscription() throws {
    var point = try bytes(Self.publicKey)
    point[10] ^= 1
    let recipient = try #require(
      PushRecipient(p256dh: Base64.encode(url: point), auth: Self.secret))
    let envelope = PushEnvelope(
      to: recipient, from: try #require(VAPIDKey.random()), subject: "mailto:a@example.com",
      timeToLive: .seconds(60))
    let failure = #expect(throws: CourierResult.Failure.self) {
      try envelope.attempt(
        [], Destination("https://push.example/a"), PushTokens(), now: .init(milliseconds: 0))
    }
    #expect(failure?.kind == .refused)
    #expect(failure?.text == "the subscription's key is not a point of the curve P-256")
  }
}
