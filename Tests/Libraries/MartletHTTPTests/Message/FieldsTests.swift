import Testing

@testable import MartletHTTP

@Suite("Response fields cannot split a response (item 48)")
struct FieldsTests {
  @Test(
    "Control characters are refused", arguments: ["a\r\nb: c", "a\nb", "a\rb", "a\0b", "a\u{7F}"])
  func controls(_ value: String) {
    var fields = Fields()
    let isAdded = fields.append("X", value) || fields.append(name: "X", value)
    #expect(!isAdded)
    fields["X"] = value
    #expect(fields.isEmpty)
  }

  @Test("Names must be tokens", arguments: ["", "A B", "A:", "A\r\n", "Ä"])
  func names(_ name: String) {
    var fields = Fields()
    let isAdded = fields.append(name: name, "x")
    #expect(!isAdded)
    #expect(fields.isEmpty)
  }

  @Test("Fields that the server writes are refused")
  func reserved() {
    var fields = Fields()
    for name in ["content-length", "Transfer-Encoding", "Connection", "date"] {
      let isAdded = fields.append(name: name, "1")
      #expect(!isAdded)
    }
    #expect(fields.isEmpty)
  }

  @Test("Fields are set, replaced, removed and listed in order, ignoring case")
  func editing() {
    var fields = Fields(["Vary": "Accept", "ETag": "\"1\""])
    fields.append("vary", "Origin")
    #expect(fields.all.map(\.name) == ["Vary", "ETag", "vary"])
    #expect(fields["VARY"] == "Accept")
    fields["ETag"] = "\"2\""
    #expect(fields["etag"] == "\"2\"")
    fields["Vary"] = nil
    #expect(fields.description == "ETag: \"2\"\r\n")
    #expect(!fields.contains("Vary"))
  }
}
