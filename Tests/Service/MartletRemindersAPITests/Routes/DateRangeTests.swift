import TestSupport
import Testing

@Suite("Dates are in the years 0001 to 9999") struct DateRangeTests {
  @Test("A date in the year 0 is refused in every field")
  func fields() throws {
    let service = try RemindersService()
    let client = try service.client()
    let kept = #"{"listID":1,"title":"kept","dueDate":"0001-01-01","startDate":"0001-01-01"}"#
    #expect(try client.post("/v1/reminders", kept).status == 201)
    for field in [
      #""dueDate":"0000-12-31""#, #""dueDate":"0000-12-31T23:59:59.999Z""#,
      // In UTC it is in the year 0, and in the year 10000.
      #""dueDate":"0001-01-01T00:30:00+01:00""#, #""dueDate":"9999-12-31T23:30:00-01:00""#,
      #""dueDate":"2026-12-01","startDate":"0000-12-31""#,
      #""alarms":[{"at":"0000-12-31T00:00:00Z"}]"#,
      #""dueDate":"2026-12-01","recurrence":{"rule":"FREQ=DAILY;UNTIL=00001231"}"#,
      #""dueDate":"2026-12-01","recurrence":{"rule":"FREQ=DAILY;UNTIL=00001231T000000Z"}"#,
      #""dueDate":"2026-12-01","recurrence":{"rule":"FREQ=DAILY","start":"0000-12-31"}"#,
      #""dueDate":"2026-12-01","recurrence":{"rule":"FREQ=DAILY","excluded":["0000-12-31"]}"#,
    ] {
      let made = try client.post("/v1/reminders", #"{"listID":1,"title":"a",\#(field)}"#)
      #expect(made.status == 422, "\(field) \(made.text)")
      let changed = try client.patch("/v1/reminders/1", "{\(field)}")
      #expect(changed.status == 422, "\(field) \(changed.text)")
      let batch = #"""
        {"operations":[{"method":"PATCH","path":"/v1/reminders/1","body":{\#(field)}}]}
        """#
      #expect(try client.post("/v1/batch", batch).status == 422, "\(field)")
    }
    #expect(try client.get("/v1/reminders/1").text.contains(#""dueDate":"0001-01-01""#))
    for name in ["dueBefore", "dueAfter"] {
      #expect(try client.get("/v1/reminders?\(name)=0000-12-31").status == 400, "\(name)")
      let smart = try client.post(
        "/v1/smart-lists", #"{"title":"a","filter":{"\#(name)":"0000-12-31"}}"#)
      #expect(smart.status == 422, "\(smart.text)")
    }
    let added = try client.post("/v1/quick-add", #"{"text":"buy milk 0000-12-31"}"#)
    #expect(added.status == 201 && added.text.contains(#""dueDate":null"#), "\(added.text)")
  }

  @Test("An import with a date in the year 0 is refused, with its line")
  func files() throws {
    let service = try RemindersService()
    let client = try service.client()
    let csv = try client.post("/v1/import?format=csv", "title,dueDate\na,0000-12-31\n")
    #expect(csv.status == 422 && csv.text.contains("0001 to 9999"), "\(csv.text)")
    for member in ["dueDate", "createdAt"] {
      let line = #"""
        {"type":"reminder","id":1,"listID":1,"title":"a","\#(member)":"0000-12-31T00:00:00Z"}
        """#
      let json = try client.post("/v1/import", line)
      #expect(json.status == 422 && json.text.contains("0001 to 9999"), "\(json.text)")
    }
  }
}
