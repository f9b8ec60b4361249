import Testing

@testable import MartletICalendar

@Suite("Calendars are read line by line") struct CalendarReaderTests {
  /// Each step as a word, with its depth.
  private func steps(_ lines: [String]) throws -> [String] {
    var reader = CalendarReader()
    var words: [String] = []
    func add(_ step: CalendarReader.Step?) {
      guard let step else { return }
      switch step.kind {
      case .begin(let name): words.append("\(step.depth)+\(name)")
      case .end(let name): words.append("\(step.depth)-\(name)")
      case .property: words.append("\(step.depth) \(step.line.name)=\(step.line.value)")
      }
    }
    do {
      for line in lines {
        add(
          try Array(line.utf8).withUnsafeBufferPointer { (bytes) throws(CalendarError) in
            try reader.read(bytes)
          })
      }
      add(try reader.finish())
    } catch {
      throw Fault(text: "\(reader.line): \(error.detail)")
    }
    return words
  }

  private struct Fault: Error, Equatable { let text: String }

  @Test("Components, properties, folded lines, blank lines and a byte order mark are read")
  func reads() throws {
    let words = try steps([
      "\u{FEFF}BEGIN:vcalendar \r", "VERSION:2.0\r", "BEGIN:VTODO", "SUMMARY:a", "  b", "\tc", "",
      "END:VTODO", "END:VCALENDAR",
    ])
    #expect(
      words == [
        "1+VCALENDAR", "1 VERSION=2.0", "2+VTODO", "2 SUMMARY=a bc", "2-VTODO", "1-VCALENDAR",
      ])
  }

  @Test("What is behind a calendar is skipped, and a line of an alarm that cannot be parsed")
  func skips() throws {
    #expect(
      try steps([
        "BEGIN:VCALENDAR", "END:VCALENDAR", "END:VCALENDAR", "-- \u{FFFD} x", "A:b", "",
        "BEGIN:VCALENDAR", "BEGIN:VALARM", "TRIGGER-PT5M", "END:VALARM", "END:VCALENDAR", "x",
      ]) == [
        "1+VCALENDAR", "1-VCALENDAR", "1+VCALENDAR", "2+VALARM",
        "2 X-MARTLET-UNREAD=TRIGGER-PT5M", "2-VALARM", "1-VCALENDAR",
      ])
  }

  @Test(
    "Errors have a line number",
    arguments: [
      ([], "0: The calendar is empty."), (["", ""], "2: The calendar is empty."),
      (["A:b"], "1: A calendar begins with BEGIN:VCALENDAR."),
      (["BEGIN:VTODO", "x"], "1: A calendar begins with BEGIN:VCALENDAR."),
      (
        ["BEGIN:VCALENDAR", "nonsense", "END:VCALENDAR"],
        #"2: Expected NAME:value, got "nonsense"."#
      ),
      (["BEGIN:VCALENDAR", "END:VTODO"], "2: Expected END:VCALENDAR, got END:VTODO."),
      (["BEGIN:VCALENDAR"], "1: The file ends early: VCALENDAR has no END."),
      (
        ["BEGIN:VCALENDAR", "END:VCALENDAR", "x", "BEGIN:VTODO"],
        "4: A calendar begins with BEGIN:VCALENDAR."
      ),
      (
        ["BEGIN:VCALENDAR", "BEGIN:VTODO", "TRIGGER-PT5M"],
        #"3: Expected NAME:value, got "TRIGGER-PT5M"."#
      ),
      (
        ["BEGIN:VCALENDAR"] + [String](repeating: "BEGIN:A", count: 8),
        "9: Components are nested more than 8 levels deep."
      ),
    ])
  func faults(_ lines: [String], _ fault: String) {
    #expect(throws: Fault(text: fault)) { _ = try steps(lines) }
  }

  @Test("The length of a folded line is limited")
  func longest() {
    let piece = " " + String(repeating: "x", count: 1 << 20)
    #expect(throws: Fault(text: "6: The line is longer than 4 MiB.")) {
      _ = try steps(["BEGIN:VCALENDAR", "X:"] + [String](repeating: piece, count: 5))
    }
  }
}
