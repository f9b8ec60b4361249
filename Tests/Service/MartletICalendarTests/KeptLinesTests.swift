import Testing

@testable import MartletICalendar

@Suite("Stored lines of a calendar") struct KeptLinesTests {
  @Test("Lines from another format are validated")
  func lines() {
    #expect(KeptLines.areLines("UID:1\nBEGIN:VALARM\nA:b\nEND:VALARM"))
    // Section 3.1 allows this byte in a content line (NON-US-ASCII), so a JSON text can contain it.
    #expect(KeptLines.areLines("A:b\u{85}c"))
    for wrong in [
      "UID", "UID:1\n\nA:b", "UID:1\r\nA:b", "BEGIN:VALARM", "END:VTODO", "", "A:b\u{B}c",
      "A:b\u{7F}c",
    ] {
      #expect(!KeptLines.areLines(wrong), "\(wrong)")
    }
  }

  @Test("Properties, components and the zones that they use are read back")
  func parts() throws {
    let zone = "BEGIN:VTIMEZONE\nTZID:Own\nEND:VTIMEZONE"
    let alarm = "BEGIN:VALARM\nTRIGGER;TZID=Own:1\nEND:VALARM"
    let kept = KeptLines("\(zone)\nUID:1\n\(alarm)")
    #expect(kept.text == "\(zone)\nUID:1\n\(alarm)")
    #expect(kept.first("UID")?.value == "1" && kept.components.count == 1)
    #expect(kept.namedZones() == [Array("Own".utf8)])
    #expect(kept.zones(namedBy: ["X;TZID=Own:1"]).map(\.name) == ["Own"])
    #expect(kept.zones(namedBy: ["X:1"]).isEmpty)
    #expect(kept.properties.map(\.text) == ["UID:1"])
    #expect(kept.components == [alarm.split(separator: "\n").map(String.init)])
    #expect(kept.zones == [zone.split(separator: "\n").map(String.init)])
  }

  @Test("A blank after a component's name, and an END without BEGIN, are as the reader takes them")
  func blanks() {
    #expect(KeptLines.areLines("BEGIN:VALARM \nA:b\nEND:valarm"))
    var kept = KeptLines("BEGIN:VTIMEZONE \nTZID:X\nEND:VTIMEZONE\nDTSTART;TZID=X:1")
    #expect(kept.components.isEmpty)
    #expect(kept.zones(namedBy: ["DTSTART;TZID=X:1"]).count == 1)
    kept = KeptLines("END:VALARM\nUID:1")
    #expect(kept.first("UID")?.value == "1")
  }
}
