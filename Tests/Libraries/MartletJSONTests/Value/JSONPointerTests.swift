import MartletJSON
import Testing

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
