import TestSupport
import Testing

@testable import MartletCourier

@Suite struct CourierRequestTests {
  private let url = "https://example.com/"

  @Test("What no request may contain")
  func problems() {
    let wrong: [(CourierRequest, String)] = [
      (.init(url, body: [UInt8](repeating: 0, count: CourierRequest.largestBody + 1)), "body"),
      (.init(.get, url, body: [1]), "no body"),
      (.init(url, fields: [.init("", "a")]), "invalid name"),
      (.init(url, fields: [.init("a b", "a")]), "invalid name"),
      (.init(url, fields: [.init("a:", "a")]), "invalid name"),
      (.init(url, fields: [.init("a", "b\r\nHost: c")]), "control character"),
      (.init(url, fields: [.init("a", "b\u{0}")]), "control character"),
      (.init(url, fields: [.init("Host", "a")]), "by the courier"),
      (.init(url, fields: [.init("content-length", "1")]), "by the courier"),
      (.init(url, fields: [.init("Webhook-Signature", "v1,x")]), "by the courier"),
      (.init(url, fields: [.init("a", String(repeating: "b", count: 16 << 10))]), "more than"),
      (.init(url, messageID: "a.b"), "ID"), (.init(url, messageID: ""), "ID"),
      (.init(url, messageID: "a\nb"), "ID"), (.init(url, secrets: [.random()]), "ID"),
      (.init(url, messageID: "a", secrets: [.random(), .random(), .random()]), "two signatures"),
    ]
    for (request, text) in wrong {
      #expect(request.problem?.contains(text) == true, "\(text)")
    }
  }

  @Test("What a request may contain")
  func allowed() {
    let request = CourierRequest(
      .post, url, fields: [.init("Authorization", "Bearer \u{e4}"), .init("Content-Type", "a/b")],
      body: [UInt8](repeating: 0, count: CourierRequest.largestBody), messageID: "msg_1-A",
      secrets: [.random(), .random()])
    #expect(request.problem == nil)
    // The longest request fits into a line, with every byte of its texts escaped.
    #expect(CourierLine.bytes(.send(request), id: .max >> 1).count < CourierLine.longestRequest / 2)
  }
}
