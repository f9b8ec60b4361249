import Foundation
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("Random to-dos, through PUT, PATCH, GET and PUT by another client") struct RoundTripTests {
  /// The lines of a random to-do: ones that the service reads, and ones that it only keeps.
  private struct RandomTodo {
    /// Those of each property that a PATCH can change, by the member of JSON.
    var known: [(member: String, lines: [String])] = []
    var kept: [String] = []
    /// The components, and whether each is an alarm of the reminder.
    var components: [(lines: [String], isAlarm: Bool)] = []
    var zone: [String] = []

    init(_ random: inout SeededRandom) {
      func one<T>(_ texts: [T]) -> T { texts[Int.random(in: 0..<texts.count, using: &random)] }
      func maybe() -> Bool { Bool.random(using: &random) }
      let name = "Zone \(Int.random(in: 0..<5, using: &random))"
      if maybe() {
        zone = MappingTests.windowsZone.map {
          $0 == "TZID:W. Europe Standard Time" ? "TZID:\(name)" : $0
        }
      }
      let zoned = zone.isEmpty ? one(["Europe/Vienna", "America/New_York"]) : name
      known = [
        (
          "title",
          [
            one([
              "SUMMARY:a", "SUMMARY;LANGUAGE=en:b\\, c", "SUMMARY;X-P=\"a:b\":ä\\n",
              "SUMMARY:" + String(repeating: "lång ", count: 250),
            ])
          ]
        ),
        (
          "dueDate",
          one([
            ["DUE:20261125T090000Z"], ["DUE:20261125T090000"], ["DUE;VALUE=DATE:20261125"],
            ["DUE;TZID=\(zoned):20261125T090000"],
            ["DTSTART;TZID=\(zoned):20261125T080000", "DURATION:PT1H"],
            ["DTSTART;VALUE=DATE:20261120", "DUE;VALUE=DATE:20261125"],
            ["DUE;VALUE=DATE:20261125", "RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=5"],
            ["DUE:20261125T090000Z", "RRULE:FREQ=DAILY", "EXDATE:20261126T090000Z"],
            ["DUE:20261125T090000Z", "RRULE:FREQ=HOURLY", "RDATE:20261201T090000Z"],
          ])
        ),
      ]
      if maybe() {
        known.append(("notes", [one(["DESCRIPTION:n\\nm", "DESCRIPTION;ALTREP=\"cid:x\":n"])]))
      }
      if maybe() {
        known.append(
          ("priority", [one(["PRIORITY:1", "PRIORITY:4", "PRIORITY:5", "PRIORITY:0"])]))
      }
      if maybe() {
        known.append(("tags", [one(["CATEGORIES:b,a", "CATEGORIES:1,2,3,4,5,6,7"])]))
      }
      if maybe() {
        known.append(
          ("status", one([["STATUS:IN-PROCESS", "PERCENT-COMPLETE:30"], ["STATUS:NEEDS-ACTION"]])))
      }
      for number in 0..<Int.random(in: 0..<6, using: &random) {
        kept.append(
          one([
            "X-UNKNOWN-\(number):v", "X-A;X-B=\"c;d:e\";X-C=f:\(number)", "GEO:48.2;16.3",
            "URL:https://example.org/\(number)", "ATTACH;FMTTYPE=text/plain:a\(number)",
            "X-LONG:" + String(repeating: "ä\(number)", count: 60), "CLASS:PRIVATE",
            "X-T;TZID=\(zoned):20261125T\(100_000 + number)",
            "RELATED-TO;RELTYPE=SIBLING:s\(number)", "X-EMPTY:", "COMMENT:\\;\\,\\\\\\n",
            "X-APPLE-SORT-ORDER:\(number)", "ORGANIZER;CN=\"a, b\":mailto:a@example.org",
          ]))
      }
      for number in 0..<Int.random(in: 0..<4, using: &random) {
        let (lines, isAlarm) = one([
          (
            ["ACTION:DISPLAY", "TRIGGER;RELATED=END:-PT\(number + 1)M", "X-KEPT:\(number)"],
            true
          ),
          (["UID:\(number)", "ACTION:EMAIL", "TRIGGER:-PT1H", "SUMMARY:\(number)"], false),
          (
            [
              "ACTION:AUDIO", "TRIGGER;VALUE=DATE-TIME:2026112\(number)T000000Z", "ATTACH:x",
              "ACKNOWLEDGED:20261119T100000Z",
            ], true
          ),
          (["X-APPLE-PROXIMITY:ARRIVE", "ACTION:DISPLAY", "TRIGGER:PT0S"], false),
        ])
        components.append((["BEGIN:VALARM"] + lines + ["END:VALARM"], isAlarm))
      }
      if maybe() { components.append((["BEGIN:X-PART", "X-Q:1", "END:X-PART"], false)) }
    }

    func text(_ uid: String) -> String {
      let lines =
        ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN"] + zone
        + ["BEGIN:VTODO", "UID;X-U=1:\(uid)"] + known.flatMap(\.lines) + kept
        + components.flatMap(\.lines) + ["END:VTODO", "END:VCALENDAR", ""]
      return lines.joined(separator: "\r\n")
    }

    /// What must be there after a change of some members from elsewhere. An alarm that is counted
    /// from a date goes with it, and one of a fixed time moves on with its occurrence.
    func left(after changed: Set<String>) -> [String] {
      let alarms = components.filter { component in
        let isMoved =
          changed.contains("occurrence")
          && component.lines.contains { $0.hasPrefix("TRIGGER;VALUE=DATE-TIME") }
        return !component.isAlarm || !changed.contains("alarms") && !isMoved
      }
      return known.filter { !changed.contains($0.member) }.flatMap(\.lines)
        .filter { !$0.hasPrefix("STATUS:NEEDS") } + kept
        + alarms.map { $0.lines.joined(separator: "\r\n") }
    }
  }

  /// Changes from elsewhere, by the members of the to-do that they replace.
  private static let changes: [(members: Set<String>, body: String)] = [
    ([], #"{"isFlagged":true}"#), (["title"], #"{"title":"Other"}"#),
    (["notes"], #"{"notes":"other"}"#), (["priority"], #"{"priority":"low"}"#),
    (["tags"], #"{"tags":["other"]}"#), (["status"], #"{"status":"completed"}"#),
    (["alarms"], #"{"alarms":[{"at":"2027-01-01T00:00:00Z"}]}"#),
    (
      ["dueDate", "title"],
      #"{"dueDate":"2027-02-03","startDate":null,"timeZone":null,"recurrence":null,"title":"x"}"#
    ),
  ]

  private static func unfolded(_ text: String) -> String {
    text.replacingOccurrences(of: "\r\n ", with: "")
  }

  @Test("What is not understood is still there", .timeLimit(.minutes(10)))
  func kept() throws {
    let service = try CalDAVService()
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededRandom(seed: seed)
    for number in 0..<Effort.rounds(60) {
      let comment = Comment("seed \(seed), to-do \(number)")
      let todo = RandomTodo(&random)
      let path = "/dav/lists/1/\(number).ics"
      let text = todo.text("u\(number)")
      let put = try service.put(path, text)
      #expect(put.status == 201 && put["ETag"] != nil, comment)
      #expect(try service.text(path) == text, comment)
      let id = number + 1
      let change = Self.changes[Int.random(in: 0..<Self.changes.count, using: &random)]
      // A completed occurrence has other dates.
      let recurs = text.contains("RRULE:FREQ=WEEKLY") || text.contains("RRULE:FREQ=DAILY")
      let moves = recurs && change.members.contains("status")
      let answer = try service.patch("/v1/reminders/\(id)", change.body)
      if answer.problem == "rule-not-read", change.members.contains("status"), !recurs {
        // Its next occurrence is not known, so only the program that wrote the rule completes it.
        #expect(text.contains("\r\nRRULE") && answer.status == 409, comment)
        #expect(try service.text(path) == text, comment)
        continue
      }
      #expect(answer.status == 200, "\(comment): \(answer.text)")
      let changed = try service.text(path)
      let shown = Self.unfolded(changed)
      let members = moves ? change.members.union(["dueDate", "occurrence"]) : change.members
      for line in todo.left(after: members) {
        #expect(shown.contains("\r\n\(line)\r\n"), "\(comment): \(line) in \(shown)")
      }
      #expect(shown.contains("\r\nUID;X-U=1:u\(number)\r\n"), comment)
      if !todo.zone.isEmpty, shown.contains("TZID=Zone") {
        #expect(shown.contains(todo.zone.joined(separator: "\r\n")), comment)
      }
      try check(todo, path, id, changed, members, comment, service)
    }
  }

  /// Another client writes back what it has read: once as it is, and once with a change of its own,
  /// in other folds and line ends.
  private func check(
    _ todo: RandomTodo, _ path: String, _ id: Int, _ text: String, _ changed: Set<String>,
    _ comment: Comment, _ service: CalDAVService
  ) throws {
    let before = try service.json("/v1/reminders/\(id)")
    #expect(try service.put(path, text).status == 204, comment)
    var after = try service.json("/v1/reminders/\(id)")
    after["updatedAt"] = before["updatedAt"]
    #expect(
      try CalDAVService.sorted(before) == CalDAVService.sorted(after),
      "\(comment): \(before) \(after)")
    #expect(try service.text(path) == text, comment)
    let other = Self.unfolded(text).replacingOccurrences(
      of: "END:VTODO", with: "X-OTHER-CLIENT:1\r\nEND:VTODO"
    ).replacingOccurrences(of: "\r\n", with: "\n")
    // It comes after the components, where a line belongs to the to-do as well.
    #expect(try service.put(path, other).status == 204, comment)
    #expect(try service.text(path) == other, comment)
    try service.patch("/v1/reminders/\(id)", #"{"isFlagged":false}"#)
    try service.patch("/v1/reminders/\(id)", #"{"isFlagged":true}"#)
    let last = Self.unfolded(try service.text(path))
    #expect(last.contains("\r\nX-OTHER-CLIENT:1\r\n"), comment)
    for line in todo.left(after: changed) {
      #expect(last.contains("\r\n\(line)\r\n"), "\(comment): \(line) in \(last)")
    }
    // What one text says twice, the next one does not say three times.
    for line in todo.kept {
      #expect(
        last.components(separatedBy: "\r\n\(line)").count
          == todo.text("").components(separatedBy: "\r\n\(line)").count,
        "\(comment): \(line) in \(last)")
    }
  }
}
