import TestSupport
import Testing

@testable import MartletCluster

/// Bytes of the protocol, written down by hand.
@Suite("dqlite's protocol") struct WireTests {
  private func word(_ bytes: UInt8...) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: 8 - bytes.count)
  }

  @Test("Requests") func requests() {
    var request = WireRequest(.add)
    request.number(258)
    request.text("a:1")
    request.text("12345678")
    #expect(
      request.message
        == word(4, 0, 0, 0, 12) + word(2, 1) + word(0x61, 0x3a, 0x31) + [UInt8]("12345678".utf8)
        + word())
    var parameters = WireRequest(.exec)
    parameters.half(1)
    parameters.half(2)
    parameters.parameters([.integer(-1), .text("é"), .blob([1, 2, 3]), .null])
    #expect(
      parameters.message
        == word(7, 0, 0, 0, 5) + [1, 0, 0, 0, 2, 0, 0, 0] + word(4, 1, 3, 4, 5)
        + [UInt8](repeating: 255, count: 8) + word(0xc3, 0xa9) + word(3) + word(1, 2, 3) + word())
  }

  @Test("Rows, with an odd number of columns") func rows() throws {
    let end = [UInt8](repeating: 0xff, count: 8)
    let head = word(3) + word(0x61) + word(0x62) + word(0x63)
    let row = word(0x31, 0x05) + word(7) + word(0x68, 0x69) + word()
    var answer = WireAnswer(head + row + row + end)
    var rows: [[WireValue]] = []
    #expect(try answer.rows(into: &rows) == .noMore)
    #expect(rows == [[.integer(7), .text("hi"), .null], [.integer(7), .text("hi"), .null]])
    var part = WireAnswer(head + row + [UInt8](repeating: 0xee, count: 8))
    #expect(try part.rows(into: &rows) == .more)
    var blob = WireAnswer(word(1) + word(0x61) + word(4) + word(3) + word(9, 8, 7) + end)
    rows = []
    #expect(try blob.rows(into: &rows) == .noMore && rows == [[.blob([9, 8, 7])]])
  }

  @Test("An answer that is cut off or has nonsense is an error") func damaged() {
    let end = [UInt8](repeating: 0xff, count: 8)
    let answer = word(1) + word(0x61) + word(4) + word(3) + word(9, 8, 7) + end
    for count in 0..<answer.count {
      var cut = WireAnswer(Array(answer[..<count]))
      var rows: [[WireValue]] = []
      #expect(throws: ClusterError.self, "\(count)") { try cut.rows(into: &rows) }
    }
    for bytes in [
      word(200), end, word(1) + word(0x61) + word(9) + word(1),
      word(1) + word(0x61) + word(4) + end,
    ] {
      var answer = WireAnswer(bytes)
      var rows: [[WireValue]] = []
      #expect(throws: ClusterError.self) { try answer.rows(into: &rows) }
    }
    var text = WireAnswer([0x61, 0x62])
    #expect(throws: ClusterError.self) { try text.text() }
  }

  @Test(
    "Addresses are numeric IPv4 and a port",
    arguments: ["localhost:1", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:70000", "::1:80", "1.2.3:4"])
  func addresses(_ text: String) {
    #expect(SocketAddress.parse(text) == nil)
    #expect(SocketAddress.parse("10.0.0.1:9501") != nil)
    #expect(throws: ClusterError.self) { try WireConnection(to: text, timeout: .seconds(1)) }
  }
}
