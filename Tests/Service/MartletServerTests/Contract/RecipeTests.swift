import Foundation
import TestSupport
import Testing

/// Checks the results of recipes in CONTRIBUTING.md. A test fails if a step was omitted.
@Suite("The recipes for a filter and a field") struct RecipeTests {
  private let document: ContractDocument

  init() throws { document = try ContractDocument() }

  // MARK: A filter

  @Test(
    "A route accepts exactly the parameters in openapi.yaml",
    arguments: [
      "/v1/lists", "/v1/reminders", "/v1/lists/{id}/reminders", "/v1/tags", "/v1/search",
      "/v1/stats", "/v1/export", "/v1/lists/{id}", "/v1/reminders/{id}", "/v1/tags/{tag}",
      "/v1/alarms", "/v1/channels", "/v1/channels/{id}", "/v1/deliveries", "/v1/deliveries/{id}",
      "/v1/smart-lists", "/v1/smart-lists/{id}", "/v1/smart-lists/{id}/reminders", "/v1/keys",
    ])
  func parameters(_ path: String) throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    let target = path.replacingOccurrences(of: "{id}", with: "1")
      .replacingOccurrences(of: "{tag}", with: "car")
    let refused = try client.get(target + "?misspelt=1" + (path == "/v1/search" ? "&q=a" : ""))
    let errors = try #require(refused.json["errors"] as? [[String: Any]])
    let detail = try #require(
      errors.first { $0["parameter"] as? String == "misspelt" }?["detail"] as? String)
    let known =
      detail.components(separatedBy: "accepts: ").last?.components(separatedBy: ", ") ?? []
    #expect(Set(known) == Set(document.parameters(of: path).keys), "\(path)")
  }

  /// Parameters of a list of reminders that are not filters.
  private static let noFilters: Set<String> = [
    "limit", "cursor", "total", "deltas", "access", "lastEventID",
  ]

  /// Creates three reminders that match the values of all filters.
  private func fill(_ client: RawClient) throws {
    for number in 1...3 {
      _ = try client.post(
        "/v1/reminders",
        """
        {"listID":1,"title":"sample \(number)","isFlagged":true,"priority":"high",
        "dueDate":"2001-01-0\(number)","tags":["sample"]}
        """)
    }
  }

  @Test("Each filter can be kept in a smart list")
  func smartLists() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    try fill(client)
    _ = try client.post("/v1/reminders", #"{"listID":1,"title":"other","parentID":1}"#)
    var filters = document.parameters(of: "/v1/reminders")
    for name in Self.noFilters.union(["sort"]) { filters[name] = nil }
    for schema in ["SmartFilter", "SmartFilterPatch"] {
      #expect(Set(document.members(of: schema).keys) == Set(filters.keys), "\(schema)")
    }
    for (name, schema) in filters {
      let value = try #require(Self.value(of: name, schema))
      let isText = Int(value) == nil && Bool(value) == nil
      let made = try client.post(
        "/v1/smart-lists",
        #"{"title":"s","filter":{"\#(name)":\#(isText ? "\"\(value)\"" : value)}}"#)
      let id = try #require(made.id, "\(name): \(made.text)")
      #expect(
        try client.get("/v1/smart-lists/\(id)/reminders").text
          == client.get("/v1/reminders?\(name)=\(value)").text, "\(name)")
    }
  }

  @Test("A cursor is bound to the value of every filter")
  func cursors() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    try fill(client)
    var filters = document.parameters(of: "/v1/reminders")
    for name in Self.noFilters { filters[name] = nil }
    // Each filter has a value that matches all three reminders, so that there is a second page.
    for (name, schema) in filters {
      let value = try #require(Self.value(of: name, schema), "no value is known for \(name)")
      let page = try client.get("/v1/reminders?limit=1&\(name)=\(value)")
      #expect(page.status == 200, "\(name): \(page.text)")
      guard let cursor = page.json["nextCursor"] as? String else {
        Issue.record("\(name)=\(value) has no second page")
        continue
      }
      let goesOn = try client.get("/v1/reminders?limit=1&\(name)=\(value)&cursor=\(cursor)")
      #expect(goesOn.status == 200, "\(name)")
      let other = try client.get("/v1/reminders?limit=1&cursor=\(cursor)")
      #expect(other.status == 400 && other.problem == "invalid-cursor", "\(name) is not part of it")
    }
  }

  /// A value of a filter that matches the three reminders.
  private static func value(of name: String, _ schema: [String: Any]) -> String? {
    switch name {
    case "listID": "1"
    case "status": "incomplete"
    case "completed": "false"
    case "flagged": "true"
    case "priority": "high"
    case "tag": "sample"
    case "due": "overdue"
    case "dueWithin": "P1D"
    case "recurring": "false"
    case "parentID": "none"
    case "available": "true"
    case "dueBefore": "2020-01-01"
    case "dueAfter": "2000-01-01"
    case "q": "sample"
    case "sort": "title"
    case "timeZone": "Europe/Vienna"
    default: nil
    }
  }

  // MARK: A field

  /// Values that differ from the defaults of a new reminder.
  private static let samples: [String: any Sendable] = [
    "listID": 2, "title": "a title", "notes": "some notes", "dueDate": "2026-12-01",
    "priority": "medium", "isFlagged": true, "status": "completed", "tags": ["errand"],
    "startDate": "2026-11-30", "timeZone": "Europe/Vienna",
    "alarms": [
      [
        "offset": "-PT10M", "from": "start", "at": NSNull(),
        "repeat": ["every": "PT5M", "times": 3] as [String: any Sendable],
      ] as [String: any Sendable]
    ],
    // Its only occurrence, so that a completed one stays.
    "recurrence": [
      "rule": "FREQ=DAILY;COUNT=1", "basis": "each", "start": "2026-12-01",
      "excluded": ["2026-12-24"],
    ] as [String: any Sendable],
  ]

  @Test("Every field can be set, changed, found, followed, restored and exported")
  func fields() throws {
    let fields = document.members(of: "NewReminder").keys
    // `SubtaskRoutesTests` has the parents, and `ChangesRouteTests` the rules of UIDs.
    #expect(
      Set(fields) == Set(Self.samples.keys).union(["uid", "parentID"]),
      "add a sample for each field")
    let shown = Set(document.members(of: "Reminder").keys)
    #expect(Set(document.members(of: "SearchResult").keys) == shown.union(["highlights"]))
    #expect(Set(document.members(of: "ReminderPatch").keys) == shown)
    #expect(shown.isSuperset(of: fields))
    #expect(Set(document.members(of: "NewReminderInList").keys) == Set(fields))

    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    #expect(try client.post("/v1/lists", #"{"title":"Second"}"#).status == 201)
    let created = try client.post("/v1/reminders", Self.text(Self.samples as [String: Any])).json
    expect(created, "created")
    #expect(try client.post("/v1/reminders", #"{"listID":1,"title":"plain"}"#).status == 201)
    // A recurrence needs the due date before it, and an alarm the date that it is counted from.
    let names = Self.samples.keys.filter { $0 != "alarms" }.sorted() + ["alarms"]
    for name in names {
      let before = try Self.calendar(client)
      let token = try client.get("/v1/changes").json["next"] as? String ?? ""
      let body = Self.text([name: Self.samples[name] ?? NSNull()])
      #expect(try client.request("PATCH", "/v1/reminders/2", body: body).status == 200, "\(name)")
      // The feed has it, and calendar programs get another text than the one that they have sent.
      let changes = try client.get("/v1/changes?since=\(token)").json["items"] as? [[String: Any]]
      let item = changes?.compactMap { $0["item"] as? [String: Any] }.first {
        $0["listID"] != nil
      }
      #expect(item?["id"] as? Int == 2, "\(name)")
      if name != "alarms" {
        let value = Self.text([name: item?[name] ?? NSNull()])
        #expect(value == body, "followed: \(name)")
      }
      if name != "listID" { #expect(try Self.calendar(client) != before, "\(name)") }
    }
    expect(try client.get("/v1/reminders/2").json, "changed one by one")
    #expect(try client.request("DELETE", "/v1/reminders/2").status == 204)
    let entries = try client.get("/v1/trash").json["items"] as? [[String: Any]]
    let entry = try #require(entries?.first?["id"] as? Int)
    #expect(try client.post("/v1/trash/\(entry)/restore", "").status == 201)
    expect(try client.get("/v1/reminders/2").json, "restored")
    let found = try client.get("/v1/search?q=title").json["items"] as? [[String: Any]]
    #expect(found?.count == 2)
    for each in found ?? [] { expect(each, "found") }

    let export = try client.get("/v1/export").text
    let copy = try MartletProcess()
    let other = try RawClient(port: copy.port)
    #expect(try other.post("/v1/import", export).status == 200)
    let all = try other.get("/v1/reminders").json["items"] as? [[String: Any]]
    #expect(all?.count == 2)
    let lists = try other.get("/v1/lists").json["items"] as? [[String: Any]]
    let second = lists?.first { $0["title"] as? String == "Second" }?["id"] as? Int
    for each in all ?? [] { expect(each, "imported", list: second) }
  }

  /// The text of the reminder as a calendar program reads it. It is sent back as it is, so that the
  /// server keeps it until a field changes that it shows.
  private static func calendar(_ client: RawClient) throws -> String {
    let list = try client.get("/v1/reminders/2").json["listID"] as? Int ?? 0
    let path = "/dav/lists/\(list)/m-2.ics"
    let text = try client.get(path).text
    let kept = text.replacing("END:VTODO", with: "X-KEPT:1\r\nEND:VTODO")
    let put = try client.request("PUT", path, [("Content-Type", "text/calendar")], body: kept)
    try #require(put.status == 204, "\(put.text)")
    return try client.get(path).text
  }

  private func expect(_ reminder: [String: Any], _ what: String, list: Int? = 2) {
    for (name, value) in Self.samples {
      let expected = name == "listID" ? list.map { $0 as Any } ?? "" : value
      var found = reminder[name] ?? NSNull()
      // Each reminder has alarms of its own.
      if name == "alarms", let alarms = found as? [[String: Any]] {
        let theirs: Set = ["id", "snoozedUntil", "acknowledgedAt"]
        found = alarms.map { $0.filter { !theirs.contains($0.key) } }
      }
      #expect(Self.text(["": found]) == Self.text(["": expected]), "\(what): \(name)")
    }
  }

  private static func text(_ object: [String: Any]) -> String {
    let data = try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}
