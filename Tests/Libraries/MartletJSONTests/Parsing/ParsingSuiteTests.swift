import MartletJSON
import TestSupport
import Testing

/// Runs every case of the public JSON parsing test suite.
@Suite("JSON parsing suite (item 67)") struct ParsingSuiteTests {
  private static let all = try! EscapedBytes.cases(
    "Tests/Libraries/MartletJSONTests/Cases/parsing.txt")

  private static func cases(_ prefix: String) -> [EscapedBytes.Case] {
    all.filter { $0.name.hasPrefix(prefix) }
  }

  @Test func nothingIsMissing() {
    #expect(Self.cases("y_").count >= 95)
    #expect(Self.cases("n_").count >= 187)
    #expect(Self.cases("i_").count >= 35)
  }

  @Test(arguments: cases("y_")) func accepts(_ each: EscapedBytes.Case) throws {
    let value = try JSONValue.parse(each.bytes)
    // The value can be written and reads back equal.
    #expect(try JSONValue.parse(value.description) == value)
  }

  @Test(arguments: cases("n_")) func refuses(_ each: EscapedBytes.Case) {
    #expect(throws: JSONError.self) { try JSONValue.parse(each.bytes) }
  }

  @Test(.timeLimit(.minutes(10)), arguments: cases("i_"))
  func survives(_ each: EscapedBytes.Case) throws {
    let isNumber = each.name.hasPrefix("i_number")
    if isNumber {
      _ = try JSONValue.parse(each.bytes)
    } else {
      // Malformed UTF-8, unpaired surrogates, a byte order mark and 500 levels are all rejected.
      #expect(throws: JSONError.self) { try JSONValue.parse(each.bytes) }
    }
  }
}
