import Foundation
import TestSupport
import Testing

@Suite("docs/walks.md and docs/stages.md") struct WalksTests {
  @Test("Every named file exists")
  func files() throws {
    let named = try Self.code().filter { $0.hasSuffix(".swift") }
    #expect(named.count >= 10)
    let all = Set(try SourceTree.files())
    for file in named {
      #expect(
        file.contains("/")
          ? all.contains(file) : all.contains { $0.hasSuffix("/" + file) }, "\(file)")
    }
  }

  @Test("Every named symbol is declared in the named file")
  func symbols() throws {
    let tree = try SourceTree()
    let symbols = try Self.code().filter { $0.contains(/^[A-Z]\w*(\.\w+)?$/) }
    #expect(symbols.count >= 20)
    for symbol in symbols {
      #expect(!tree.files(declaring: symbol).isEmpty, "\(symbol) is declared nowhere")
    }
    for line in try Repository.text("docs/walks.md").split(separator: "\n") {
      guard let match = line.firstMatch(of: /^\d+\. `(\w+\.\w+)` in `(Sources\/[^`]+)`/) else {
        continue
      }
      let (symbol, file) = (String(match.1), String(match.2))
      #expect(tree.files(declaring: symbol).contains(file), "\(symbol) is not in \(file)")
    }
  }

  @Test("Every named metric is one of docs/metrics.md")
  func metrics() throws {
    let known = try Repository.text("docs/metrics.md")
    let named = try Self.code().filter { $0.hasPrefix("martlet_") }
    #expect(named.count >= 8)
    for metric in named { #expect(known.contains("| `\(metric)` |"), "\(metric)") }
  }

  /// The texts in backticks.
  private static func code() throws -> [String] {
    try ["docs/walks.md", "docs/stages.md"].flatMap { page in
      try Repository.text(page).matches(of: /`([^`\n]+)`/).map { String($0.1) }
    }
  }
}

/// The declarations in the Swift files under `Sources`.
struct SourceTree {
  private var texts: [String: String] = [:]

  init() throws {
    for file in try SourceTree.files() { texts[file] = try Repository.text(file) }
  }

  static func files() throws -> [String] {
    let folder = URL(fileURLWithPath: Repository.root + "/Sources").resolvingSymlinksInPath().path
    return try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".swift") }.map { "Sources/" + $0 }
  }

  /// The files that declare a symbol: the type `Foo`, or for `Foo.bar` a member `bar` in a
  /// declaration or extension of `Foo`.
  func files(declaring symbol: String) -> [String] {
    let parts = symbol.split(separator: ".").map(String.init)
    let isExtensible = parts.count == 2
    return texts.filter { _, text in
      guard declares(parts[0], in: text, orExtends: isExtensible) else { return false }
      return parts.count == 1 || declares(member: parts[1], in: text)
    }.map(\.key)
  }

  private func declares(_ type: String, in text: String, orExtends: Bool) -> Bool {
    let kinds = "struct|class|enum|actor|protocol|typealias" + (orExtends ? "|extension" : "")
    return matches("\\b(\(kinds)) (\\w+\\.)*\(type)\\b", in: text)
  }

  private func declares(member: String, in text: String) -> Bool {
    matches("\\b(func|var|let|case) \(member)\\b", in: text)
      || matches("\\bcase [^\\n]*\\b\(member)\\b", in: text)
  }

  private func matches(_ pattern: String, in text: String) -> Bool {
    text.range(of: pattern, options: .regularExpression) != nil
  }
}
