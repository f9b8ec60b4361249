import Foundation
import TestSupport
import Testing

@testable import MartletServer

@Suite("Removed settings") struct RemovedSettingTests {
  private let all = RemovedSetting.all

  @Test(
    "A removed flag has an error of its own",
    arguments: RemovedSetting.all.map(\.flag))
  func flag(name: String) throws {
    for arguments in [["--\(name)", "1"], ["--\(name)=1"], ["--\(name)"]] {
      let error = #expect(throws: UsageError.self) {
        try Values(arguments, environment: [:], settings: Command.serve.settings)
      }
      let text = error?.description ?? ""
      #expect(text.hasPrefix("--\(name) is no longer a setting: "), "\(text)")
      #expect(!text.contains("ignored"))
    }
  }

  @Test(
    "A removed setting is unknown to all commands and has no effect", arguments: RemovedSetting.all)
  func removed(setting: RemovedSetting) throws {
    #expect(!Command.allSettings.contains { $0.flag == setting.flag })
    #expect(!Command.allSettings.contains { $0.variable == setting.variable })
    let values = try Values(
      [], environment: [setting.variable: "17"], settings: Command.serve.settings)
    let name = setting.variable
    let advice =
      switch setting.successor {
      case .value(let value): "remove it; its value is fixed at \(value)"
      case .setting: "use MARTLET_RESPONSE_CACHE"
      }
    #expect(values.warnings == ["\(name) is no longer a setting and is ignored: \(advice)"])
    let (told, usual) = (try ServeSettings(values).bounds, LimitSetting.Bounds())
    #expect("\(told)" == "\(usual)")
  }

  @Test(
    "A removed flag ends every command with 2", arguments: ["serve", "config", "doctor", "migrate"])
  func commands(command: String) throws {
    let result = try MartletProcess.run([command, "--look-around", "1s"])
    #expect(result.code == 2 && result.output == "")
    let refusal =
      "martlet: --look-around is no longer a setting: remove it; its value is fixed at 100ms\n"
    #expect(result.errors == refusal)
  }

  @Test("A renamed setting names the new one as the operator would write it there")
  func renamed() throws {
    let settings = Command.serve.settings
    let error = #expect(throws: UsageError.self) {
      try Values(["--hot-results", "1MiB"], environment: [:], settings: settings)
    }
    #expect(
      error?.description == "--hot-results is no longer a setting: use --response-cache")
    let folder = try TemporaryFolder()
    let file = folder.file("martlet.conf")
    try "hot-results = 1MiB\n".write(toFile: file, atomically: true, encoding: .utf8)
    let values = try Values(
      ["--config", file], environment: ["MARTLET_HOT_RESULTS": "1MiB"], settings: settings)
    #expect(
      values.warnings == [
        "MARTLET_HOT_RESULTS is no longer a setting and is ignored: use MARTLET_RESPONSE_CACHE",
        "\(file):1: hot-results is no longer a setting and is ignored: use response-cache",
      ])
    #expect(settings.contains { $0.variable == "MARTLET_RESPONSE_CACHE" })
  }

  /// A folder with a configuration file that contains removed settings.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let file = "# mine\ngroup-time = never\nport = 0\ngroup-time = 1s\nmax-body = 2KiB\n"
    try file.write(toFile: folder.file("martlet.conf"), atomically: true, encoding: .utf8)
    return folder
  }
  private let environment = ["MARTLET_READERS": "many", "MARTLET_CONFIG": "martlet.conf"]
  private let told = [
    "MARTLET_READERS is no longer a setting and is ignored: remove it; its value is fixed at 2",
    "martlet.conf:2: group-time is no longer a setting and is ignored: remove it; its value is fixed at 20ms",
    "martlet.conf:4: group-time is no longer a setting and is ignored: remove it; its value is fixed at 20ms",
  ]

  @Test("In a variable or the file it is a warning of every command")
  func warnings() throws {
    let folder = try folder()
    let config = try MartletProcess.run(["config"], environment: environment, in: folder)
    #expect(config.code == 0)
    #expect(config.errors == told.map { "martlet: warning: \($0)\n" }.joined())
    #expect(config.output.contains("= 2KiB   # martlet.conf:5\n"))
    #expect(!config.output.contains("group-time") && !config.output.contains("readers"))
    // Also of commands without limits.
    let migrate = try MartletProcess.run(["migrate"], environment: environment, in: folder)
    #expect(migrate.code == 0 && migrate.errors == config.errors)
    let version = try MartletProcess.run(["version"], environment: environment, in: folder)
    #expect(version.code == 0 && version.errors == "martlet: warning: \(told[0])\n")
  }

  @Test("serve logs the warning and starts", arguments: ["text", "json"])
  func serve(format: String) throws {
    let server = try MartletProcess(
      ["--log-format", format], in: folder(),
      environment: environment)
    #expect(try RawClient(port: server.port).get("/livez").status == 200)
    let log = try server.stop().errors
    for text in told {
      let line = log.split(separator: "\n").first { $0.contains(text) }
      #expect(
        line?.contains(format == "json" ? #""level":"warning""# : " warning ") == true, "\(log)")
    }
  }

  @Test("doctor reports the warning and ends with 0")
  func doctor() throws {
    let result = try MartletProcess.run(["doctor"], environment: environment, in: folder())
    #expect(result.code == 0, "\(result)")
    for text in told { #expect(result.output.contains("warning  \(text)\n"), "\(result)") }
    #expect(result.errors == "")
  }

  @Test("docs/settings.md lists all of them with their values")
  func page() throws {
    let page = try Repository.text("docs/settings.md")
    let rows = page.matches(of: /(?m)^\| `([a-z][a-z-]*)` \| `([^`]+)` \| `[A-Za-z.]+` \|/)
    #expect(
      rows.map { "\($0.1) \(RemovedSetting.Successor.value(String($0.2)))" }
        == RemovedSetting.withValues.map { "\($0.flag) \($0.successor)" })
    #expect(page.contains("`hot-results` is now called `response-cache`"))
  }

  @Test("No page and no message of the program mentions a removed flag")
  func unnamed() throws {
    let names = all.map(\.flag).joined(separator: "|")
    let pattern = try Regex("--(\(names))(?![a-z-])")
    let sources = FileManager.default.enumerator(atPath: Repository.root + "/Sources")
    let files = (sources?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }
    let pages = try Repository.pages()
    #expect(files.count > 100 && pages.count > 10)
    for file in files.map({ "Sources/\($0)" }) + pages + ["README.md", "openapi.yaml"] {
      let text = try Repository.text(file)
      let found = text.firstMatch(of: pattern).map { String(text[$0.range]) }
      #expect(found == nil, "\(file)")
    }
  }
}
