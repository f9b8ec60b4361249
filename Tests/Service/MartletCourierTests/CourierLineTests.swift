import MartletJSON
import TestSupport
import Testing

@testable import MartletCourier

@Suite struct CourierLineTests {
  private func line(_ bytes: [UInt8]) -> [UInt8] {
    #expect(bytes.last == 0x0a)
    #expect(bytes.filter { $0 == 0x0a }.count == 1)
    return bytes.dropLast()
  }

  @Test("Requests, reports and settings are read as they were written")
  func roundTrips() throws {
    let request = CourierRequest(
      .put, "https://example.com/\u{22}", fields: [.init("A", "1\n2"), .init("b", "")],
      body: Array(0...255), messageID: "msg_1", secrets: [.random(), .random()])
    let read = try #require(CourierLine.order(line(CourierLine.bytes(.send(request), id: 7))))
    #expect(read.id == 7)
    guard case .send(request) = read.1 else { throw TestFailure("\(read.1)") }
    for (user, security) in [("ä\"", MailEnvelope.Security.tls), (nil, .none)] {
      let mail = CourierRequest(
        mail: MailEnvelope(
          from: "a@example.com", to: "b@example.com", user: user, password: user.map { "\($0)\n" },
          security: security), server: "smtps://mail.example.com", text: Array(0...255))
      let read = try #require(CourierLine.order(line(CourierLine.bytes(.send(mail), id: 8))))
      guard case .send(mail) = read.1 else { throw TestFailure("\(read.1)") }
    }

    var settings = CourierSettings(
      rules: OutgoingRules(
        allowed: ["10.0.0.0/8", "::1", "nas"].compactMap { .init($0) }, ownPort: 8080),
      userAgent: "a/1")
    #expect(CourierLine.settings(line(CourierLine.bytes(settings)))?.rules == settings.rules)
    settings.timeout = .milliseconds(250)
    settings.mailTimeout = .milliseconds(750)
    settings.certificates = "/a"
    #expect(CourierLine.settings(line(CourierLine.bytes(settings))) == settings)

    for report: CourierLine.Report in [
      .ready, .unable("no\nway"),
      .result(id: 1, .init(.answered(status: 204), duration: .milliseconds(5))),
      .result(id: 2, .init(.answered(status: 429), retryAfter: .seconds(3))),
      .result(id: 3, .init(.failed(.init(.refused, "no")))),
    ] {
      #expect(CourierLine.report(line(CourierLine.bytes(report))) == report)
    }
  }

  @Test(
    "Nothing invalid from the process is believed",
    arguments: [
      "", "{}", "[]", "null", "x", #"{"id":1}"#, #"{"id":1,"status":204}"#,
      #"{"id":-1,"status":204,"duration":0}"#, #"{"id":1,"status":99,"duration":0}"#,
      #"{"id":1,"status":204,"duration":-5}"#,
      #"{"id":1,"failure":"other","text":"","duration":0}"#,
      #"{"id":1,"status":"204","duration":0}"#, #"{"ready":1}"#, "[[[[[[[[[[]]]]]]]]]]",
    ])
  func invalid(text: String) { #expect(CourierLine.report(Array(text.utf8)) == nil) }

  @Test("Text from the process is short and plain, and waits are bounded")
  func bounded() throws {
    let text = String(repeating: "\u{1b}[31m\u{e4}", count: 200)
    let line = JSONValue.object([
      "id": 1, "failure": "unanswered", "text": .string(text), "duration": 0,
      "retryAfter": 999_999_999_999,
    ])
    guard case .result(1, let result) = CourierLine.report(Array("\(line)".utf8)),
      case .failed(let failure) = result.outcome
    else { return #expect(Bool(false)) }
    #expect(failure.text.utf8.count == 300)
    #expect(failure.text.hasPrefix("?[31m??"))
    #expect(result.retryAfter == .seconds(86_400))
  }

  @Test("An invalid rule makes the settings invalid")
  func invalidRule() {
    let settings = CourierSettings(rules: OutgoingRules(), userAgent: "a")
    let text = String(decoding: CourierLine.bytes(settings), as: UTF8.self)
    let broken = text.replacing(#""allowed":[]"#, with: #""allowed":["10.0.0.1/8"]"#)
    #expect(broken != text)
    #expect(CourierLine.settings(Array(broken.utf8)) == nil)
  }

  @Test("Lines in pieces, and one that is too long")
  func lines() throws {
    var reader = LineReader(limit: 4)
    #expect(try reader.lines(Array("ab".utf8)) == [])
    #expect(try reader.lines(Array("cd\n\nef".utf8)) == [Array("abcd".utf8), []])
    #expect(try reader.lines(Array("gh".utf8)) == [])
    #expect(throws: LineReader.TooLong.self) { try reader.lines(Array("i".utf8)) }
    var other = LineReader(limit: 4)
    #expect(throws: LineReader.TooLong.self) { try other.lines(Array("abcde\n".utf8)) }
  }
}
