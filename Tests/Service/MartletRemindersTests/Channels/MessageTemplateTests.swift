import MartletJSON
import Testing

@testable import MartletReminders

@Suite("Templates of messages") struct MessageTemplateTests {
  private func filled(_ text: String, _ type: String, _ value: String) -> String {
    let template = MessageTemplate(text, mediaType: type)
    #expect(template.problem == nil)
    return template.filled { _ in value }
  }

  @Test(
    "Values are escaped for the media type",
    arguments: [
      ("application/json", #"{"t":"{{title}}"}"#, #"{"t":"a \"b\" \\ & é\n"}"#),
      ("application/vnd.api+json", #"["{{ title }}"]"#, #"["a \"b\" \\ & é\n"]"#),
      ("application/x-www-form-urlencoded", "t={{title}}", "t=a+%22b%22+%5C+%26+%C3%A9%0A"),
      ("text/plain", "{{title}}!", "a \"b\" \\ & é\n!"),
    ])
  func escaping(_ type: String, _ text: String, _ result: String) {
    #expect(filled(text, type, "a \"b\" \\ & é\n") == result)
  }

  @Test("No value can leave its place: the result is JSON with that value")
  func hostile() throws {
    for value in [
      "\"", "\\", "\\\"", "\",\"x\":\"", "{{title}}", "\u{0}\u{1F}\u{2028}", "</script>",
    ] {
      let text = filled(#"{"a":{"{{title}}":["{{notes}}",{}]}}"#, "application/json", value)
      let object = try #require(JSONValue.stored(text)?.object?["a"]?.object)
      #expect(object.members.map(\.name) == [value])
      #expect(object.members.first?.value.array?.first?.string == value)
    }
  }

  @Test("A URL has the secret and the ID of the event behind its host, each as one segment")
  func urls() {
    let url = MessageTemplate(url: "https://a.example/bot{{secret}}/x?id={{event}}")
    #expect(url.problem == nil)
    #expect(
      url.filled { $0 == .secret ? "1:a/b?c#ü %" : "e-1" }
        == "https://a.example/bot1%3Aa%2Fb%3Fc%23%C3%BC%20%25/x?id=e-1")
    #expect(
      MessageTemplate(url: "https://a.example/{{title}}").problem?.contains("unknown") == true)
    for text in ["https://{{secret}}/", "https://a{{secret}}", "http{{secret}}://a/", "{{secret}}"]
    {
      #expect(MessageTemplate(url: text).problem == "has a placeholder before the path", "\(text)")
    }
    #expect(MessageTemplate(field: "Bearer {{secret}}").filled { _ in "a b" } == "Bearer a b")
    #expect(MessageTemplate(field: "{{notes}}").problem?.contains("unknown") == true)
  }

  @Test("Braces that are no placeholder stay")
  func braces() {
    #expect(
      filled("{{}} {{ {{title}} }} {{a b}} {{", "text/plain", "x") == "{{}} {{ x }} {{a b}} {{")
    #expect(filled(#"{"a":{"b":{}}}"#, "application/json", "x") == #"{"a":{"b":{}}}"#)
  }

  @Test(
    "Faults",
    arguments: [
      ("{{titel}}", "text/plain", "{{titel}} is unknown; expected {{title}}, {{notes}}"),
      (#"{"a": {{title}}}"#, "application/json", "is not JSON"),
      ("{", "application/json", "is not JSON"),
      (String(repeating: "{{id}}", count: 101), "text/plain", "at most 100 placeholders, got 101"),
    ])
  func faults(_ text: String, _ type: String, _ problem: String) {
    #expect(MessageTemplate(text, mediaType: type).problem?.contains(problem) == true)
  }
}
