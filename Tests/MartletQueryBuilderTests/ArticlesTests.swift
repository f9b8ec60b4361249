import Foundation
import TestSupport
import Testing

/// Every example in the documentation's articles stands, as it is, in a test that runs it.
@Suite struct ArticlesTests {
  private static func files(under folder: String, _ suffix: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: Repository.root + "/" + folder)
    return (all?.allObjects as? [String] ?? []).filter { $0.hasSuffix(suffix) }
      .map { folder + "/" + $0 }.sorted()
  }

  static let articles = files(under: "Sources", ".md").filter { $0.contains(".docc/") }

  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  @Test(arguments: articles) func examplesAreCompiled(_ article: String) throws {
    let code = try Self.files(under: "Tests/MartletStoreTests/Articles", ".swift")
      .map { "\n" + lines(try Repository.text($0)).joined(separator: "\n") + "\n" }
    let blocks = try Repository.text(article).components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    for block in blocks {
      let wanted = "\n" + lines(block).joined(separator: "\n") + "\n"
      #expect(code.contains { $0.contains(wanted) }, "\(article):\n\(block)")
    }
  }

  @Test func thereAreArticles() { #expect(Self.articles.count >= 10) }
}
