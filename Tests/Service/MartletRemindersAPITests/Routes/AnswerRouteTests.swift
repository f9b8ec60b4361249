import MartletReminders
import TestSupport
import Testing

@testable import MartletRemindersAPI

@Suite("Answers over HTTP") struct AnswerRouteTests {
  private static let path = "/v1/answers"

  /// Rings an alarm of the reminder 1, whose delivery 1 has the token `ma_1_abc`.
  private func ring(_ service: RemindersService) throws {
    let client = try service.client()
    _ = try client.post("/v1/lists", #"{"title":"a"}"#)
    let channel = try client.post(
      "/v1/channels",
      #"{"kind":"ntfy","name":"a","url":"https://ntfy.sh","settings":{"topic":"t","answers":true}}"#
    )
    #expect(channel.status == 201 && channel.text.contains(#""answers":true"#), "\(channel.text)")
    let streams = StreamClient(port: service.port)
    try streams.open("/v1/alarms?state=ringing")
    _ = try client.post(
      "/v1/reminders",
      #"{"listID":1,"title":"a","dueDate":"2026-11-20T12:00:00Z","alarms":[{"offset":"PT0S"}]}"#)
    #expect(streams.wait { $0[0].last?.data.contains(#""id":1"#) == true })
    try service.database.write { try $0.execute("UPDATE deliveries SET token = 'abc'") }
  }

  @Test("A token completes the reminder without a key, from every origin")
  func done() throws {
    let service = try RemindersService(rings: true)
    try ring(service)
    let client = try service.client()
    let fields = [
      ("Origin", "https://ntfy.example"), ("Content-Type", "text/plain;charset=UTF-8"),
      ("Sec-Fetch-Site", "cross-site"),
    ]
    let look = try client.request(
      "POST", Self.path, fields, body: #"{"token":"ma_1_abc","do":"look"}"#)
    let reminder =
      #"{"id":1,"title":"a","dueDate":"2026-11-20T12:00:00.000Z","timeZone":null}"#
    #expect(
      look.text == #"{"did":"nothing","because":null,"until":null,"reminder":\#(reminder)}"#)
    #expect(look["Access-Control-Allow-Origin"] == "*")
    let snooze = try client.post(Self.path, #"{"token":"ma_1_abc","do":"snooze","minutes":30}"#)
    #expect(
      snooze.text == #"{"did":"snoozed","because":null,"until":"2026-11-20T12:30:00.000Z"}"#)
    #expect(snooze["Access-Control-Allow-Origin"] == nil)
    let late = try client.post(Self.path, #"{"token":"ma_1_abc","do":"done"}"#)
    #expect(late.text == #"{"did":"nothing","because":"answered","until":null}"#)
  }

  @Test("What is wrong is named, and a wrong token changes nothing")
  func wrong() throws {
    let service = try RemindersService(rings: true)
    try ring(service)
    let client = try service.client()
    for token in ["ma_1_abd", "ma_2_abc", "mk_1_abc", "x"] {
      let refused = try client.post(Self.path, #"{"token":"\#(token)","do":"done"}"#)
      #expect(refused.status == 422 && refused.problem == "invalid-answer-token")
    }
    for body in [
      #"{"do":"done"}"#, #"{"token":"ma_1_abc"}"#, #"{"token":"ma_1_abc","do":"delete"}"#,
      #"{"token":"ma_1_abc","do":"snooze","minutes":0}"#,
      #"{"token":"ma_1_abc","do":"snooze","minutes":1441}"#,
    ] {
      #expect(try client.post(Self.path, body).problem == "invalid-body", "\(body)")
    }
    #expect(try client.get("/v1/alarms/1").json["state"] as? String == "ringing")
    #expect(try client.get(Self.path).status == 405)
  }
}
