import Foundation
import TestSupport
import Testing

@Suite("docs/http.md") struct HTTPPageTests {
  /// A row of the table: ``| 19 | … | `Suite.test`, `case-*.http` |``.
  struct Row {
    let item: Int
    /// The names in backticks in the last cell.
    let tests: [String]
  }

  @Test("It has the items 1 to 91 in order")
  func items() throws {
    #expect(try Self.rows().map(\.item) == Array(1...91))
  }

  @Test("Each named test exists and has the number of the item")
  func tests() throws {
    let known = try NumberedTests()
    for row in try Self.rows() {
      let named = row.tests.filter { !$0.hasPrefix("make ") }
      #expect(!named.isEmpty, "item \(row.item) has no test")
      for name in named {
        let items = known.items(of: name)
        #expect(!items.isEmpty, "item \(row.item): there is no test \(name)")
        #expect(items.contains(row.item), "\(name) does not say (item \(row.item))")
      }
    }
  }

  @Test("Each test with a number is in the row of its item")
  func numbers() throws {
    let rows = Dictionary(uniqueKeysWithValues: try Self.rows().map { ($0.item, $0.tests) })
    for (name, items) in try NumberedTests().all {
      for item in items {
        #expect(
          rows[item]?.contains { NumberedTests.matches(name, $0) } == true,
          "\(name) is not in the row of item \(item)")
      }
    }
  }

  private static func rows() throws -> [Row] {
    try Repository.text("docs/http.md").split(separator: "\n").compactMap { line in
      guard let match = line.firstMatch(of: /^\| (\d+) \| .+ \| ([^|]+) \|$/),
        let item = Int(match.1)
      else { return nil }
      return Row(item: item, tests: match.2.matches(of: /`([^`]+)`/).map { String($0.1) })
    }
  }
}

/// The tests whose titles contain `item 19`, and the cases whose first lines do.
struct NumberedTests {
  /// The items by `Suite.test`, `Suite` or `case.http`.
  private(set) var all: [String: Set<Int>] = [:]

  init() throws {
    let root = URL(fileURLWithPath: Repository.root + "/Tests").resolvingSymlinksInPath().path
    for file in try FileManager.default.subpathsOfDirectory(atPath: root).sorted() {
      if file.hasSuffix("Cases.http") {
        let text = try Repository.text("Tests/" + file)
        for each in text.components(separatedBy: "### ").dropFirst() {
          let name = each.prefix { $0 != "\n" }
          add("\(name).http", each.matches(of: /(?m)^# item (\d+)/).map(\.1))
        }
      } else if file.hasSuffix("Tests.swift") {
        read(try Repository.text("Tests/" + file))
      }
    }
  }

  /// The items of a test, or of all tests that match the name.
  func items(of name: String) -> Set<Int> {
    all[name]
      ?? all.filter { Self.matches($0.key, name) }.values.reduce(into: []) {
        $0.formUnion($1)
      }
  }

  /// Whether a name matches a test: `host-*.http` has a wildcard, `Suite` includes its tests.
  static func matches(_ test: String, _ name: String) -> Bool {
    guard let star = name.firstIndex(of: "*") else {
      return test == name || test.hasPrefix(name + ".")
    }
    return test.hasPrefix(name[..<star]) && test.hasSuffix(name[name.index(after: star)...])
  }

  private mutating func add(_ name: String, _ numbers: [Substring]) {
    let items = numbers.compactMap { Int($0) }
    if !items.isEmpty { all[name, default: []].formUnion(items) }
  }

  /// Reads a file. A title belongs to the declaration that follows it.
  private mutating func read(_ text: String) {
    guard text.contains("(item ") else { return }
    var suite = ""
    var title: String.Index?
    for match in text.matches(of: /@(?:Suite|Test)\b|\b(struct|enum|func) (\w+)/) {
      guard let kind = match.1, let name = match.2 else {
        title = match.range.lowerBound
        continue
      }
      let words = title.map { text[$0..<match.range.lowerBound] } ?? ""
      let numbers = words.matches(of: /\bitem (\d+)/).map(\.1)
      if kind == "func" {
        if words.hasPrefix("@Test") { add("\(suite).\(name)", numbers) }
      } else if words.hasPrefix("@Suite") || name.hasSuffix("Tests") {
        suite = String(name)
        add(suite, numbers)
      } else {
        continue
      }
      title = nil
    }
  }
}
