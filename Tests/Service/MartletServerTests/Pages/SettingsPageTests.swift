import Foundation
import MartletTime
import TestSupport
import Testing

@testable import MartletServer

@Suite("docs/settings.md") struct SettingsPageTests {
  /// A setting as documented by the page or by `--help`.
  struct Told: Hashable, CustomStringConvertible {
    var flag: String
    var variable: String
    /// The default; empty for switches and lists.
    var fallback: String
    var description: String { "\(flag) \(variable) (\(fallback))" }
  }

  @Test(
    "Its tables agree with the --help of the commands",
    arguments: [
      "serve", "key", "migrate", "backup", "restore", "export", "import", "seed", "health",
      "version",
    ])
  func agrees(command: String) throws {
    let help = try MartletProcess.run([command, "--help"]).output
    let page = try Repository.text("docs/settings.md")
    let program = Self.settings(inHelp: help)
    let written = Self.settings(inPage: page, section: command)
    #expect(Set(written).subtracting(program) == [], "only the page has these")
    #expect(Set(program).subtracting(written) == [], "only the program has these")
    #expect(program.count == help.split(separator: "\n").filter { $0.hasPrefix("  --") }.count)
  }

  @Test("The fixed limits are those that the program has")
  func fixedLimits() throws {
    let page = try Repository.text("docs/settings.md")
    let section = try #require(page.firstRange(of: "### Fixed limits"))
    let rows = page[section.upperBound...]
      .matches(of: /(?m)^\| `([A-Za-z.]+)` \| `([^`]+)` \|/)
    #expect(rows.count == 35)
    let bounds = LimitSetting.Bounds()
    for row in rows {
      let (member, value) = (String(row.1), String(row.2))
      let owners: [(String, Any)] = [
        ("server.limits.", bounds.http), ("database.", bounds.store),
        ("api.", bounds.api), ("keys.", bounds.gate),
      ]
      let owner = try #require(owners.first { member.hasPrefix($0.0) }, "\(member)")
      let name = String(member.dropFirst(owner.0.count))
      let limit = Mirror(reflecting: owner.1).children.first { $0.label == name }?.value
      let text =
        switch limit {
        case let time as Duration: Quantity.duration.text(time.wholeMilliseconds)
        case let size as Int where value.hasSuffix("iB"): Quantity.size.text(size)
        case let count as Int: "\(count)"
        default: "no such limit"
        }
      #expect(value == text, "\(member)")
    }
  }

  /// Reads the output of `--help`:
  ///
  ///     --port N  the port to listen on, 0 to 65535 (8080)
  ///               MARTLET_PORT
  static func settings(inHelp help: String) -> [Told] {
    let lines = help.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    return zip(lines, lines.dropFirst()).compactMap { line, next in
      guard line.hasPrefix("--") else { return nil }
      let fallback = line.firstMatch(of: /\(([^()]*)\)$/).map { String($0.1) } ?? ""
      return Told(
        flag: String(line.prefix { $0 != " " }), variable: String(next), fallback: fallback)
    }
  }

  /// Reads the rows ``| `--port` | `MARTLET_PORT` | `8080` | … |`` of a section.
  static func settings(inPage page: String, section: String) -> [Told] {
    let sections = page.components(separatedBy: "\n## ")
    guard let text = sections.first(where: { $0.hasPrefix(section + "\n") }) else { return [] }
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("| `--"), cells.count == 4 else { return nil }
      let code = cells.map { $0.firstMatch(of: /^`(.*)`$/).map { String($0.1) } }
      return Told(flag: code[0] ?? "", variable: code[1] ?? "", fallback: code[2] ?? "")
    }
  }
}
