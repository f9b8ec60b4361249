import MartletQueryBuilder
import Testing

@Suite struct SearchPatternTests {
  private func raw(_ patterns: [SearchPattern?]) -> String? {
    SearchPattern(allOf: patterns.compactMap { $0 })?.rawValue
  }

  @Test func oneOfSeveralPhrases() {
    let grey = SearchPattern(anyOf: ["grey", "gray"])
    #expect(grey?.rawValue == #""grey" OR "gray""#)
    #expect(SearchPattern(anyOf: ["gr", ""], isPrefix: true)?.rawValue == #""gr"*"#)
    #expect(SearchPattern(anyOf: [""]) == nil)
    let near = SearchPattern(nearAnyOf: [["a", "b"], ["a", "c"]], distance: 3)
    #expect(near?.rawValue == #"NEAR("a" "b", 3) OR NEAR("a" "c", 3)"#)
    let words = SearchPattern(allOf: ["a", "!"])
    #expect(raw([words, grey]) == #""grey" "a" "!" OR "gray" "a" "!""#)
    #expect(
      raw([grey?.in(column: "title"), words, SearchPattern(anyOf: ["x", "y"])])
        == #"({"title"} : "grey" "a" "!" OR {"title"} : "gray" "a" "!") AND ("x" OR "y")"#)
  }
}
