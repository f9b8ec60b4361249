import Foundation
import MartletJSON
import Testing

/// Runs every file of the public JSON parsing test suite.
@Suite("JSON parsing suite (item 67)") struct ParsingSuiteTests {
  static let directory = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Cases/parsing")

  static func names(_ prefix: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
    return (names ?? []).filter { $0.hasPrefix(prefix) }.sorted()
  }

  static func parse(_ name: String) throws -> JSONValue {
    try JSONValue.parse([UInt8](Data(contentsOf: directory.appending(path: name))))
  }

  @Test func nothingIsMissing() {
    #expect(Self.names("y_").count >= 95)
    #expect(Self.names("n_").count >= 187)
    #expect(Self.names("i_").count >= 35)
  }

  @Test(arguments: names("y_")) func accepts(_ name: String) throws {
    let value = try Self.parse(name)
    // The value can be written and reads back equal.
    #expect(try JSONValue.parse(value.description) == value)
  }

  @Test(arguments: names("n_")) func refuses(_ name: String) {
    #expect(throws: JSONError.self) { try Self.parse(name) }
  }

  @Test(.timeLimit(.minutes(10)), arguments: names("i_"))
  func survives(_ name: String) throws {
    let isNumber = name.hasPrefix("i_number")
    if isNumber {
      _ = try Self.parse(name)
    } else {
      // Malformed UTF-8, unpaired surrogates, a byte order mark and 500 levels are all rejected.
      #expect(throws: JSONError.self) { try Self.parse(name) }
    }
  }
}
