import MartletReminders
import TestSupport
import Testing

@testable import MartletRemindersAPI

@Suite("The settings for all clients") struct SettingsRoutesTests {
  private static let path = "/v1/settings"
  private static let initial =
    #"{"defaultAlarm":"PT0S","defaultDayAlarm":"PT9H","defaultForCalendars":true,"timeZone":"UTC","applicationServerKey":null,"sendsNothing":false,"cannotSendSince":null,"fixed":[]}"#

  @Test("They are read, changed, and followed on a stream")
  func change() throws {
    let service = try RemindersService(fixedAlarms: DefaultAlarms.Values())
    let client = try service.client()
    let first = try client.get(Self.path)
    #expect(first.text == Self.initial)
    let streams = StreamClient(port: service.port)
    try streams.open(Self.path)
    #expect(streams.wait { $0[0].last?.data == Self.initial })
    // Whole seconds, and a week, are stored in their shortest form.
    let changed = try client.patch(
      Self.path, #"{"defaultAlarm":"-PT600S","defaultDayAlarm":null}"#)
    let expected =
      #"{"defaultAlarm":"-PT10M","defaultDayAlarm":null,"defaultForCalendars":true,"timeZone":"UTC","applicationServerKey":null,"sendsNothing":false,"cannotSendSince":null,"fixed":[]}"#
    #expect(changed.status == 200 && changed.text == expected)
    #expect(streams.wait { $0[0].last?.data == expected })
    #expect(try client.get(Self.path).text == expected)
    // What was read may be sent back.
    #expect(try client.patch(Self.path, expected).text == expected)
    // A change of something else that a client has not seen is refused.
    let tag = try #require(first["ETag"])
    let late = try client.request(
      "PATCH", Self.path, [("If-Match", tag)], body: #"{"defaultAlarm":null}"#)
    #expect(late.status == 412)
  }

  @Test(
    "Invalid values are named",
    arguments: [
      (#"{"defaultAlarm":"soon"}"#, "/defaultAlarm"),
      (#"{"defaultForCalendars":"no"}"#, "/defaultForCalendars"),
      (#"{"defaultDayAlarm":9}"#, "/defaultDayAlarm"),
      (#"{"defaultDayAlarm":"P367D"}"#, "/defaultDayAlarm"),
      (#"{"defaultalarm":"PT0S"}"#, "/defaultalarm"),
      (#"{"timeZone":"Europe/Vienna"}"#, "/timeZone"), (#"{"fixed":["defaultAlarm"]}"#, "/fixed"),
    ])
  func invalid(_ body: String, _ place: String) throws {
    let service = try RemindersService(fixedAlarms: DefaultAlarms.Values())
    let client = try service.client()
    let refused = try client.patch(Self.path, body)
    #expect(refused.status == 422 && refused.text.contains("\"\(place)\""), "\(refused.text)")
    #expect(try client.get(Self.path).text == Self.initial)
  }

  @Test("What the operator has set is read-only, and not stored")
  func fixed() throws {
    var values = DefaultAlarms.Values()
    values.day = .some(nil)
    let service = try RemindersService(fixedAlarms: values)
    let client = try service.client()
    let expected =
      #"{"defaultAlarm":"PT0S","defaultDayAlarm":null,"defaultForCalendars":true,"timeZone":"UTC","applicationServerKey":null,"sendsNothing":false,"cannotSendSince":null,"fixed":["defaultDayAlarm"]}"#
    #expect(try client.get(Self.path).text == expected)
    let refused = try client.patch(Self.path, #"{"defaultDayAlarm":"PT8H"}"#)
    #expect(refused.status == 422 && refused.text.contains("\"/defaultDayAlarm\""))
    #expect(try client.patch(Self.path, #"{"defaultDayAlarm":null}"#).text == expected)
    #expect(
      try service.database.read {
        try $0.value("SELECT defaultDayAlarm FROM settings")?.text
      } == "PT9H")
  }

  @Test("A reminder gets what is set, at its creation, by quick add and with its first date")
  func used() throws {
    let service = try RemindersService(fixedAlarms: DefaultAlarms.Values())
    let client = try service.client()
    _ = try client.post("/v1/lists", #"{"title":"a"}"#)
    _ = try client.patch(Self.path, #"{"defaultAlarm":"-PT5M","defaultDayAlarm":"PT8H"}"#)
    let timed = try client.post(
      "/v1/reminders", #"{"listID":1,"title":"a","dueDate":"2026-12-01T09:00:00Z"}"#)
    #expect(timed.text.contains(#""offset":"-PT5M""#), "\(timed.text)")
    let preview = try client.post("/v1/quick-add?preview=true", #"{"text":"b tomorrow"}"#)
    #expect(preview.text.contains(#""offset":"PT8H""#), "\(preview.text)")
    let added = try client.post("/v1/quick-add", #"{"text":"b tomorrow at 9"}"#)
    #expect(added.text.contains(#""offset":"-PT5M""#), "\(added.text)")
    _ = try client.post("/v1/reminders", #"{"listID":1,"title":"c"}"#)
    let dated = try client.patch("/v1/reminders/3", #"{"dueDate":"2026-12-01"}"#)
    #expect(dated.text.contains(#""offset":"PT8H""#), "\(dated.text)")
    _ = try client.patch(Self.path, #"{"defaultAlarm":null}"#)
    let none = try client.post(
      "/v1/reminders", #"{"listID":1,"title":"d","dueDate":"2026-12-01T09:00:00Z"}"#)
    #expect(none.text.contains(#""alarms":[]"#), "\(none.text)")
  }

  @Test("An import gives the default alarms to open reminders with a date, if it is asked to")
  func imported() throws {
    let service = try RemindersService(fixedAlarms: DefaultAlarms.Values())
    let client = try service.client()
    let lines = [
      #""a","dueDate":"2026-12-01T09:00:00Z""#, #""b","dueDate":"2026-12-01""#, #""c""#,
      #""d","dueDate":"2026-12-01","status":"completed""#,
      #""e","dueDate":"2026-12-01","alarms":[{"offset":"-P1D","from":"due"}]"#,
    ]
    let file =
      #"{"type":"list","id":1,"title":"l"}"# + "\n"
      + lines.map { #"{"type":"reminder","listID":1,"title":\#($0)}"# + "\n" }.joined()
    func offsets(_ target: String) throws -> [String] {
      let sent = try client.request(
        "POST", target, [("Content-Type", "application/x-ndjson")], body: file)
      #expect(sent.status == 200, "\(sent.text)")
      let rows = try client.get("/v1/reminders?sort=title&limit=500").items
      defer { try? service.database.write { try $0.execute("DELETE FROM reminders") } }
      return rows.map { row in
        let alarms = row["alarms"] as? [[String: Any]] ?? []
        return alarms.map { $0["offset"] as? String ?? "?" }.joined(separator: " ")
      }
    }
    #expect(try offsets("/v1/import") == ["", "", "", "", "-P1D"])
    #expect(try offsets("/v1/import?defaultAlarms=true") == ["PT0S", "PT9H", "", "", "-P1D"])
  }
}
