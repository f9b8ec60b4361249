import Foundation
import TestSupport
import Testing

@testable import MartletServer

@Suite("Manual pages and completions")
struct ManualTests {
  @Test("Each command and each setting has its place")
  func whole() throws {
    let pages = Dictionary(uniqueKeysWithValues: ManualPages.all)
    let configuration = try #require(pages["martlet.conf.5"])
    for command in Command.listed {
      let page = try #require(pages["martlet-\(command.rawValue).1"])
      for setting in command.settings {
        let flag = setting.flag.split(separator: "-").joined(separator: "\\-")
        #expect(page.contains("\\fB\\-\\-\(flag)\\fR"), "\(command) --\(setting.flag)")
        #expect(page.contains(setting.variable))
        if command == .serve, setting.flag != "config" {
          #expect(configuration.contains("\\fB\(flag) ="), "\(setting.flag)")
        }
      }
      for (name, text) in Completions.all {
        #expect(text.contains(command.rawValue), "\(name): \(command)")
        for setting in command.settings { #expect(text.contains(setting.flag), "\(name)") }
      }
    }
  }

  @Test("The exit codes are those of docs/operating.md, and fish completes the flags of serve")
  func details() throws {
    let program = try #require(Dictionary(uniqueKeysWithValues: ManualPages.all)["martlet.1"])
    for code in ["0", "1", "2", "74"] { #expect(program.contains("\\fB\(code)\\fR"), "\(code)") }
    let fish = try #require(Completions.all.first { $0.name.hasPrefix("fish") }).text
    let condition = try #require(fish.firstMatch(of: #/-n "(not [^"]+)" -a help/#)).1
    #expect(fish.contains("complete -c martlet -n \"\(condition)\" -l port -x"))
  }

  @Test("No line begins a macro by accident, and nothing of the table is lost")
  func escapes() {
    var page = Roff("a-b", section: 1, summary: "c\\d")
    page.section("First")
    page.paragraph(".conf is a name")
    page.paragraph("'quoted' — 1–2 …")
    page.entry("--flag", "N", ["means \\n"])
    page.example(["# one", ".two"])
    page.see([("martlet", 1), ("martlet.conf", 5)])
    #expect(
      page.text == """
        .TH A\\-B 1 "" "Martlet \(Program.version)"
        .SH NAME
        a\\-b \\- c\\ed
        .SH FIRST
        \\&.conf is a name
        .PP
        \\&'quoted' — 1\\[en]2 ...
        .TP
        \\fB\\-\\-flag\\fR \\fIN\\fR
        means \\en
        .PP
        .RS 4
        .nf
        # one
        \\&.two
        .fi
        .RE
        .SH SEE ALSO
        \\fBmartlet\\fR(1),
        \\fBmartlet.conf\\fR(5)

        """)
  }

  @Test("The values that completions offer are those that settings accept")
  func choices() throws {
    for setting in Setting.serve where !setting.choices.isEmpty {
      for choice in setting.choices {
        let result = try MartletProcess.run(["config", "--\(setting.flag)", choice])
        #expect(result.code == 0, "\(setting.flag) \(choice)")
      }
      #expect(try MartletProcess.run(["config", "--\(setting.flag)", "nothing"]).code == 2)
    }
  }

  @Test("bash completes commands, flags, subcommands and values")
  func bash() throws {
    let folder = try TemporaryFolder()
    let script = folder.file("martlet")
    let text = try #require(Completions.all.first { $0.name == "bash/martlet" }).text
    try text.write(toFile: script, atomically: true, encoding: .utf8)
    func complete(_ words: String...) throws -> [String] {
      let line = words.map { "'\($0)'" }.joined(separator: " ")
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/bash")
      process.arguments = [
        "-c",
        """
        compopt() { :; }; source \(script); COMP_WORDS=(\(line)); COMP_CWORD=\(words.count - 1)
        _martlet; printf '%s\\n' "${COMPREPLY[@]}"
        """,
      ]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let bytes = try #require(try output.fileHandleForReading.readToEnd())
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
    #expect(try complete("martlet", "ba") == ["backup"])
    #expect(try complete("martlet", "key", "") == ["create", "list", "revoke"])
    #expect(try complete("martlet", "key", "create", "--scope", "") == ["read", "write", "admin"])
    #expect(try complete("martlet", "--log-f") == ["--log-format"])
    #expect(try complete("martlet", "health", "--") == ["--config", "--host", "--port", "--help"])
    #expect(try complete("martlet", "help", "do") == ["doctor"])
    #expect(try complete("martlet", "serve", "--port", "") == [])
  }
}
