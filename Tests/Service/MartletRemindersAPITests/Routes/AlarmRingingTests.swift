import TestSupport
import Testing

@Suite("Alarms that ring, over HTTP") struct AlarmRingingTests {
  let alarms: AlarmService
  let client: RawClient

  init() throws {
    alarms = try AlarmService()
    client = alarms.client
  }

  @Test("An alarm rings on a stream, and is acknowledged")
  func rings() throws {
    try alarms.meeting(#""alarms":[{"offset":"-PT10M"}]"#)
    let before = try client.get("/v1/reminders/1")
    let token = try #require(try client.get("/v1/changes").json["next"] as? String)
    let stream = try alarms.ringing()
    alarms.pass(minutes: 50)
    let rung = try #require(stream.event(after: 1)?.data)
    #expect(rung.contains(#""state":"ringing","fireAt":null,"firedAt":"2026-11-20T12:50:00.000Z""#))
    // That is no change of the reminder.
    #expect(try client.get("/v1/reminders/1")["ETag"] == before["ETag"])
    #expect(try client.get("/v1/changes?since=\(token)").items.isEmpty)
    let done = try client.patch("/v1/alarms/1", #"{"state":"acknowledged"}"#)
    #expect(
      done.text.contains(#""snoozedUntil":null,"acknowledgedAt":"2026-11-20T12:50:00.000Z""#))
    #expect(stream.event(after: 2)?.data == #"{"items":[],"nextCursor":null}"#)
    let news = try client.get("/v1/changes?since=\(token)")
    #expect(news.text.contains(#""acknowledgedAt":"2026-11-20T12:50:00.000Z""#))
    // Once more changes nothing.
    let again = try client.patch("/v1/alarms/1", #"{"state":"acknowledged"}"#)
    #expect(again.status == 200 && again["ETag"] == done["ETag"])
  }

  @Test("The newest ringing alarm is the first, however many ring")
  func newestFirst() throws {
    let moments = [3, 1, 2].map { #"{"at":"2026-11-20T12:0\#($0):00Z"}"# }
    try alarms.meeting(#""alarms":[\#(moments.joined(separator: ","))]"#)
    let stream = StreamClient(port: alarms.service.port)
    try stream.open("/v1/alarms?state=ringing&limit=1")
    _ = stream.event(after: 0)
    for (count, id) in [2, 3, 1].enumerated() {
      alarms.pass(minutes: 1)
      let event = try #require(stream.event(after: count + 1)?.data)
      #expect(event.contains(#"{"items":[{"id":\#(id),"#), "\(event)")
    }
    var ids: [Int?] = []
    var path = "/v1/alarms?state=ringing&limit=1"
    while true {
      let page = try client.get(path)
      ids += page.items.map { $0["id"] as? Int }
      guard let cursor = page.json["nextCursor"] as? String else { break }
      path = "/v1/alarms?state=ringing&limit=1&cursor=\(cursor)"
    }
    #expect(ids == [1, 3, 2])
  }

  @Test("An alarm repeats until it is told not to, and rings after a snooze")
  func repeating() throws {
    try alarms.meeting(#""alarms":[{"offset":"-PT30M","repeat":{"every":"PT5M","times":3}}]"#)
    let stream = try alarms.ringing()
    alarms.pass(minutes: 30)
    #expect(stream.event(after: 1)?.data.contains(#""fireAt":"2026-11-20T12:35:00.000Z""#) == true)
    alarms.pass(minutes: 5)
    #expect(stream.event(after: 2)?.data.contains(#""firedAt":"2026-11-20T12:35:00.000Z""#) == true)
    let snoozed = try client.patch("/v1/alarms/1", #"{"snoozedUntil":"2026-11-20T12:40:00Z"}"#)
    #expect(
      snoozed.text.contains(#""state":"snoozed","fireAt":"2026-11-20T12:40:00.000Z""#),
      "\(snoozed.text)")
    #expect(stream.event(after: 3)?.data == #"{"items":[],"nextCursor":null}"#)
    alarms.pass(minutes: 5)
    #expect(stream.event(after: 4)?.data.contains(#""fireAt":"2026-11-20T12:45:00.000Z""#) == true)
    let once = try client.patch("/v1/alarms/1", #"{"repeat":null}"#)
    #expect(once.text.contains(#""repeat":null"#), "\(once.text)")
    let other = try client.patch("/v1/alarms/1", #"{"repeat":{"every":"PT10M","times":1}}"#)
    #expect(other.text.contains(#""repeat":{"every":"PT10M","times":1}"#), "\(other.text)")
  }

  @Test("A whole alarm can be sent back in every state")
  func sendingBack() throws {
    try alarms.meeting(#""alarms":[{"offset":"-PT10M","repeat":{"every":"P1D","times":1}}]"#)
    func same(_ state: String) throws {
      let whole = try client.get("/v1/alarms/1")
      #expect(whole.json["state"] as? String == state)
      let back = try client.patch("/v1/alarms/1", whole.text)
      #expect(back.status == 200 && back.text == whole.text, "\(back.text)")
    }
    try same("armed")
    let stream = try alarms.ringing()
    alarms.pass(minutes: 50)
    _ = stream.event(after: 1)
    try same("ringing")
    _ = try client.patch("/v1/alarms/1", #"{"snoozedUntil":"2026-11-20T13:00:00Z"}"#)
    _ = stream.event(after: 2)
    try same("snoozed")
    alarms.pass(minutes: 10)
    _ = stream.event(after: 3)
    try same("ringing")
    _ = try client.patch("/v1/alarms/1", #"{"snoozedUntil":"2026-11-20T14:00:00Z"}"#)
    _ = try client.patch("/v1/alarms/1", #"{"state":"acknowledged"}"#)
    try same("acknowledged")
    _ = try client.patch("/v1/alarms/1", #"{"at":"2026-11-20T12:00:00Z"}"#)
    try same("passed")
  }

  @Test("Alarms follow a recurring reminder, and come back from the trash")
  func life() throws {
    try alarms.meeting(#""recurrence":{"rule":"FREQ=DAILY"},"alarms":[{"offset":"-PT10M"}]"#)
    let stream = try alarms.ringing()
    alarms.pass(minutes: 50)
    _ = stream.event(after: 1)
    _ = try client.patch("/v1/reminders/1", #"{"status":"completed"}"#)
    #expect(stream.wait { $0[0].last?.data == #"{"items":[],"nextCursor":null}"# })
    let next = try client.get("/v1/alarms/1")
    #expect(
      next.text.contains(#""state":"armed","fireAt":"2026-11-21T12:50:00.000Z""#), "\(next.text)")
    _ = try client.delete("/v1/reminders/1")
    #expect(try client.get("/v1/alarms/1").status == 404)
    #expect(try client.get("/v1/alarms").items.isEmpty)
    #expect(try client.post("/v1/trash/1/restore", "").status == 201)
    let back = try client.get("/v1/alarms/1")
    #expect(back.json["offset"] as? String == "-PT10M", "\(back.text)")
  }
}
