import Foundation
import TestSupport
import Testing

@testable import MartletCourier

@Suite struct WebhookSignatureTests {
  init() throws { try Libraries.load(curl: "libcurl.so.4", crypto: "libcrypto.so.3") }

  private func fields(
    _ message: String, _ seconds: Int64, _ body: String, _ secrets: [String]
  ) throws -> [CourierRequest.Field]? {
    WebhookSignature.fields(
      message: message, seconds: seconds, body: Array(body.utf8),
      secrets: try secrets.map { try #require(WebhookSecret($0)) }, hmac: Libraries.hmac)
  }

  // https://github.com/standard-webhooks/standard-webhooks: the vector of its libraries' tests.
  @Test("The vector of the reference libraries")
  func vector() throws {
    let signed = try fields(
      "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, #"{"test": 2432232314}"#,
      ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])
    #expect(
      signed == [
        .init("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek"),
        .init("webhook-timestamp", "1614265330"),
        .init("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="),
      ])
  }

  @Test("Two keys give two signatures, and none gives only the other fields")
  func rotation() throws {
    let secrets = [WebhookSecret.random(), .random()].map(\.text)
    let both = try fields("a", 1, "b", secrets)?.last?.value
    let single = try secrets.map { try fields("a", 1, "b", [$0])?.last?.value ?? "" }
    #expect(both == single.joined(separator: " "))
    #expect(try fields("a", 1, "b", [])?.map(\.name) == ["webhook-id", "webhook-timestamp"])
  }

  @Test("Python computes the same for random messages")
  func python() throws {
    var random = SeededRandom()
    let script = """
      import base64, hashlib, hmac, json, sys
      for secret, text, body in json.load(open(sys.argv[1])):
          key = base64.b64decode(secret.removeprefix("whsec_"))
          data = text.encode() + base64.b64decode(body)
          print("v1," + base64.b64encode(hmac.new(key, data, hashlib.sha256).digest()).decode())
      """
    var cases: [[String]] = []
    var own: [String] = []
    for number in 0..<50 {
      let body = (0..<Int.random(in: 0...300, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let secret = WebhookSecret.random()
      cases.append([secret.text, "msg_\(number).1764000000.", Data(body).base64EncodedString()])
      let signed = WebhookSignature.fields(
        message: "msg_\(number)", seconds: 1_764_000_000, body: body, secrets: [secret],
        hmac: Libraries.hmac)
      own.append(try #require(signed?.last?.value))
    }
    let folder = try TemporaryFolder()
    try JSONEncoder().encode(cases).write(to: URL(fileURLWithPath: folder.file("cases")))
    let result = try ChildProcess(
      "/usr/bin/python3", ["-c", script, folder.file("cases")], folder: folder
    ).wait()
    #expect(result.output.split(separator: "\n").map(String.init) == own, "seed \(random.seed)")
  }

  @Test("Secrets have 24 to 64 bytes in Base64, and no description shows them")
  func secrets() throws {
    func secret(_ count: Int) -> String {
      "whsec_" + Data(repeating: 0xfb, count: count).base64EncodedString()
    }
    for count in [24, 25, 26, 32, 64] {
      #expect(WebhookSecret(secret(count))?.bytes == [UInt8](repeating: 0xfb, count: count))
    }
    for text in [
      secret(23), secret(65), "", "whsec_", String(secret(24).dropFirst(6)), secret(25) + "=",
      secret(24) + "=", "whsec_" + String(repeating: "-", count: 32), secret(24) + "\n",
    ] {
      #expect(WebhookSecret(text) == nil, "\(text)")
    }
    let one = WebhookSecret.random()
    let request = CourierRequest("https://example.com", messageID: "a", secrets: [one])
    var dumped = ""
    dump(request, to: &dumped)
    #expect(!"\(request)\(String(reflecting: request))\(dumped)".contains(one.text.dropFirst(6)))
  }
}
