import TestSupport
import Testing

@Suite("The settings of alarms") struct AlarmSettingsTests {
  /// The offsets of the alarms of a new reminder with this body.
  private func offsets(_ client: RawClient, _ members: String) throws -> [String?] {
    let made = try client.post("/v1/reminders", #"{"listID":1,"title":"a"\#(members)}"#)
    let alarms = try #require(made.json["alarms"] as? [[String: Any]], "\(made.text)")
    return alarms.map { $0["offset"] as? String }
  }

  private static let timed = #","dueDate":"2099-11-20T12:00:00Z""#
  private static let day = #","dueDate":"2099-11-20""#

  @Test("A new reminder that is due at a time has an alarm then, unless it names others")
  func defaults() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    #expect(try offsets(client, "") == [])
    #expect(try offsets(client, Self.day) == ["PT9H"])
    #expect(try offsets(client, Self.timed) == ["PT0S"])
    #expect(try offsets(client, Self.timed + #","alarms":[]"#) == [])
    #expect(try offsets(client, Self.timed + #","alarms":[{"offset":"-PT5M"}]"#) == ["-PT5M"])
    // A date that comes later brings its alarm, too.
    let later = try client.request("PATCH", "/v1/reminders/1", body: "{\(Self.timed.dropFirst())}")
    #expect(later.text.contains(#""offset":"PT0S""#), "\(later.text)")
    // An import brings none.
    let line = #"{"type":"list","id":1,"title":"a"}"#
    let reminder = #"{"type":"reminder","id":1,"listID":1,"title":"imported"\#(Self.timed)}"#
    #expect(try client.post("/v1/import", "\(line)\n\(reminder)").status == 200)
    let found = try client.get("/v1/search?q=imported").items.first
    #expect((found?["alarms"] as? [Any])?.isEmpty == true)
  }

  @Test("The operator may set the default alarms")
  func settings() throws {
    let server = try MartletProcess(["--default-alarm", "-P1D", "--default-day-alarm", "PT9H"])
    let client = try RawClient(port: server.port)
    #expect(try offsets(client, Self.timed) == ["-P1D"])
    #expect(try offsets(client, Self.day) == ["PT9H"])
    let found = try client.get("/v1/settings")
    #expect(found.text.contains(#""fixed":["defaultAlarm","defaultDayAlarm"]"#), "\(found.text)")
    let other = try MartletProcess(["--default-alarm", "none"])
    #expect(try offsets(RawClient(port: other.port), Self.timed) == [])
  }

  @Test("After a restart, what came due rings once and in order, and what is too old does not")
  func catchUp() throws {
    let folder = try TemporaryFolder()
    let first = try MartletProcess(in: folder)
    let client = try RawClient(port: first.port)
    _ = try client.post("/v1/reminders", #"{"listID":1,"title":"a"}"#)
    for _ in 1...3 {
      let made = try client.post("/v1/reminders/1/alarms", #"{"at":"2099-01-01T00:00:00Z"}"#)
      #expect(made.status == 201)
    }
    try first.kill9()
    func sql(_ text: String) throws -> String {
      try MartletProcess.sqlite3(first.database, text, in: folder)
    }
    for (id, age) in [(1, "-90 minutes"), (2, "-110 minutes"), (3, "-130 minutes")] {
      _ = try sql(
        "UPDATE alarms SET fireAt = strftime('%Y-%m-%d %H:%M:%f', 'now', '\(age)') WHERE id = \(id)"
      )
    }
    for _ in 1...2 {
      let server = try MartletProcess(["--alarm-catch-up", "2h"], in: folder)
      let streams = StreamClient(port: server.port)
      try streams.open("/v1/alarms?state=ringing")
      #expect(streams.wait { $0[0].last?.data.contains(#""id":1"#) == true })
      #expect(streams.streams[0].last?.data.contains(#""id":2"#) == true)
      #expect(
        try RawClient(port: server.port).get("/v1/alarms/3").json["state"] as? String == "passed")
      try server.kill9()
    }
    #expect(try sql("SELECT alarmID FROM firings ORDER BY id") == "2\n1\n")
  }
}
