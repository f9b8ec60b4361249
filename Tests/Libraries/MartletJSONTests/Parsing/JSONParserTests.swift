import MartletJSON
import TestSupport
import Testing

@Suite("RFC 8259") struct JSONParserTests {
  @Test func keepsOrderDuplicatesAndNumbers() throws {
    let value = try JSONValue.parse(
      #" { "b" : 1 , "a":[ -0 , 1.50 , 9223372036854775807 , 9223372036854775808 ] ,"b":null } "#
    )
    #expect(
      value.description
        == #"{"b":1,"a":[-0,1.50,9223372036854775807,9223372036854775808],"b":null}"#)
    #expect(value.object?["b"] == .null)
    #expect(value.object?["a"]?.array?[0] == JSONNumber("-0").map(JSONValue.number))
    #expect(value.object?["a"]?.array?[2] == .integer(.max))
    #expect(try JSONValue.parse("-9223372036854775808") == .integer(.min))
  }

  @Test func escapes() throws {
    #expect(
      try JSONValue.parse(#""\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\uD834\uDD1E\u0000""#)
        == "\"\\/\u{8}\u{C}\n\r\tA\u{E9}\u{20AC}\u{1D11E}\0")
    #expect(try JSONValue.parse("\"\u{1D11E}\u{7F}\u{FFFF}\"") == "\u{1D11E}\u{7F}\u{FFFF}")
  }

  private static let faults: [(String, String, String, Int, Int, Int)] = [
    ("", "a value", "the end", 0, 1, 1),
    ("  ", "a value", "the end", 2, 1, 3),
    ("\u{FEFF}{}", "a value", "U+FEFF", 0, 1, 1),
    ("{\"a\":1,}", "a member's name", "'}'", 7, 1, 8),
    ("{,}", "a member's name or '}'", "','", 1, 1, 2),
    ("[1,]", "a value", "']'", 3, 1, 4),
    ("[,]", "a value or ']'", "','", 1, 1, 2),
    ("[1 2]", "',' or ']'", "'2'", 3, 1, 4),
    ("{\"a\" 1}", "':'", "'1'", 5, 1, 6),
    ("{\n  \"ü\": tru\n}", "'true'", "the control character U+000A", 13, 2, 11),
    ("1 2", "nothing after the value", "'2'", 2, 1, 3),
    ("01", "no digit after a leading zero", "'1'", 1, 1, 2),
    ("-", "a digit", "the end", 1, 1, 2),
    ("1.", "a digit after the point", "the end", 2, 1, 3),
    ("1e+", "a digit in the exponent", "the end", 3, 1, 4),
    ("\"abc", "'\"' at the end of the string", "the end", 4, 1, 5),
    (
      "\"abcdefgh\n\"", "an escape such as \\n in place of a control character",
      "the control character U+000A", 9, 1, 10
    ),
    ("\"\\x\"", "one of \" \\ / b f n r t u after a backslash", "'x'", 2, 1, 3),
    ("\"\\u12g4\"", "four hexadecimal digits after \\u", "'g'", 5, 1, 6),
    ("\"\\u123\"", "four hexadecimal digits after \\u", "'\"'", 6, 1, 7),
    ("\"\\uD834x\"", "the second half of a surrogate pair", "'x'", 7, 1, 8),
    ("\"\\uD834\\u0041\"", "the second half of a surrogate pair", "'\\'", 7, 1, 8),
    ("\"a\\uDD1E\"", "the first half of a surrogate pair", "'\\'", 2, 1, 3),
  ]

  @Test(arguments: faults)
  func says(
    _ text: String, _ expected: String, _ found: String, _ offset: Int, _ line: Int, _ column: Int
  ) {
    do throws(JSONError) {
      let value = try JSONValue.parse(text)
      Issue.record("accepted as \(value)")
    } catch {
      #expect(error.expected == expected)
      #expect(error.found == found)
      #expect([error.offset, error.line, error.column] == [offset, line, column])
      #expect(
        error.description
          == "expected \(expected), found \(found) at line \(line), column \(column)")
    }
  }

  @Test(
    arguments: [
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xE2, 0x82], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
      [0xFF], [0xF0, 0x9D, 0x84],
    ] as [[UInt8]])
  func badUTF8(_ bytes: [UInt8]) {
    for padding in 0..<10 {
      for escape in ["", "\\n"] {
        let before = Array("\"".utf8) + [UInt8](repeating: 0x61, count: padding)
        do throws(JSONError) {
          _ = try JSONValue.parse(before + bytes + Array("\(escape)bcdefghij\"".utf8))
          Issue.record("accepted \(bytes)")
        } catch {
          #expect(error.expected == "UTF-8")
          #expect(error.offset == before.count)
        }
      }
    }
  }

  @Test func depthIsLimitedBeforeTheDescent() throws {
    func nested(_ count: Int) -> [UInt8] {
      [UInt8](repeating: UInt8(ascii: "["), count: count)
        + [UInt8](repeating: UInt8(ascii: "]"), count: count)
    }
    #expect(throws: Never.self) { try JSONValue.parse(nested(64)) }
    #expect(throws: JSONError.self) { try JSONValue.parse(nested(65)) }
    #expect(throws: Never.self) { try JSONValue.parse(nested(128), depthLimit: .max) }
    #expect(throws: JSONError.self) { try JSONValue.parse(nested(129), depthLimit: .max) }
    #expect(throws: JSONError.self) { try JSONValue.parse("[]", depthLimit: 0) }
    #expect(throws: Never.self) { try JSONValue.parse("1", depthLimit: 0) }
    for opening in ["[", "{\"a\":"] {
      let bomb = Array(repeatElement(opening.utf8, count: 1_000_000).joined())
      do throws(JSONError) {
        _ = try JSONValue.parse(bomb)
      } catch {
        #expect(error.expected == "at most 64 levels of nesting")
        #expect(error.offset == 64 * opening.utf8.count)
      }
    }
    // Siblings are not nested.
    #expect(throws: Never.self) {
      try JSONValue.parse("[" + repeatElement("[[]]", count: 100).joined(separator: ",") + "]")
    }
  }

  @Test func writtenValuesReadBackEqual() throws {
    var random = SeededRandom()
    for _ in 0..<3000 {
      let value = RandomJSON.value(&random)
      #expect(try JSONValue.parse(value.description) == value, "seed \(random.seed)")
    }
  }

  @Test func everyPrefixIsRefused() throws {
    var random = SeededRandom()
    for _ in 0..<100 {
      let text = Array("[\(RandomJSON.value(&random))]".utf8)
      for end in text.indices {
        #expect(throws: JSONError.self, "seed \(random.seed)") {
          try JSONValue.parse(Array(text[..<end]))
        }
      }
    }
  }

  @Test func noMutationCrashes() {
    var random = SeededRandom()
    let interesting = Array("\"\\{}[],:0-.eEu \u{0}\n".utf8) + [0x80, 0xC3, 0xED, 0xF0, 0xFF]
    for _ in 0..<4000 {
      var text = Array(RandomJSON.value(&random).description.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) where !text.isEmpty {
        let place = Int.random(in: 0..<text.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: text[place] = interesting.randomElement(using: &random)!
        case 1: text.remove(at: place)
        case 2: text.insert(interesting.randomElement(using: &random)!, at: place)
        default: text[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
      }
      // A text that is still accepted reads back as the same value.
      if let value = try? JSONValue.parse(text) {
        #expect((try? JSONValue.parse(value.description)) == value, "seed \(random.seed)")
      }
    }
  }
}
