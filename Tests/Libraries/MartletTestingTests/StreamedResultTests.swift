import MartletJSON
import Testing

@testable import MartletTesting

@Suite("The result of an event stream, event by event") struct StreamedResultTests {
  private let first = #"{"items":[{"id":1,"t":"a"},{"id":2,"t":"b"}],"nextCursor":null}"#

  @Test("Each operation of a delta")
  func operations() throws {
    let cases = [
      (#"{"ops":[["-",1]]}"#, #"{"items":[{"id":2,"t":"b"}],"nextCursor":null}"#),
      (
        #"{"ops":[["+",3,{"id":3,"t":"c"},1]]}"#,
        #"{"items":[{"id":1,"t":"a"},{"id":3,"t":"c"},{"id":2,"t":"b"}],"nextCursor":null}"#
      ),
      (
        #"{"ops":[["+",3,{"id":3,"t":"c"},null]]}"#,
        #"{"items":[{"id":3,"t":"c"},{"id":1,"t":"a"},{"id":2,"t":"b"}],"nextCursor":null}"#
      ),
      (
        #"{"ops":[["~",2,{"t":"x"}]],"set":{"nextCursor":"n"}}"#,
        #"{"items":[{"id":1,"t":"a"},{"id":2,"t":"x"}],"nextCursor":"n"}"#
      ),
      (
        #"{"ops":[[">",1,2]]}"#,
        #"{"items":[{"id":2,"t":"b"},{"id":1,"t":"a"}],"nextCursor":null}"#
      ),
    ]
    for (delta, expected) in cases {
      var result = StreamedResult()
      try result.apply(StreamEvent(event: "result", data: first))
      try result.apply(StreamEvent(event: "delta", data: delta))
      #expect(result.value?.description == expected, "\(delta)")
    }
  }

  @Test("A row that is gone has no result, and other events change nothing")
  func gone() throws {
    var result = StreamedResult()
    try result.apply(StreamEvent(event: "current", data: ""))
    #expect(result.value == nil)
    try result.apply(StreamEvent(event: "result", data: #"{"id":1}"#))
    try result.apply(StreamEvent(event: "bye", data: "{}"))
    #expect(result.value?["id"]?.int64 == 1)
    try result.apply(StreamEvent(event: "gone", data: "{}"))
    #expect(result.value == nil)
  }

  @Test(
    "A delta that does not fit fails the test",
    arguments: [
      #"{"ops":[["-",9]]}"#, #"{"ops":[["?",1]]}"#, #"{"ops":[["+",3]]}"#, #"{"ops":[[">",1,7]]}"#,
      "nonsense",
    ])
  func faults(_ delta: String) throws {
    var result = StreamedResult()
    #expect(throws: TestFailure.self) {
      try result.apply(StreamEvent(event: "delta", data: #"{"set":{}}"#))
    }
    try result.apply(StreamEvent(event: "result", data: first))
    #expect(throws: TestFailure.self) {
      try result.apply(StreamEvent(event: "delta", data: delta))
    }
  }

  @Test("Events are parsed at every split of their bytes")
  func splits() {
    let text =
      ": hello\nretry: 2000\n\nid: \"a\"\nevent: result\ndata: {\"a\":\ndata: 1}\n\nevent: x\n\n"
    let bytes = Array(text.utf8)
    for split in 0...bytes.count {
      var parser = EventParser()
      let events = parser.receive(Array(bytes[..<split])) + parser.receive(Array(bytes[split...]))
      #expect(events == [StreamEvent(id: "\"a\"", event: "result", data: "{\"a\":\n1}")])
      #expect(parser.comments == 1)
    }
  }
}
