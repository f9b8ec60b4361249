import MartletJSON
import MartletLiveAPI
import TestSupport
import Testing

@testable import MartletRemindersAPI

@Suite("Newline-delimited JSON") struct NDJSONTests {
  private static let lines = [
    #"{"type":"martlet","version":1}"#, #"{"type":"list","id":2,"title":"Home"}"#,
    #"{"type":"tag","title":"car"}"#, #"{"type":"reminder","id":7,"listID":2,"title":"Tyres"}"#,
    #"{"type":"reminder","id":8,"listID":2,"title":"Oil"}"#,
    #"{"type":"end","lists":1,"tags":1,"reminders":2}"#,
  ]

  private func read(_ lines: [String]) throws -> Int {
    let text = lines.map { $0 + "\n" }.joined()
    var memory = MemoryLines(SharedBytes(Array(text.utf8)))
    return try TransferFormat.ndjson.records(&memory, most: 1_000).count
  }

  private func refusal(_ lines: [String]) -> String? {
    do {
      _ = try read(lines)
      return nil
    } catch {
      return (error as? APIProblem).map { "\($0.detail) \($0.errors.map(\.detail))" } ?? "\(error)"
    }
  }

  @Test("A truncated file is refused, wherever it was cut")
  func cut() throws {
    #expect(try read(Self.lines) == 4)
    for count in 1..<Self.lines.count {
      let refusal = refusal(Array(Self.lines.prefix(count)))
      #expect(refusal?.contains("ends early") == true, "\(count) lines: \(refusal ?? "accepted")")
    }
  }

  @Test("The counts reveal lines that are missing in the middle", arguments: 2...4)
  func missing(_ place: Int) {
    var lines = Self.lines
    lines.remove(at: place)
    #expect(refusal(lines)?.contains("The last line counts") == true)
  }

  @Test("The first and the last line are optional, for files written by hand")
  func byHand() throws {
    #expect(try read(Array(Self.lines[1...4])) == 4)
    #expect(refusal([])?.contains("empty") == true)
  }

  @Test(
    "A parent that is not possible is refused with the line of its subtask",
    arguments: [
      ([nil, 9], "Line 4: The reminder 9 in parentID is not in the file."),
      ([2, 1], "Line 4: A reminder cannot be a subtask"),
      ([1], "Line 3: A reminder cannot be a subtask"),
      ([nil, 1, 2, 3, 4, 5], "Line 8: Subtasks have at most five levels"),
      ([-1, nil, 1], "Line 5: "),
    ] as [([Int?], String)])
  func parents(_ parents: [Int?], _ expected: String) throws {
    var lines = [1, 2].map { #"{"type":"list","id":\#($0),"title":"L"}"# }
    for (place, parent) in parents.enumerated() {
      // The one with -1 is in the other list, and has no parent.
      let list = parent == -1 ? 2 : 1
      let above = parent.map { $0 < 0 ? "null" : "\($0)" } ?? "null"
      let members = #""listID":\#(list),"title":"r","parentID":\#(above)"#
      lines.append(#"{"type":"reminder","id":\#(place + 1),\#(members)}"#)
    }
    let service = try RemindersService()
    let client = try service.client()
    let body = lines.joined(separator: "\n")
    let response = try client.request("POST", "/v1/import", body: body)
    #expect(response.status >= 400 && response.status < 500)
    let detail = response.json["detail"] as? String ?? ""
    #expect(detail.hasPrefix(expected), "\(detail)")
    #expect(try client.get("/v1/reminders").items.isEmpty)
  }

  @Test("A time zone that is not known here is kept")
  func zones() throws {
    let zone = "Mars/Olympus_Mons"
    let text = #"""
      {"type":"list","id":2,"title":"L"}
      {"type":"reminder","id":1,"listID":2,"title":"r","timeZone":"\#(zone)"}
      """#
    let service = try RemindersService()
    let client = try service.client()
    #expect(try client.request("POST", "/v1/import", body: text).status == 200)
    for format in ["ndjson", "csv", "ics"] {
      let file = try client.get("/v1/export?format=\(format)").text
      #expect(file.contains(zone))
      let imported = try client.request("POST", "/v1/import?format=\(format)", body: file)
      #expect(imported.status == 200, "\(imported.text)")
    }
    let zones = try client.get("/v1/reminders").items.map { $0["timeZone"] as? String }
    #expect(zones == Array(repeating: zone, count: 8))
    let odd = text.replacing("Mars/", with: "Mars /")
    #expect(try client.request("POST", "/v1/import", body: odd).status == 422)
    let body = #"{"listID":1,"title":"r","timeZone":"\#(zone)"}"#
    #expect(try client.request("POST", "/v1/reminders", body: body).status == 422)
  }

  @Test("What completing did can be undone after an import")
  func undo() throws {
    let service = try RemindersService()
    let client = try service.client()
    let recurrence = #""recurrence":{"rule":"FREQ=DAILY;COUNT=5","basis":"completion"}"#
    for body in [
      #"{"listID":1,"title":"parent","dueDate":"2026-11-20",\#(recurrence)}"#,
      #"{"parentID":1,"title":"done"}"#, #"{"parentID":1,"title":"open"}"#,
    ] { #expect(try client.post("/v1/reminders", body).status == 201) }
    let done = #"{"status":"completed"}"#
    for id in [2, 1] {
      #expect(try client.request("PATCH", "/v1/reminders/\(id)", body: done).status == 200)
    }
    let file = try client.get("/v1/export").text
    let other = try RemindersService()
    let copy = try other.client()
    let imported = try copy.request("POST", "/v1/import", body: file)
    #expect(imported.status == 200, "\(imported.text)")
    var found: [[String]] = []
    for client in [client, copy] {
      let items = try client.get("/v1/reminders?sort=title").items
      let parent = try #require(items.first { $0["title"] as? String == "parent" }?["id"] as? Int)
      #expect(try client.request("POST", "/v1/reminders/\(parent)/reopen").status == 200)
      found.append(
        try client.get("/v1/reminders?sort=title").items.map { item in
          let recurrence = item["recurrence"] as? [String: Any]
          let parts = [item["title"], item["status"], item["dueDate"]].map { $0 as? String ?? "" }
          let series = ["rule", "start"].map { recurrence?[$0] as? String ?? "" }
          return (parts + series).joined(separator: " ")
        })
      let left = try client.get("/v1/completions").items
      #expect(left.map { $0["title"] as? String } == ["done"])
    }
    #expect(found[0] == found[1])
    #expect(found[0].contains("parent incomplete 2026-11-20 FREQ=DAILY;COUNT=5 2026-11-20"))
    #expect(found[0].contains { $0.hasPrefix("done completed") })
  }

  @Test("Lines after the last or before the first one, and other versions, are refused")
  func order() {
    #expect(refusal(Self.lines + [Self.lines[2]]) != nil)
    #expect(refusal([Self.lines[1], Self.lines[0], Self.lines[5]]) != nil)
    #expect(refusal([#"{"type":"martlet","version":2}"#, Self.lines[5]]) != nil)
  }
}
