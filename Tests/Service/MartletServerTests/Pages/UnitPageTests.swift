import Foundation
import TestSupport
import Testing

/// Compares `docs/operating.md` with the unit `packaging/martlet.service`.
@Suite("docs/operating.md and the unit") struct UnitPageTests {
  private let unit: [String: String]
  private let page: String
  /// The section "With systemd".
  private let section: String

  init() throws {
    let lines = try Repository.text("packaging/martlet.service").split(separator: "\n")
    let pairs = lines.filter { !$0.hasPrefix("#") && $0.contains("=") }.map { line in
      let pieces = line.split(separator: "=", maxSplits: 1)
      return (String(pieces[0]), pieces.count > 1 ? String(pieces[1]) : "")
    }
    unit = Dictionary(pairs) { "\($0) \($1)" }
    page = try Repository.text("docs/operating.md")
    section = try #require(
      page.components(separatedBy: "\n## ").first { $0.hasPrefix("With systemd") })
  }

  /// The value of a flag in the command of the unit.
  private func flag(_ name: String) throws -> String {
    let words = try #require(unit["ExecStart"]).split(separator: " ").map(String.init)
    return words[try #require(words.firstIndex(of: "--\(name)")) + 1]
  }

  @Test("The unit can write to the documented folders")
  func folders() throws {
    // Everything else is read-only, and the user ID can change at each start (systemd.exec(5)).
    #expect(unit["ProtectSystem"] == "strict" && unit["DynamicUser"] == "yes")
    #expect(unit["ReadWritePaths"] == nil)
    let state = "/var/lib/\(try #require(unit["StateDirectory"]))/"
    #expect(try flag("database").hasPrefix(state))
    let backups = section.matches(of: #/(?m)^ +backup-dir = (\S+)$/#).map { String($0.1) }
    #expect(backups == ["\(state)backups"])
    #expect(page.contains("`\(backups[0])`"))
    for path in page.matches(of: #/--backup-dir (\S+)/#) {
      #expect(!path.1.hasPrefix("/") || path.1.hasPrefix(state), "\(path.0)")
    }
  }

  @Test("A system call that the unit denies is an error, and the ones of libdispatch are allowed")
  func systemCalls() throws {
    // Without an error number, systemd ends the process (systemd.exec(5)).
    #expect(unit["SystemCallErrorNumber"] == "EPERM")
    let allowed = try #require(unit["SystemCallFilter"]).split(separator: "@resources ")[1]
    #expect(allowed.split(separator: " ").sorted() == ["prlimit64", "setpriority", "setrlimit"])
  }

  @Test("The documented lines of the file are valid settings, and the paths those of the unit")
  func lines() throws {
    // The user of the unit is not root, and must be able to read the file.
    #expect(section.contains("install -m 644 /dev/null \(try flag("config")) "))
    let manual = try #require(unit["Documentation"])
    let folder = try #require(
      section.firstMatch(of: #/install -D -m 644 -t (\S+) docs/\*\.md\n/#)?.1)
    #expect(manual.hasPrefix("file://\(folder)/"))
    _ = try Repository.text("docs/" + manual.dropFirst("file://\(folder)/".count))
    #expect(section.contains("--database \(try flag("database"))"))
    let program = try #require(unit["ExecStart"]).prefix { $0 != " " }
    #expect(section.contains(".build/release/martlet \(program)\n"))
    let temporary = try TemporaryFolder()
    let settings = section.split(separator: "\n").filter {
      $0.wholeMatch(of: #/    [a-z-]+ = \S+/#) != nil
    }
    #expect(settings.count == 2)
    // The folder of the unit does not exist here, so it is replaced.
    let file = settings.joined(separator: "\n").replacing("/var/lib/martlet", with: temporary.path)
    try file.write(toFile: temporary.file("martlet.conf"), atomically: true, encoding: .utf8)
    let config = ["config", "--config", "martlet.conf", "--port", "0"]
    let result = try MartletProcess.run(config, in: temporary)
    #expect(result.code == 0, "\(result.errors)")
    for line in settings {
      let name = try #require(line.split(separator: "=").first).trimmingCharacters(in: .whitespaces)
      let told = result.output.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
      #expect(told?.contains("# martlet.conf:") == true, "\(name) in \(result.output)")
    }
  }

  @Test("A migration at the start may take long, with systemd and in a container")
  func start() throws {
    #expect(unit["Type"] == "notify" && unit["TimeoutStartSec"] == "infinity")
    let image = try Repository.text("Dockerfile")
    #expect(image.firstMatch(of: #/--start-period=(\d+)h /#)?.1 == "1")
  }

  @Test("systemd waits longer than a clean stop takes")
  func timeout() throws {
    let help = try MartletProcess.run(["serve", "--help"]).output
    let drain = try #require(help.firstMatch(of: #/stopped \((\d+)s\)/#)?.1)
    #expect(try #require(Int(unit["TimeoutStopSec"] ?? "")) > Int(drain) ?? .max)
  }
}
