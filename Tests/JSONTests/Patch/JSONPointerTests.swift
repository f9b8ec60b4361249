import JSON
import Testing

@Suite("RFC 6901") struct JSONPointerTests {
  /// Section 5's document, in this project's words: one name for each thing that needs care.
  let document: JSONValue = [
    "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6,
    " ": 7, "m~n": 8, "~1": 9, "01": 10, "-": 11,
  ]

  @Test(
    arguments: [
      ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/foo/1", "baz"), ("/", 0), ("/a~1b", 1),
      ("/c%d", 2), ("/e^f", 3), ("/g|h", 4), ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
      ("/~01", 9), ("/01", 10), ("/-", 11),
    ] as [(String, JSONValue)])
  func resolves(_ text: String, _ value: JSONValue) throws {
    let pointer = try #require(JSONPointer(parsing: text))
    #expect(pointer.resolve(in: document) == value)
    #expect(pointer.description == text)
  }

  @Test(arguments: [
    "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/-1", "/foo/+1", "/foo/", "/foo/0/0", "/nothing",
    "/foo/99999999999999999999", "/foo/١", "//",
  ])
  func leadsNowhere(_ text: String) throws {
    #expect(try #require(JSONPointer(parsing: text)).resolve(in: document) == nil)
  }

  @Test(arguments: ["foo", "foo/bar", "/~", "/~2", "/a~", "/~~", "#/foo", " /foo"])
  func refuses(_ text: String) {
    #expect(JSONPointer(parsing: text) == nil)
  }

  @Test func grows() {
    let pointer = JSONPointer().appending("tags").appending(0).appending("a/b~c")
    #expect(pointer.description == "/tags/0/a~1b~0c")
    #expect(JSONPointer(parsing: pointer.description) == pointer)
    #expect(JSONPointer().description == "")
    #expect(JSONPointer(parsing: "")?.resolve(in: document) == document)
    #expect(JSONPointer(["\u{E9}"]) != JSONPointer(["e\u{301}"]))
    #expect(JSONPointer(parsing: "/\u{301}a")?.tokens == ["\u{301}a"])
  }

  @Test func anyNameComesBack() {
    var random = SeededGenerator()
    for _ in 0..<1000 {
      let pointer = JSONPointer((0..<3).map { _ in RandomJSON.string(&random) })
      #expect(JSONPointer(parsing: pointer.description) == pointer, "seed \(random.seed)")
    }
  }
}
