import MartletHTTP
import MartletJSON
import Testing

@testable import MartletLiveAPI

@Suite("Members of a body") struct BodyTests {
  private func body(_ text: String) throws(APIProblem) -> Body {
    let bytes = SharedBytes(Array(text.utf8))
    return try Body(bytes.bytes)
  }

  @Test("A whole number has a range", arguments: [(-1, false), (0, true), (9, true), (10, false)])
  func range(_ number: Int, _ isTaken: Bool) throws {
    var body = try body("{\"copies\":\(number)}")
    let copies = body.integer("copies", in: 0...9)
    guard !isTaken else {
      #expect(copies == number)
      return try body.finish()
    }
    #expect(copies == nil)
    let problem = #expect(throws: APIProblem.self) { try body.finish() }
    #expect(problem?.errors.first?.detail == "expected a whole number from 0 to 9, got \(number)")
  }

  @Test("One without a range is any that JSON can hold")
  func any() throws {
    var body = try body("{\"a\":-9223372036854775808,\"b\":1.5}")
    #expect(body.integer("a") == .min && body.integer("b") == nil)
    let problem = #expect(throws: APIProblem.self) { try body.finish() }
    #expect(problem?.errors.map(\.detail) == ["expected a whole number, got a number"])
  }

  @Test("A form is told from other mistakes")
  func form() {
    let form = #expect(throws: APIProblem.self) { try body("title=Milk") }
    #expect(form?.detail.contains("It looks like a form") == true)
    for other in ["{\"a\"=1}", "", "nonsense", "['a=b']"] {
      let problem = #expect(throws: APIProblem.self) { try body(other) }
      #expect(problem?.type == .malformedJSON && problem?.detail.contains("form") == false)
    }
  }
}
