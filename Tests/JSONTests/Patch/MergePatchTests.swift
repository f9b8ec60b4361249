import JSON
import Testing

@Suite("RFC 7396") struct MergePatchTests {
  @Test(
    "Appendix A (item 68)",
    arguments: [
      (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
      (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
      (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
      (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
      (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
      (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
      (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
      (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
      (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
      (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
      (#"{"a":"foo"}"#, #"null"#, #"null"#),
      (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
      (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
      (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
      (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
  func appendixA(_ target: String, _ patch: String, _ result: String) throws {
    let patched = MergePatch.apply(try .parse(patch), to: try .parse(target))
    #expect(patched.description == result)
  }

  @Test func placesAreKept() throws {
    #expect(
      MergePatch.apply(["c": 5, "d": ["x": .null], "a": .null], to: ["a": 1, "b": 2, "c": 3])
        .description == #"{"b":2,"c":5,"d":{}}"#)
  }

  @Test func lastDuplicateCounts() {
    #expect(MergePatch.apply(["a": 1, "a": .null], to: ["a": 0, "b": 0]) == ["b": 0])
    #expect(MergePatch.apply(["a": .null, "a": 1], to: [:]) == ["a": 1])
    #expect(MergePatch.apply(["b": 2], to: ["a": 0, "a": 1]) == ["a": 1, "b": 2])
    #expect(MergePatch.apply(["a": ["y": 1]], to: ["a": ["x": 0], "a": 1]) == ["a": ["y": 1]])
  }

  @Test func differences() {
    #expect(MergePatch.diff(from: ["a": 1, "b": 2], to: ["b": 2, "a": 1]) == [:])
    #expect(
      MergePatch.diff(
        from: ["a": 1, "b": ["x": 1, "y": 2]], to: ["b": ["x": 1, "y": 3], "c": [.null]])
        == ["a": .null, "b": ["y": 3], "c": [.null]])
    #expect(MergePatch.diff(from: ["a": .null, "b": 1], to: ["a": .null, "b": 2]) == ["b": 2])
    #expect(MergePatch.diff(from: 1, to: .null) == .null)
    #expect(MergePatch.diff(from: [1], to: ["a": 1]) == ["a": 1])
    #expect(MergePatch.diff(from: ["a": "\u{E9}"], to: ["a": "e\u{301}"]) == ["a": "e\u{301}"])
  }

  @Test func whatNoPatchCanDo() {
    #expect(MergePatch.diff(from: ["a": 1], to: ["a": .null]) == nil)
    #expect(MergePatch.diff(from: [:], to: ["a": ["b": .null]]) == nil)
    #expect(MergePatch.diff(from: 1, to: ["a": .null]) == nil)
    #expect(MergePatch.diff(from: ["a": ["b": 1]], to: ["a": ["b": .null]]) == nil)
  }

  @Test func appliedDifferenceGivesTheNewValue() {
    var random = SeededGenerator()
    var possible = 0
    for _ in 0..<4000 {
      let old = RandomJSON.value(depth: 3, &random)
      var new = RandomJSON.value(depth: 3, &random)
      if case .object(var object) = old, Bool.random(using: &random) {
        if let name = object.members.randomElement(using: &random)?.name {
          object[name] = .random(using: &random) ? nil : RandomJSON.value(depth: 2, &random)
        }
        new = .object(object)
      }
      guard let patch = MergePatch.diff(from: old, to: new) else { continue }
      possible += 1
      #expect(
        MergePatch.apply(patch, to: old).isEquivalent(to: new),
        "\(old) to \(new) by \(patch), seed \(random.seed)")
    }
    #expect(possible > 1000)
  }
}
