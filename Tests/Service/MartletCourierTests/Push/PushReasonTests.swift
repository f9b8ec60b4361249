import MartletTime
import TestSupport
import Testing

@testable import MartletCourier

@Suite struct PushReasonTests {
  @Test("Only known words and numbers of a body are a reason")
  func reasons() {
    let cases: [(String, String?)] = [
      (#"{"reason":"BadJwtToken"}"#, "BadJwtToken"),
      (#"{"reason":"VapidPkHashMismatch","timestamp":1}"#, "VapidPkHashMismatch"),
      (#"{"code":401,"errno":109,"error":"Unauthorized","message":"secret"}"#, "errno 109"),
      (#"{"errno":103,"more_info":"http://a"}"#, "errno 103"), (#"{"errno":107}"#, nil),
      (#"{"errno":"109"}"#, nil), (#"{"reason":"badjwttoken"}"#, nil),
      (#"{"reason":"errno 109"}"#, "errno 109"), (#"{"reason":"<script>"}"#, nil),
      (#"{"reason":["BadJwtToken"]}"#, nil), (#"["BadJwtToken"]"#, nil), ("BadJwtToken", nil),
      (#"{"reason":"BadJwtToken""#, nil), ("", nil), ("\u{0}", nil),
      (#"{"reason":"BadJwtToken","a":[[[[[[[[1]]]]]]]]}"#, nil),
    ]
    for (body, word) in cases {
      #expect(PushReason(body: Array(body.utf8))?.description == word, "\(body)")
    }
    #expect(PushReason("BadJwtToken") != nil)
    #expect(PushReason("errno 5") == nil)
  }

  @Test("Of a body only its beginning is stored, and of other servers nothing")
  func beginning() {
    let part = [UInt8](repeating: 0x61, count: 3000)
    let answer = Answer(bodyLimit: 8000, headerLimit: 100, keepsBeginning: true)
    #expect(answer.takeBody(part))
    #expect(answer.beginning.count == 3000)
    #expect(answer.takeBody(part))
    #expect(answer.beginning.count == PushReason.prefix)
    #expect(!answer.takeBody(part))
    #expect(answer.beginning.count == PushReason.prefix)
    let other = Answer(bodyLimit: 8000, headerLimit: 100)
    #expect(other.takeBody(part))
    #expect(other.beginning == [])
  }

  @Test("A clock that differs by more than five minutes")
  func clocks() {
    let now = Instant(milliseconds: 784_111_777_000)  // 1994-11-06T08:49:37Z
    let cases: [(String, Duration?)] = [
      ("Sun, 06 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:54:37 GMT", nil),
      ("Sun, 06 Nov 1994 08:54:38 GMT", .seconds(301)),
      ("Sun, 06 Nov 1994 08:44:37 GMT", nil), ("Sun, 06 Nov 1994 08:44:36 GMT", .seconds(-301)),
      ("Sun Nov  6 09:49:37 1994", .seconds(3600)), ("soon", nil), ("", nil), ("3600", nil),
    ]
    for (text, difference) in cases {
      #expect(ClockDifference.parse(text, now: now) == difference, "\(text)")
    }
  }
}
