import Foundation
import MartletJSON
import Testing

struct JSONValueTests {
  @Test func stringsAreTheirBytes() {
    let composed: JSONValue = ["\u{E9}": "\u{E9}"]
    let decomposed: JSONValue = ["e\u{301}": "e\u{301}"]
    #expect(composed != decomposed)
    #expect(!composed.isEquivalent(to: decomposed))
    #expect(JSONValue.string("\u{E9}") != "e\u{301}")
    let both: JSONObject = ["\u{E9}": 1, "e\u{301}": 2]
    #expect(both["\u{E9}"] == 1)
    #expect(Set([composed, decomposed]).count == 2)
  }

  @Test func orderAndDuplicatesCountForEqualityOnly() {
    let one: JSONValue = ["a": 1, "b": [["x": .null, "y": true]]]
    let other: JSONValue = ["b": [["y": true, "x": .null]], "a": 2, "a": 1]
    #expect(one != other)
    #expect(one.isEquivalent(to: other))
    #expect(!one.isEquivalent(to: ["a": 1]))
    #expect(!JSONValue.array([1, 2]).isEquivalent(to: [2, 1]))
  }

  @Test(arguments: [
    ("1", "1.0", true), ("-0", "0", true), ("10e-1", "1", true), ("1.50", "15e-1", true),
    ("9007199254740993", "9007199254740992.0", false), ("1.5", "1", false),
    ("1e999", "2e999", false),
    ("1e999", "1e999", true), ("1", "\"1\"", false), ("[1.0]", "[1]", true),
    ("{\"a\":1.0}", "{\"a\":1}", true),
  ])
  func numbersMeanTheSame(_ one: String, _ other: String, _ isSame: Bool) throws {
    let values = try [one, other].map { try JSONValue.parse($0) }
    #expect(values[0].isEquivalent(to: values[1]) == isSame)
    #expect(values[1].isEquivalent(to: values[0]) == isSame)
  }

  @Test func members() {
    var object: JSONObject = ["a": 1, "b": 2, "a": 3]
    #expect(object["a"] == 3)
    #expect(object["c"] == nil)
    object["a"] = 4
    #expect(JSONValue.object(object).description == #"{"a":1,"b":2,"a":4}"#)
    object["c"] = .null
    object["a"] = nil
    #expect(JSONValue.object(object).description == #"{"b":2,"c":null}"#)
  }

  @Test(.timeLimit(.minutes(10))) func manyMembersAreQuick() {
    let many = JSONObject((0..<200_000).map { ("\($0)", JSONValue.integer(Int64($0))) })
    let value = JSONValue.object(many)
    #expect(value.isEquivalent(to: .object(JSONObject(members: many.members.reversed()))))
  }

  /// Parsing, writing, comparing and hashing the deepest tree works on a small stack.
  @Test(
    .disabled(if: dlsym(nil, "__asan_init") != nil, "a sanitizer needs a larger stack"),
    arguments: ["[", "{\"a\":"])
  func deepestTreeOnSmallStack(_ opening: String) async {
    let closing = opening == "[" ? "]" : "}"
    let text =
      String(repeating: opening, count: JSONValue.greatestDepth - 1) + "[]"
      + String(repeating: closing, count: JSONValue.greatestDepth - 1)
    let isRight = await withCheckedContinuation { continuation in
      let thread = Thread {
        let value = try? JSONValue.parse(text, depthLimit: .max)
        let other = try? JSONValue.parse(text, depthLimit: .max)
        guard let value, let other else { return continuation.resume(returning: false) }
        continuation.resume(
          returning: value.description == text && value == other
            && value.isEquivalent(to: other) && value.hashValue == other.hashValue)
      }
      thread.stackSize = 512 * 1024
      thread.start()
    }
    #expect(isRight)
  }

  @Test func accessors() throws {
    let value: JSONValue = [.null, true, 7, 1.5, "x", [], [:]]
    let kinds = try #require(value.array).map(\.kind)
    #expect(
      kinds == [
        "null", "a boolean", "a number", "a number", "a string", "an array", "an object",
      ])
    #expect(value.array?[2].double == 7)
    #expect(value.array?[3].int64 == nil)
    #expect(value.array?[3].double == 1.5)
    #expect(value.array?[4].string == "x")
    #expect(value.array?[1].bool == true)
    #expect(value.array?[0].isNull == true)
    #expect(value.description == #"[null,true,7,1.5,"x",[],{}]"#)
  }
}

@Suite("RFC 6901") struct JSONPointerTests {
  @Test(
    arguments: [
      ([], ""), (["foo"], "/foo"), (["foo", "0"], "/foo/0"), ([""], "/"), (["a/b"], "/a~1b"),
      (["c%d"], "/c%d"), (["m~n"], "/m~0n"), (["~1"], "/~01"),
      (["tags", "a/b~c"], "/tags/a~1b~0c"),
      (["\u{301}a"], "/\u{301}a"),
    ] as [([String], String)])
  func text(_ tokens: [String], _ text: String) {
    #expect(Array(JSONPointer(tokens).description.utf8) == Array(text.utf8))
  }
}
