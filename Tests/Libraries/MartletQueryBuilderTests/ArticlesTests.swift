import Foundation
import TestSupport
import Testing

/// Every example of the documentation's articles occurs unchanged in a test that runs it.
@Suite struct ArticlesTests {
  private static func files(under folder: String, _ suffix: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: Repository.root + "/" + folder)
    return (all?.allObjects as? [String] ?? []).filter { $0.hasSuffix(suffix) }
      .map { folder + "/" + $0 }.sorted()
  }

  static let articles = files(under: "Sources", ".md").filter { $0.contains(".docc/") }

  private func lines(_ text: String) -> [String] {
    // A test may need other imports than a program, or `@testable` ones.
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
  }

  @Test(arguments: articles) func examplesAreCompiled(_ article: String) throws {
    let code = try Self.files(under: "Tests", ".swift").filter { $0.contains("/Articles/") }
      .map { "\n" + lines(try Repository.text($0)).joined(separator: "\n") + "\n" }
    let blocks = try Repository.text(article).components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    for block in blocks {
      let wanted = "\n" + lines(block).joined(separator: "\n") + "\n"
      // A block of imports alone.
      guard !lines(block).isEmpty else { continue }
      #expect(code.contains { $0.contains(wanted) }, "\(article):\n\(block)")
    }
  }

  @Test func thereAreArticles() { #expect(Self.articles.count >= 20) }
}
