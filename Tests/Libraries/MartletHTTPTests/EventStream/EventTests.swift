import TestSupport
import Testing

@testable import MartletHTTP

@Suite("Event frames (WHATWG HTML 9.2.6) (item 70, item 71)")
struct EventTests {
  private func payload(_ frame: EventFrame) -> String {
    String(decoding: frame.bytes.bytes[frame.payload], as: UTF8.self)
  }

  private func chunk(_ frame: EventFrame) -> String {
    String(decoding: frame.bytes.bytes[frame.framed], as: UTF8.self)
  }

  @Test("A frame has the event's fields, and a data line for each line")
  func lines() {
    #expect(
      payload(Event.frame(id: "\"7\"", event: "result", data: "a\nb\r\nc\rd", retry: .seconds(2)))
        == "retry: 2000\nid: \"7\"\nevent: result\ndata: a\ndata: b\ndata: c\ndata: d\n\n")
    #expect(payload(Event.frame(data: "")) == "data: \n\n")
    #expect(payload(Event.frame(data: "\n")) == "data: \ndata: \n\n")
    #expect(payload(Event.frame(data: "\r\r\n")) == "data: \ndata: \ndata: \n\n")
    #expect(payload(Event.frame(data: " a")) == "data:  a\n\n")
    #expect(payload(Event.retry(.milliseconds(5))) == "retry: 5\n\n")
    #expect(payload(Event.retry(.microseconds(1_999))) == "retry: 1\n\n", "no fractions")
    #expect(payload(Event.retry(.seconds(-1))) == "retry: 0\n\n")
    #expect(payload(Event.retry(.seconds(Int64.max))) == "retry: \(Int.max)\n\n")
    #expect(payload(Event.comment("hi")) == ": hi\n\n")
  }

  @Test("id and event cannot contain a line end or NUL")
  func injection() {
    #expect(
      payload(Event.frame(id: "a\n\rb\0", event: "x\r\ndata: y", data: "z"))
        == "id: ab\nevent: xdata: y\ndata: z\n\n")
  }

  @Test("The chunk size is the size of the payload", arguments: [0, 1, 9, 10, 250, 4090, 70_000])
  func chunks(_ size: Int) {
    let frame = Event.frame(data: String(repeating: "é", count: size))
    let text = payload(frame)
    #expect(
      chunk(frame) == String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n")
  }

  @Test("An empty frame is not a chunk, which would end the stream")
  func empty() {
    #expect(EventFrame { _ in }.framed.isEmpty)
  }

  @Test("A client reads what was sent, with line ends converted to LF (item 79)")
  func roundTrip() {
    var random = SeededRandom(seed: 9)
    let alphabet = ["\r", "\n", "\r\n", " ", ":", "x", "data", "é", "\u{2028}", "👩‍🚀", "\0"]
    for _ in 0..<500 {
      let parts = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
        alphabet.randomElement(using: &random)!
      }
      let data = parts.joined()
      var received: [String] = []
      for line in payload(Event.frame(data: data)).utf8.split(
        separator: 10, omittingEmptySubsequences: false)
      {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
        #expect(String(line[..<colon]) == "data")
        received.append(String(Substring(line[colon...].dropFirst(2))))
      }
      // Scalars, because CR LF is one character.
      let expected = String(
        String.UnicodeScalarView(data.replacingLineEnds().unicodeScalars))
      #expect(received.joined(separator: "\n") == expected)
    }
  }
}

extension String {
  fileprivate func replacingLineEnds() -> String {
    var result = ""
    var previous: Unicode.Scalar?
    for scalar in unicodeScalars {
      if scalar == "\r" {
        result.unicodeScalars.append("\n")
      } else if scalar != "\n" || previous != "\r" {
        result.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    return result
  }
}
