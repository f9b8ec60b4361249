import Foundation
import Testing

/// Each file in `Golden` is a case: source, a line of `=`, and the expansion. `GOLDEN=rewrite` in
/// the environment replaces the expansions with the current ones; review the difference before
/// keeping it.
@Suite struct GoldenTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Golden")
  static let names = try! FileManager.default.contentsOfDirectory(atPath: folder.path)
    .filter { $0.hasSuffix(".txt") }.sorted()
  static let separator = "\n====\n"

  @Test(arguments: names) func expansion(_ name: String) throws {
    let file = Self.folder.appending(path: name)
    let text = try String(contentsOf: file, encoding: .utf8)
    let parts = text.components(separatedBy: Self.separator)
    let source = try #require(parts.first).trimmingCharacters(in: .newlines)
    let expansion = Expansion(of: source)
    // With errors, only the diagnostics matter.
    let code = expansion.diagnostics.isEmpty ? expansion.code : ""
    let made = (code + "\n" + expansion.diagnostics.joined(separator: "\n"))
      .trimmingCharacters(in: .whitespacesAndNewlines)
    if ProcessInfo.processInfo.environment["GOLDEN"] == "rewrite" {
      try "\(source)\(Self.separator)\(made)\n".write(to: file, atomically: true, encoding: .utf8)
    } else {
      let expected = parts.dropFirst().joined(separator: Self.separator)
      #expect(made == expected.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  @Test func foundTheCases() { #expect(Self.names.count >= 15) }
}
