import Foundation
import MartletReminders
import TestSupport
import Testing

/// What a text means is tested with the cases of MartletQuickAdd.
@Suite("Quick add over HTTP") struct QuickAddRouteTests {
  private let service: RemindersService
  private let client: RawClient

  init() throws {
    service = try RemindersService()
    client = try service.client()
    #expect(try client.post("/v1/lists", #"{"title":"Home"}"#).id == 2)
  }

  private func add(_ body: String, preview: Bool = false) throws -> RawResponse {
    try client.post("/v1/quick-add\(preview ? "?preview=true" : "")", body)
  }

  private static let text = """
    {"text":"Call mum tomorrow 9am every week #home @phone !high remind 10 minutes before * // hello",
    "timeZone":"Europe/Vienna"}
    """

  @Test("A day has the zone of its text too, in which its alarms ring")
  func zoneOfDay() throws {
    let answer = try add(
      #"{"text":"Bins tomorrow remind at 9am","timeZone":"America/New_York"}"#)
    let reminder = try #require(answer.json["reminder"] as? [String: Any])
    #expect(reminder["dueDate"] as? String == "2026-11-21")
    #expect(reminder["timeZone"] as? String == "America/New_York")
    let alarm = try #require(client.get("/v1/alarms?state=armed").items.first)
    #expect(alarm["fireAt"] as? String == "2026-11-21T14:00:00.000Z")
    // Without a day there is nothing that a zone says.
    let other = try add(#"{"text":"Bread","timeZone":"America/New_York"}"#)
    #expect((other.json["reminder"] as? [String: Any])?["timeZone"] is NSNull)
  }

  @Test("A text becomes a reminder, with the places of its phrases")
  func create() throws {
    let answer = try add(Self.text)
    #expect(answer.status == 201 && answer["Location"] == "/v1/reminders/1", "\(answer.text)")
    #expect(answer["ETag"] == nil)
    let reminder = try #require(answer.json["reminder"] as? NSDictionary)
    #expect(try client.get("/v1/reminders/1").json as NSDictionary == reminder)
    #expect(reminder["title"] as? String == "Call mum" && reminder["listID"] as? Int == 2)
    #expect(reminder["dueDate"] as? String == "2026-11-21T08:00:00.000Z")
    #expect(reminder["timeZone"] as? String == "Europe/Vienna")
    #expect(
      (reminder["recurrence"] as? [String: Any])?["rule"] as? String == "FREQ=WEEKLY;BYDAY=SA")
    #expect(reminder["tags"] as? [String] == ["phone"] && reminder["priority"] as? String == "high")
    #expect(reminder["isFlagged"] as? Bool == true && reminder["notes"] as? String == "hello")
    let alarms = reminder["alarms"] as? [[String: Any]]
    #expect(alarms?.map { $0["offset"] as? String } == ["-PT10M"])
    let spans = try #require(answer.json["spans"] as? [[String: Any]])
    #expect(
      spans.map { $0["kind"] as? String } == [
        "due", "recurrence", "list", "tag", "priority", "alarm", "flag", "notes",
      ])
    #expect(spans[0]["start"] as? Int == 9 && spans[0]["text"] as? String == "tomorrow 9am")
  }

  @Test("A preview writes nothing, and its reminder can be posted")
  func preview() throws {
    let preview = try add(Self.text, preview: true)
    #expect(preview.status == 200 && preview["Location"] == nil, "\(preview.text)")
    #expect(try client.get("/v1/stats").json["all"] as? Int == 0)
    #expect(try client.get("/v1/tags").items.isEmpty)
    let added = try add(Self.text)
    #expect(
      added.json["spans"] as? NSArray == preview.json["spans"] as? NSArray)
    let body = try JSONSerialization.data(withJSONObject: preview.json["reminder"] ?? [:])
    let posted = try client.post("/v1/reminders", String(decoding: body, as: UTF8.self))
    #expect(posted.status == 201, "\(posted.text)")
    func content(_ reminder: Any?) -> NSDictionary? {
      guard var reminder = reminder as? [String: Any] else { return nil }
      for name in ["id", "uid", "position", "createdAt", "updatedAt"] { reminder[name] = nil }
      reminder["alarms"] = (reminder["alarms"] as? [[String: Any]])?.map { $0["offset"] ?? "" }
      return reminder as NSDictionary
    }
    #expect(content(posted.json) == content(added.json["reminder"]))
  }

  @Test("The list is the one of the text, of the request, or the first one")
  func lists() throws {
    func list(_ body: String) throws -> Int? {
      (try add(body).json["reminder"] as? [String: Any])?["listID"] as? Int
    }
    #expect(try list(#"{"text":"a"}"#) == 1)
    #expect(try list(#"{"text":"a","listID":2}"#) == 2)
    #expect(try list(#"{"text":"a #home","listID":1}"#) == 2)
    #expect(try list(#"{"text":"a #nowhere","listID":2}"#) == 2)
    #expect(try client.put("/v1/lists/2/position", #"{"after":null}"#).status == 200)
    #expect(try list(#"{"text":"a"}"#) == 2)
    #expect(try add(#"{"text":"a","listID":9}"#).problem == "unknown-list")
  }

  @Test("German, and a given time")
  func language() throws {
    let answer = try add(
      #"{"text":"Müll morgen","language":"de","now":"2026-12-31T10:00:00Z"}"#, preview: true)
    let reminder = answer.json["reminder"] as? [String: Any]
    #expect(reminder?["title"] as? String == "Müll")
    #expect(reminder?["dueDate"] as? String == "2027-01-01")
    #expect(try add(#"{"text":"a","language":"it"}"#).status == 422)
  }

  @Test("The language that understands more is taken, and Accept-Language breaks ties")
  func languages() throws {
    func read(
      _ text: String, _ accepted: String? = nil, language: String? = nil
    ) throws -> String {
      let named = language.map { #","language":"\#($0)""# } ?? ""
      let answer = try client.post(
        "/v1/quick-add?preview=true", #"{"text":"\#(text)"\#(named)}"#,
        accepted.map { [("Accept-Language", $0)] } ?? [])
      let reminder = answer.json["reminder"] as? [String: Any]
      let due = (reminder?["dueDate"] as? String).map { " " + $0 } ?? ""
      return "\(answer.json["language"] ?? "-"): \(reminder?["title"] ?? "-")\(due)"
    }
    // French only where it is accepted or named: `tous` and `dans` are not the words of others.
    #expect(try read("Thé demain") == "en: Thé demain")
    #expect(try read("Thé demain", "fr-CH, de;q=0.5") == "fr: Thé 2026-11-21")
    #expect(try read("Thé demain", "fr;q=0, *;q=0") == "en: Thé demain")
    #expect(try read("Thé demain", language: "fr") == "fr: Thé 2026-11-21")
    #expect(try read("Tea tomorrow", "fr") == "en: Tea 2026-11-21")
    #expect(try read("Tea tomorrow") == "en: Tea 2026-11-21")
    #expect(try read("Tee morgen") == "de: Tee 2026-11-21")
    #expect(try read("Tea tomorrow", "de") == "en: Tea 2026-11-21")
    #expect(try read("Tee morgen", "en") == "de: Tee 2026-11-21")
    #expect(try read("Tee morgen", language: "en") == "en: Tee morgen")
    #expect(try read("Tea tomorrow", "en", language: "de") == "de: Tea tomorrow")
    #expect(try read("Tee") == "en: Tee")
    #expect(try read("Tee", "de-AT,de;q=0.9,en;q=0.8") == "de: Tee")
    #expect(try read("Tee", "it, en;q=0.2, de;q=0.5") == "de: Tee")
    #expect(try read("Tee", "it") == "en: Tee")
    #expect(try read("Tee", "nonsense;;;q=2,") == "en: Tee")
  }

  @Test("The operations of a batch are in the language of its request")
  func batch() throws {
    let body = #"""
      {"operations":[{"method":"POST","path":"/v1/quick-add","body":{"text":"Daily"}}]}
      """#
    let answer = try client.post("/v1/batch", body, [("Accept-Language", "de")])
    let results = try #require(answer.json["results"] as? [[String: Any]])
    let added = results.first?["body"] as? [String: Any]
    #expect(added?["language"] as? String == "de", "\(answer.text)")
    #expect((added?["reminder"] as? [String: Any])?["title"] as? String == "Daily")
  }

  @Test("# names a list, or else a tag that there is")
  func signs() throws {
    func parts(_ text: String) throws -> [String] {
      let reminder = try add(#"{"text":"\#(text)"}"#, preview: true).json["reminder"]
      let values = reminder as? [String: Any]
      return [
        "\(values?["title"] ?? "-")", "\(values?["listID"] ?? "-")",
        (values?["tags"] as? [String])?.joined(separator: " ") ?? "-",
      ]
    }
    #expect(try parts("Eggs #groceries") == ["Eggs #groceries", "1", "-"])
    #expect(try add(#"{"text":"Milk @groceries @Home"}"#).status == 201)
    #expect(try parts("Eggs #groceries") == ["Eggs", "1", "groceries"])
    #expect(try parts("Eggs #home #Groceries") == ["Eggs", "2", "Groceries"])
    #expect(try parts("Eggs #groc") == ["Eggs #groc", "1", "-"])
  }

  @Test("Offsets are in UTF-16 units")
  func offsets() throws {
    let answer = try add(#"{"text":"👩‍👩‍👧 tomorrow"}"#, preview: true)
    let spans = try #require(answer.json["spans"] as? [[String: Any]])
    #expect(spans.first?["start"] as? Int == "👩‍👩‍👧 ".utf16.count)
  }

  @Test(
    "Only a text without a title is refused",
    arguments: [
      (#"{"text":"tomorrow"}"#, "/text"), (#"{"text":"   "}"#, "/text"),
      (#"{"text":""}"#, "/text"), (#"{}"#, "/text"), (#"{"text":5}"#, "/text"),
      (#"{"text":"a","timeZone":"Mars"}"#, "/timeZone"), (#"{"text":"a","now":"soon"}"#, "/now"),
      (#"{"text":"a","title":"b"}"#, "/title"),
    ])
  func faults(_ body: String, _ pointer: String) throws {
    for isPreview in [true, false] {
      let answer = try add(body, preview: isPreview)
      #expect(answer.status == 422 && answer.text.contains("\"\(pointer)\""), "\(answer.text)")
    }
  }

  @Test("A title of more than 1,000 characters is refused, one behind // is notes")
  func lengths() throws {
    let long = String(repeating: "x", count: 1_001)
    #expect(try add(#"{"text":"\#(long)"}"#).status == 422)
    #expect(try add(#"{"text":"a // \#(long)"}"#).status == 201)
    let most = String(repeating: "x", count: 4_001)
    #expect(try add(#"{"text":"a // \#(most)"}"#).status == 422)
  }

  @Test("Whatever the text is, what has a title can be stored")
  func anything() throws {
    let random = SeededRandom()
    var dice = random
    let pieces = [
      "every", "day", "31st", "29 feb", "until", "1 June", "for 5 times", "remind", "at 8am",
      "10 minutes before", "1 day before", "tomorrow", "9999-12-31", "every!", "2 weeks", "!!",
      "@a", "@b", "@c", "@d", "@e", "@f", "#Home", "next month", "midnight", "tonight", "//", "*",
      "in 3 hours", "every last friday", "every 1st of jan", "today", "at 23:59", "!1",
    ]
    for _ in 0..<400 {
      let words = (0..<Int.random(in: 1...9, using: &dice)).map { _ in dice.pick(pieces) }
      let text = "x " + words.joined(separator: " ")
      let answer = try add(#"{"text":"\#(text)","timeZone":"America/New_York"}"#)
      #expect(answer.status == 201, "seed \(random.seed), \(text): \(answer.text)")
    }
  }
}
