import MartletJSON
import TestSupport
import Testing

struct JSONWriterTests {
  private func written(_ body: (ByteBuffer) -> Void) -> String {
    let buffer = ByteBuffer(capacity: 16)
    body(buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  @Test func escapes() {
    #expect(
      written { JSONWriter.string("\"\\/\u{8}\t\n\u{C}\r\u{0}\u{1F}\u{7F}é\u{2028}", into: $0) }
        == #""\"\\/\b\t\n\f\r\u0000\u001f"# + "\u{7F}é\u{2028}\"")
    #expect(written { JSONWriter.string("", into: $0) } == "\"\"")
  }

  /// Every byte at every position around word boundaries, compared with a simple implementation.
  @Test func everyByteAtEveryPlace() {
    func obvious(_ bytes: [UInt8]) -> [UInt8] {
      var output: [UInt8] = [0x22]
      for byte in bytes {
        switch byte {
        case 0x22: output += Array("\\\"".utf8)
        case 0x5C: output += Array("\\\\".utf8)
        case 0x08: output += Array("\\b".utf8)
        case 0x09: output += Array("\\t".utf8)
        case 0x0A: output += Array("\\n".utf8)
        case 0x0C: output += Array("\\f".utf8)
        case 0x0D: output += Array("\\r".utf8)
        case ..<0x10: output += Array("\\u000\(String(byte, radix: 16))".utf8)
        case ..<0x20: output += Array("\\u00\(String(byte, radix: 16))".utf8)
        default: output.append(byte)
        }
      }
      return output + [0x22]
    }
    func check(_ bytes: [UInt8], _ comment: Comment) {
      let buffer = ByteBuffer(capacity: 16)
      buffer.append(UInt8(ascii: ">"))
      bytes.withUnsafeBufferPointer { JSONWriter.string($0, into: buffer) }
      #expect(Array(buffer.bytes.dropFirst()) == obvious(bytes), comment)
    }
    for length in 1...20 {
      for place in 0..<length {
        for byte in UInt8.min ... .max {
          var bytes = [UInt8](repeating: 0x61, count: length)
          bytes[place] = byte
          check(bytes, "byte \(byte) at \(place) of \(length)")
        }
      }
    }
    var random = SeededRandom()
    for _ in 0..<2000 {
      let dense = Bool.random(using: &random)
      let bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
        UInt8.random(in: 0...(dense ? 0x30 : 0xFF), using: &random)
      }
      check(bytes, "seed \(random.seed)")
    }
  }

  @Test func numbers() {
    #expect(written { JSONWriter.integer(.min, into: $0) } == "-9223372036854775808")
    #expect(written { JSONWriter.integer(.max, into: $0) } == "9223372036854775807")
    #expect(written { JSONWriter.integer(0, into: $0) } == "0")
    for (value, text) in [
      (0.1, "0.1"), (1, "1.0"), (-0.0, "-0.0"), (1e300, "1e+300"),
      (.leastNonzeroMagnitude, "5e-324"),
      (.nan, "null"), (.infinity, "null"), (-.infinity, "null"),
    ] as [(Double, String)] {
      #expect(written { JSONWriter.double(value, into: $0) } == text)
    }
  }

  @Test func structure() {
    #expect(
      written {
        JSONWriter.object(into: $0) {
          $0.member("id", 7)
          $0.member("title", "a\"b")
          $0.member("due", nil as String?)
          $0.member("tags", ["x", "y"])
          $0.name(dynamic: "a\nb")
          JSONWriter.array(into: $0.buffer) {
            $0.element(true)
            $0.element { JSONWriter.object(into: $0) { _ in } }
            $0.element(JSONValue.null)
            $0.element(1.5)
          }
        }
      }
        == #"{"id":7,"title":"a\"b","due":null,"tags":["x","y"],"a\nb":[true,{},null,1.5]}"#)
    #expect(written { JSONWriter.array(into: $0) { _ in } } == "[]")
  }

  @Test func errorsPassThrough() {
    struct Failure: Error {}
    let buffer = ByteBuffer()
    #expect(throws: Failure.self) {
      try JSONWriter.object(into: buffer) { writer throws(Failure) in
        try writer.member("a") { _ throws(Failure) in throw Failure() }
      }
    }
  }
}
