import TestSupport
import Testing

@Suite("Values in a wrong format") struct FormatTests {
  @Test(
    "A value in a wrong format says which one is right",
    arguments: [
      (
        #"{"dueDate":1790000000}"#,
        "expected a date (2026-11-20), an instant (2026-11-20T15:36:00Z) or null, got a number"
      ),
      (
        #"{"dueDate":"24.11.2026"}"#,
        "expected a date (2026-11-20), an instant (2026-11-20T15:36:00Z) or null: expected a year from 0001 to 9999 at byte 2"
      ),
    ])
  func formats(_ body: String, _ says: String) throws {
    let service = try RemindersService()
    let client = try service.client()
    _ = try client.post("/v1/reminders", #"{"listID":1,"title":"a"}"#)
    let answer = try client.patch("/v1/reminders/1", body)
    #expect(answer.status == 422 && answer.text.contains(says), "\(answer.text)")
    let colors = [
      ("5", "such as #4a99ef, got a number"), (#""red""#, #"such as #4a99ef, got \"red\""#),
    ]
    for (color, says) in colors {
      let list = try client.patch("/v1/lists/1", #"{"color":\#(color)}"#)
      #expect(list.status == 422 && list.text.contains(says), "\(list.text)")
    }
  }

  @Test("A + in the URL, which is a space, is named if a plus was meant")
  func plus() throws {
    let service = try RemindersService()
    let client = try service.client()
    let hint = "; in a URL a + is a space: write %2B for it"
    for query in ["dueBefore=2026-11-24T09:00:00+01:00", "timeZone=Etc/GMT+1"] {
      let answer = try client.get("/v1/reminders?\(query)")
      #expect(answer.status == 400 && answer.text.contains(hint), "\(answer.text)")
      #expect(try client.get("/v1/reminders?\(query.replacing("+", with: "%2B"))").status == 200)
    }
    #expect(try !client.get("/v1/reminders?dueBefore=a+b").text.contains("%2B"))
  }
}
