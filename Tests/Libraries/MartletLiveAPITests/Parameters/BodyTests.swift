import MartletHTTP
import MartletJSON
import MartletTime
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

  @Test("A whole number without a range may be any 64-bit integer")
  func any() throws {
    var body = try body("{\"a\":-9223372036854775808,\"b\":1.5}")
    #expect(body.integer("a") == .min && body.integer("b") == nil)
    let problem = #expect(throws: APIProblem.self) { try body.finish() }
    #expect(problem?.errors.map(\.detail) == ["expected a whole number, got a number"])
  }

  @Test("Form data is recognized among malformed bodies")
  func form() {
    let form = #expect(throws: APIProblem.self) { try body("title=Milk") }
    #expect(form?.detail.contains("It looks like form data") == true)
    for other in ["{\"a\"=1}", "", "nonsense", "['a=b']"] {
      let problem = #expect(throws: APIProblem.self) { try body(other) }
      #expect(problem?.type == .malformedJSON && problem?.detail.contains("form") == false)
    }
  }

  @Test("A value of the wrong type says which format is expected")
  func formats() throws {
    let long = String(repeating: "2", count: 80)
    var body = try body(#"{"at":1790000000,"until":"\#(long)","none":null}"#)
    #expect(
      body.instant("at") == nil && body.instant("until") == nil && body.instant("none") == nil)
    let problem = #expect(throws: APIProblem.self) { try body.finish() }
    #expect(
      problem?.errors.map(\.detail) == [
        "expected an instant (2026-11-20T15:36:00Z), got a number",
        "expected an instant (2026-11-20T15:36:00Z), got \"\(long.prefix(57))…\"",
      ])
  }

  @Test("A day has no time, and one of several names has a value")
  func daysAndNames() throws {
    enum Color { case red, blue }
    let colors = Body.Member<Color>.oneOf(["red": .red, "blue": .blue])
    var body = try body(#"{"day":"2028-02-29","color":"blue"}"#)
    #expect(body.required("day", .day) == CivilDate(year: 2028, month: 2, day: 29))
    #expect(body.required("color", colors) == .blue)
    try body.finish()
    var wrong = try self.body(#"{"a":"2027-02-29","b":"2027-01-05T18:00:00Z","c":null,"d":"x"}"#)
    for name in ["a", "b", "c"] { #expect(wrong.optional(name, .day) == nil) }
    #expect(wrong.optional("d", colors) == nil && wrong.required("e", .day).year == 1970)
    let details = #expect(throws: APIProblem.self) { try wrong.finish() }?.errors.map(\.detail)
    #expect(details?.count == 5 && details?[2] == "expected a day (2026-11-20), got null")
    #expect(details?[0].hasPrefix("expected a day (2026-11-20): ") == true)
    #expect(details?[1].hasPrefix("expected a day (2026-11-20): ") == true)
    #expect(details?[3] == "expected one of \"red\", \"blue\", got \"x\"")
    #expect(details?[4] == "is required")
  }

  @Test("A number in a query is written as in JSON")
  func numbersOfQueries() throws {
    let query = "a=1.5&b=-2e1&c=nan&d=0x1p3&e=99.6&f=1e999"
    let request = try Request(
      .get, target: "/?" + query, peer: #require(Peer(address: "127.0.0.1")))
    var parameters = QueryParameters(request)
    #expect(parameters.number("a", in: 0...99.5) == 1.5 && parameters.number("b") == -20)
    #expect(parameters.number("g") == nil)
    for name in ["c", "d", "f"] { #expect(parameters.number(name) == nil) }
    #expect(parameters.number("e", in: 0...99.5) == nil)
    let details = #expect(throws: APIProblem.self) { try parameters.finish() }?.errors.map(\.detail)
    #expect(details?.count == 4 && details?[0] == "expected a number, got \"nan\"")
    #expect(details?[3] == "expected a number from 0.0 to 99.5, got \"99.6\"")
  }

  @Test("A PATCH with an array is told what it takes instead of a JSON Patch")
  func jsonPatch() throws {
    let patch = SharedBytes(Array(#"[{"op":"replace","path":"/title","value":"a"}]"#.utf8))
    func refusal(_ method: MartletHTTP.Method) throws -> APIProblem? {
      let request = try Request(
        method, target: "/", body: patch, peer: #require(Peer(address: "127.0.0.1")))
      return #expect(throws: APIProblem.self) { _ = try Body(request) }
    }
    let patched = try refusal(.patch)
    #expect(patched?.type == .invalidBody)
    #expect(patched?.detail.contains("PATCH takes a JSON Merge Patch (RFC 7396)") == true)
    #expect(patched?.errors == [FieldError(.pointer(""), "expected an object, got an array")])
    #expect(try refusal(.post)?.detail.contains("Patch") == false)
  }

  @Test("Members can be numbers, dates, null and custom types")
  func kinds() throws {
    let isEven = Body.Member<Int>(placeholder: 0) { value in
      value.int64.map { $0 % 2 == 0 } == true
        ? .success(Int(value.int64 ?? 0)) : .failure(FieldReason("is odd"))
    }
    let text = #"{"price":1.5,"at":"2026-11-20T15:36:00Z","even":4,"note":null,"title":"a"}"#
    var body = try body(text)
    #expect(body.required("price", .number(0...9)) == 1.5)
    #expect(body.required("at", .date).timeIntervalSince1970 == 1_795_188_960)
    #expect(body.required("even", isEven) == 4)
    #expect(body.nullable("note", .text(0...9)) == .some(nil))
    #expect(body.nullable("title", .text(0...9)) == "a")
    #expect(body.nullable("other", .text(0...9)) == .none)
    try body.finish()

    var wrong = try self.body(#"{"price":10,"at":"x","even":3,"note":1,"a/b":null}"#)
    _ = wrong.required("price", .number(0...9))
    _ = wrong.required("at", .date)
    _ = wrong.required("even", isEven)
    _ = wrong.nullable("note", .text(0...9))
    _ = wrong.required("a/b", isEven)
    let problem = #expect(throws: APIProblem.self) { try wrong.finish() }
    #expect(
      problem?.errors.map { "\($0.place) \($0.detail)" } == [
        #"pointer("/price") expected a number from 0.0 to 9.0, got 10"#,
        #"pointer("/at") expected an instant (2026-11-20T15:36:00Z): expected a year from 0001 to 9999 at byte 0"#,
        #"pointer("/even") is odd"#, #"pointer("/note") expected a string, got a number"#,
        #"pointer("/a~1b") is odd"#,
      ])
  }

  @Test("A long number is shortened in the error, and a range is named whole")
  func numbers() throws {
    var long = try body(#"{"a":1\#(String(repeating: "0", count: 400)),"b":-5}"#)
    _ = long.required("a", .number())
    _ = long.required("b", .number(0 ... .greatestFiniteMagnitude))
    let problem = #expect(throws: APIProblem.self) { try long.finish() }
    #expect(problem?.errors.count == 2)
    #expect(problem?.errors.allSatisfy { $0.detail.utf8.count < 250 } == true)
    #expect(problem?.errors.last?.detail.contains(" from 0.0 to ") == true)
  }
}

@Suite("Received values in messages") struct ShownTests {
  @Test("A message shows at most 60 code points of a value")
  func bound() {
    #expect(shown("") == "\"\"")
    let sixty = String(repeating: "ä", count: 60)
    #expect(shown(sixty) == "\"\(sixty)\"")
    #expect(shown(sixty + "b") == "\"\(String(repeating: "ä", count: 57))…\"")
    // A single character that is a megabyte long.
    let long = "e" + String(repeating: "\u{301}", count: 500_000)
    #expect(shown(long).unicodeScalars.count == 60)
  }
}
