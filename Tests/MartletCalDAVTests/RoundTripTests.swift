import Foundation
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("Random to-dos, through PUT, PATCH, GET and PUT by another client") struct RoundTripTests {
  /// The lines of a random to-do: ones that the service reads, and ones that it only keeps.
  private struct RandomTodo {
    var known: [String] = []
    var kept: [String] = []
    var components: [[String]] = []
    var zone: [String] = []

    init(_ random: inout SeededRandom) {
      func one(_ texts: [String]) -> String {
        texts[Int.random(in: 0..<texts.count, using: &random)]
      }
      func maybe() -> Bool { Bool.random(using: &random) }
      let name = "Zone \(Int.random(in: 0..<5, using: &random))"
      if maybe() {
        zone = MappingTests.windowsZone.map {
          $0 == "TZID:W. Europe Standard Time" ? "TZID:\(name)" : $0
        }
      }
      let zoned = zone.isEmpty ? "Europe/Vienna" : name
      known = [
        one(["SUMMARY:a", "SUMMARY;LANGUAGE=en:b\\, c", "SUMMARY;X-P=\"a:b\":ä\\n"]),
        one([
          "DUE:20261125T090000Z", "DUE:20261125T090000", "DUE;VALUE=DATE:20261125",
          "DUE;TZID=\(zoned):20261125T090000",
        ]),
      ]
      if maybe() { known.append(one(["PRIORITY:1", "PRIORITY:4", "PRIORITY:5", "PRIORITY:0"])) }
      if maybe() { known.append(one(["CATEGORIES:b,a", "CATEGORIES:1,2,3,4,5,6,7"])) }
      if maybe() { known.append(one(["STATUS:IN-PROCESS", "STATUS:NEEDS-ACTION"])) }
      if maybe() { known.append("RRULE:" + one(["FREQ=DAILY", "FREQ=WEEKLY;BYDAY=WE;COUNT=5"])) }
      for number in 0..<Int.random(in: 0..<6, using: &random) {
        kept.append(
          one([
            "X-UNKNOWN-\(number):v", "X-A;X-B=\"c;d:e\";X-C=f:\(number)", "GEO:48.2;16.3",
            "URL:https://example.org/\(number)", "ATTACH;FMTTYPE=text/plain:a\(number)",
            "X-LONG:" + String(repeating: "ä\(number)", count: 60), "CLASS:PRIVATE",
            "X-T;TZID=\(zoned):20261125T\(100_000 + number)",
          ]))
      }
      for number in 0..<Int.random(in: 0..<3, using: &random) {
        components.append(
          ["BEGIN:VALARM"]
            + [
              [
                "ACTION:DISPLAY", "TRIGGER:-PT\(number + 1)M", "X-KEPT:\(number)", "UID:\(number)",
              ],
              ["ACTION:EMAIL", "TRIGGER:-PT1H", "SUMMARY:\(number)"],
              [
                "ACTION:AUDIO", "TRIGGER;RELATED=END:PT0S", "ATTACH:x",
                "ACKNOWLEDGED:20261119T100000Z",
              ],
            ][Int.random(in: 0..<3, using: &random)] + ["END:VALARM"])
      }
    }

    func text(_ uid: String) -> String {
      let lines =
        ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN"] + zone
        + ["BEGIN:VTODO", "UID:\(uid)"] + known + kept + components.joined()
        + ["END:VTODO", "END:VCALENDAR", ""]
      return lines.joined(separator: "\r\n")
    }
  }

  @Test("What is not understood is still there", .timeLimit(.minutes(5)))
  func kept() throws {
    let service = try CalDAVService()
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededRandom(seed: seed)
    for number in 0..<150 {
      let comment = Comment("seed \(seed), to-do \(number)")
      let todo = RandomTodo(&random)
      let path = "/dav/lists/1/\(number).ics"
      let text = todo.text("u\(number)")
      let put = try service.put(path, text)
      #expect(put.status == 201 && put["ETag"] != nil, comment)
      #expect(try service.text(path) == text, comment)
      let id = number + 1
      let before = try service.json("/v1/reminders/\(id)")
      try service.patch("/v1/reminders/\(id)", #"{"isFlagged":true}"#)
      let changed = try service.text(path)
      let unfolded = changed.replacingOccurrences(of: "\r\n ", with: "")
      for line in todo.known + todo.kept where !line.hasPrefix("STATUS:NEEDS") {
        #expect(unfolded.contains("\r\n\(line)\r\n"), "\(comment): \(line) in \(unfolded)")
      }
      for component in todo.components {
        #expect(
          unfolded.contains(component.joined(separator: "\r\n")),
          "\(comment): \(component) in \(unfolded)")
      }
      if !todo.zone.isEmpty, unfolded.contains("TZID=Zone") {
        #expect(unfolded.contains(todo.zone.joined(separator: "\r\n")), comment)
      }
      // Another client writes it back as it has read it.
      #expect(try service.put(path, changed).status == 204, comment)
      var after = try service.json("/v1/reminders/\(id)")
      (after["updatedAt"], after["isFlagged"]) = (before["updatedAt"], before["isFlagged"])
      #expect(
        try CalDAVService.sorted(before) == CalDAVService.sorted(after),
        "\(comment): \(before) \(after)")
    }
  }
}
