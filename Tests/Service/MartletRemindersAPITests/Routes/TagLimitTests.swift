import MartletLiveAPI
import TestSupport
import Testing

@testable import MartletRemindersAPI

@Suite("The limit of five tags applies to every kind of write") struct TagLimitTests {
  private let service: RemindersService
  private let client: RawClient

  init() throws {
    service = try RemindersService()
    client = try service.client()
    #expect(
      try client.post("/v1/reminders", #"{"listID":1,"title":"x","tags":["old"]}"#).status == 201)
  }

  private func json(_ tags: [String]) -> String {
    "[" + tags.map { "\"\($0)\"" }.joined(separator: ",") + "]"
  }

  /// The responses of all kinds of writes to these tags: status, problem type, detail.
  private func answers(_ tags: [String]) throws -> [(status: Int, problem: String?, detail: String)]
  {
    let list = json(tags)
    let create = #"{"listID":1,"title":"new","tags":\#(list)}"#
    let operation = #"{"method":"POST","path":"/v1/reminders","body":\#(create)}"#
    let line =
      #"{"type":"list","id":1,"title":"a"}"# + "\n"
      + #"{"type":"reminder","listID":1,"title":"new","tags":\#(list)}"#
    let answers = [
      try client.post("/v1/reminders", create),
      try client.post("/v1/lists/1/reminders", #"{"title":"new","tags":\#(list)}"#),
      try client.patch("/v1/reminders/1", #"{"tags":\#(list)}"#),
      try client.post("/v1/batch", #"{"operations":[\#(operation)]}"#),
      try client.post("/v1/import", line),
      try client.post(
        "/v1/import?format=csv", "title,tags\nnew,\(tags.joined(separator: ";"))\n"),
    ]
    return answers.map { answer in
      // A batch has the problem type of the failed operation as its cause.
      let cause = (answer.json["cause"] as? String)?.split(separator: "/").last.map(String.init)
      return (answer.status, cause ?? answer.problem, answer.json["detail"] as? String ?? "")
    }
  }

  @Test("A sixth tag is refused, and nothing is stored")
  func six() throws {
    let before = try client.get("/v1/export").text
    let answers = try answers(["1", "2", "3", "4", "5", "6"])
    #expect(answers.map(\.status) == [409, 409, 409, 422, 409, 409])
    #expect(answers.allSatisfy { $0.problem == "too-many-tags" })
    #expect(answers.allSatisfy { $0.detail.contains("A reminder can have at most five tags.") })
    #expect(answers[4].detail.hasPrefix("Line 2: ") && answers[5].detail.hasPrefix("Line 2: "))
    #expect(try client.get("/v1/export").text == before)
  }

  @Test("Equal tags count once: without case, and normalized")
  func equal() throws {
    let tags = ["T", "t", "\u{E9}", "e\u{301}", "a", "b", "c"]
    let many = (0..<20_000).map { tags[$0 % tags.count] }
    let answers = try answers(many)
    #expect(answers.map(\.status) == [201, 201, 200, 200, 200, 200], "\(answers)")
    let stored = try client.get("/v1/reminders").items.map { $0["tags"] as? [String] }
    #expect(stored.count == 6)
    #expect(stored.allSatisfy { $0 == ["a", "b", "c", "T", "\u{E9}"] }, "\(stored)")
  }

  @Test("Invalid members are reported first, at most a hundred of an array")
  func faults() throws {
    let wrong = try client.post(
      "/v1/reminders", #"{"listID":1,"title":5,"tags":["1","2","3","4","5","6"]}"#)
    #expect(wrong.problem == "invalid-body")
    let numbers = "[" + Array(repeating: "1", count: 50_000).joined(separator: ",") + "]"
    let refused = try client.post("/v1/reminders", #"{"listID":1,"title":"x","tags":\#(numbers)}"#)
    #expect((refused.json["errors"] as? [Any])?.count == 100)
  }
}
