import MartletJSON
import TestSupport
import Testing

@testable import MartletICalendar

@Suite("Lines of a calendar") struct ContentLineTests {
  @Test("A line has a name, parameters and a value")
  func parts() throws {
    let line = try ContentLine(#"due;Value=DATE;x-a="a:b;c",d:20270131:x"#)
    #expect(line.name == "DUE" && line.value == "20270131:x")
    #expect(line.parameters.map(\.name) == ["VALUE", "X-A"])
    #expect(line.parameter("X-A") == "a:b;c,d" && line.parameter("Y") == nil)
    let spaced = try ContentLine("DUE ; TZID = Europe/Berlin ;X=\" a \" ; y= b c\t: 20270131")
    #expect(spaced.name == "DUE" && spaced.value == " 20270131")
    #expect(spaced.parameters.map(\.value) == ["Europe/Berlin", " a ", "b c"])
    for wrong in ["", "A", ":b", "A b:c", "A;b c:d", "A;:b", "A;B:c", "A;B=\"c:d", "Ä:b"] {
      #expect(throws: CalendarError.self) { _ = try ContentLine(wrong) }
    }
  }

  private func random(_ random: inout SeededRandom, _ count: Int) -> String {
    let pieces = [
      "a", ",", ";", "\\", "n", "\n", "é", "漢", "👩‍👧", "\u{301}", " ", ":", "\"", "x",
    ]
    return (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
  }

  @Test("An escaped text reads back unchanged", arguments: 0..<20)
  func escaping(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<100 {
      let texts = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        self.random(&random, Int.random(in: 0..<20, using: &random))
      }
      let value = texts.map(ContentLine.escaped).joined(separator: ",")
      #expect(ContentLine.texts(value) == texts)
      #expect(ContentLine.text(ContentLine.escaped(texts[0])) == texts[0])
    }
  }

  @Test(
    "A folded line reads back unchanged, and no piece is longer than 75 bytes",
    arguments: 0..<20)
  func folding(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<50 {
      let text = ContentLine.escaped(self.random(&random, Int.random(in: 0..<200, using: &random)))
      let buffer = ByteBuffer(capacity: 256)
      let lines = ["BEGIN:VCALENDAR", "X:\(text)", "END:VCALENDAR"]
      for line in lines { ContentLine.write(line, into: buffer) }
      var read: [String] = []
      var reader = CalendarReader()
      for piece in Array(buffer.bytes).split(separator: 0x0A) {
        #expect(piece.count <= 76, "with its CR")
        #expect(String(validating: piece, as: UTF8.self) != nil, "characters stay whole")
        let step = try piece.withUnsafeBufferPointer { bytes throws(CalendarError) in
          try reader.read(bytes)
        }
        if let step { read.append(step.line.text) }
      }
      if let step = try reader.finish() { read.append(step.line.text) }
      #expect(read == lines)
    }
  }
}
