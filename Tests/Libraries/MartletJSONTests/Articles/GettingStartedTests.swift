import MartletJSON
import TestSupport
import Testing

struct Point: JSONWritable {
  var x: Int
  var y: Int

  func writeJSON(into buffer: ByteBuffer) {
    JSONWriter.object(into: buffer) {
      $0.member("x", x)
      $0.member("y", y)
    }
  }
}

/// The examples of MartletJSON's article for newcomers.
@Suite struct GettingStartedTests {
  @Test("The article's parsing works as described") func parsing() throws {
    let value = try JSONValue.parse(#"{"title":"Milk","tags":["home","shop"],"price":1.50}"#)
    let title = value.object?["title"]?.string
    let tags = value.object?["tags"]?.array?.compactMap(\.string)
    let price = value.object?["price"]?.double
    #expect(title == "Milk" && tags == ["home", "shop"] && price == 1.5)
    #expect(value.description == #"{"title":"Milk","tags":["home","shop"],"price":1.50}"#)

    var message = ""
    do throws(JSONError) {
      _ = try JSONValue.parse(#"{"a":1,}"#)
    } catch {
      message = error.description
    }
    #expect(message == "expected a member's name, found '}' at line 1, column 8")

    let one = try JSONValue.parse(#"{"a":1.0,"b":[2]}"#)
    let other = try JSONValue.parse(#"{"b":[2],"a":1}"#)
    let isSame = one == other
    let meansTheSame = one.isEquivalent(to: other)
    #expect(!isSame && meansTheSame)
  }

  @Test("The article's writing works as described") func writing() {
    let buffer = ByteBuffer()
    JSONWriter.object(into: buffer) {
      $0.member("id", 7)
      $0.member("tags") { JSONWriter.array(into: $0) { $0.element("home") } }
    }
    let text = buffer.share().string
    #expect(text == #"{"id":7,"tags":["home"]}"#)

    [Point(x: 1, y: 2), Point(x: 3, y: 4)].writeJSON(into: buffer)
    #expect(buffer.share().string == #"[{"x":1,"y":2},{"x":3,"y":4}]"#)
  }

  @Test("Every example of the article is in this file") func examples() throws {
    let blocks = try CodeBlocks.of(
      page: "Sources/Libraries/MartletJSON/MartletJSON.docc/GettingStarted.md")
    #expect(blocks.count == 7)
    for block in blocks { #expect(try CodeBlocks.contains(block, in: #filePath), "\(block)") }
  }
}
