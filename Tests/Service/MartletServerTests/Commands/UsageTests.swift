import Foundation
import TestSupport
import Testing

@Suite struct UsageTests {
  /// A wrong command line, and parts of the expected error: what was given, and what is allowed.
  struct Mistake: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var environment: [String: String] = [:]
    var says: [String]
    var testDescription: String {
      (environment.map { "\($0.key)=\($0.value)" } + ["martlet"] + arguments).joined(separator: " ")
    }
  }

  static let mistakes = [
    Mistake(
      arguments: ["sevre"],
      says: [
        "\"sevre\"; did you mean serve?",
        "serve, key, cluster, config, migrate, backup, restore, export, import, doctor, seed, health, version",
      ]),
    Mistake(arguments: ["help", "bakup"], says: ["\"bakup\"; did you mean backup?"]),
    Mistake(arguments: ["help", "serve", "seed"], says: ["unexpected \"seed\""]),
    Mistake(arguments: ["launch"], says: ["\"launch\"; the commands are serve, key"]),
    Mistake(arguments: ["seed", "--random-seed", "7"], says: ["--random-seed", "--reminders"]),
    Mistake(
      arguments: ["serve", "--log-format", "xml"],
      says: ["--log-format must be one of text, json, auto, not \"xml\""]),
    Mistake(
      arguments: ["serve"], environment: ["MARTLET_TRUSTED_PROXIES": "::1,nginx"],
      says: ["MARTLET_TRUSTED_PROXIES must be an IPv4 or IPv6 address, not \"nginx\""]),
    Mistake(
      arguments: ["serve", "--prot", "1"], says: ["\"--prot\"", "did you mean --port?", "--help"]),
    Mistake(arguments: ["--prot=1"], says: ["\"--prot=1\"", "--port"]),
    Mistake(arguments: ["serve", "--somewhere-else", "1"], says: ["\"--somewhere-else\"; --help"]),
    Mistake(arguments: ["version", "--port", "1"], says: ["\"--port\"", "takes no flags"]),
    Mistake(arguments: ["serve", "extra"], says: ["\"extra\"", "--help"]),
    Mistake(
      arguments: ["serve", "--port", "eighty"], says: ["--port", "0 to 65535", "\"eighty\""]),
    Mistake(arguments: ["serve", "--port", "65536"], says: ["--port", "0 to 65535", "\"65536\""]),
    Mistake(arguments: ["serve", "--port"], says: ["--port needs a value", "--port N"]),
    Mistake(arguments: ["serve", "--port", "1", "--port", "2"], says: ["--port is given twice"]),
    Mistake(arguments: ["serve", "--loops", "65"], says: ["--loops", "0 to 64", "\"65\""]),
    Mistake(
      arguments: ["serve", "--grace-period", "-1"], says: ["0ms to 1h", "ms, s, min, h", "\"-1\""]),
    Mistake(
      arguments: ["serve", "--default-alarm", "10min"],
      says: ["--default-alarm must be none, or a duration of at most 366 days", "\"10min\""]),
    Mistake(
      arguments: ["serve", "--default-day-alarm", "P367D"],
      says: ["--default-day-alarm must be none, or a duration", "\"P367D\""]),
    Mistake(
      arguments: ["serve"], environment: ["MARTLET_DEFAULT_ALARM": "P1M"],
      says: ["MARTLET_DEFAULT_ALARM must be none", "such as -PT10M, not \"P1M\""]),
    Mistake(
      arguments: ["serve", "--alarm-catch-up", "59s"],
      says: ["--alarm-catch-up", "1min to 365d", "\"59s\""]),
    Mistake(
      arguments: ["serve", "--outgoing-to", "127.0.0.1", "--outgoing-to", "10.0.0.0/33"],
      says: ["--outgoing-to must be an address, a network such as", "not \"10.0.0.0/33\""]),
    Mistake(
      arguments: ["serve"], environment: ["MARTLET_OUTGOING_TO": "::1,http://nas"],
      says: ["MARTLET_OUTGOING_TO must be an address", "not \"http://nas\""]),
    Mistake(
      arguments: ["serve", "--public-url", "todo.example.org"],
      says: ["--public-url must be a URL without a query", "not \"todo.example.org\""]),
    Mistake(
      arguments: ["serve", "--public-url", "https://todo.example.org/?a=b"],
      says: ["--public-url must be a URL without a query"]),
    Mistake(
      arguments: ["serve"], environment: ["MARTLET_PUBLIC_URL": "https://me@todo.example.org"],
      says: ["MARTLET_PUBLIC_URL must be a URL", "such as https://todo.example.org"]),
    Mistake(
      arguments: ["serve", "--max-body", "1MB"],
      says: ["0B to 1GiB", "B, KiB, MiB, GiB", "\"1MB\""]),
    Mistake(
      arguments: ["serve", "--allowed-origin", "*"], says: ["as browsers send it", "\"*\""]),
    Mistake(
      arguments: ["serve", "--allowed-origin", "null"], says: ["as browsers send it", "\"null\""]),
    Mistake(
      arguments: ["serve", "--allowed-origin", "https://a.example:443"],
      says: ["as browsers send it"]),
    Mistake(
      arguments: ["serve", "--allowed-host", "a.example:8443"], says: ["without a port", "8443"]),
    Mistake(arguments: ["serve", "--allowed-host", "*.a.example"], says: ["a name or an address"]),
    Mistake(
      arguments: ["serve", "--database", "~/a.db"], says: ["--database must be a path without ~"]),
    Mistake(arguments: ["serve", "--idle-timeout", "75"], says: ["not \"75\", which is 75ms"]),
    Mistake(arguments: ["backup", "-x"], says: ["unexpected \"-x\""]),
    Mistake(
      arguments: ["serve", "--trusted-proxy", "nginx"], says: ["IPv4 or IPv6", "\"nginx\""]),
    Mistake(
      arguments: ["serve", "--time-zone", "Europe/Wien"], says: ["--time-zone", "Europe/Vienna"]),
    Mistake(arguments: ["serve", "--config", "nowhere"], says: ["nowhere cannot be read"]),
    Mistake(arguments: ["serve", "--allow-no-keys=yes"], says: ["--allow-no-keys takes no value"]),
    Mistake(arguments: ["health", "--port", "0"], says: ["--port", "1 to 65535", "not \"0\""]),
    Mistake(arguments: ["seed", "--lists", "0"], says: ["--lists", "1 to 100000", "\"0\""]),
    Mistake(arguments: ["seed", "--random-seed", "x"], says: ["--random-seed", "\"x\""]),
    Mistake(
      arguments: ["serve"], environment: ["MARTLET_PROT": "1"],
      says: ["MARTLET_PROT", "MARTLET_PORT"]),
    Mistake(
      arguments: ["version"], environment: ["MARTLET_KEY": "1"], says: ["MARTLET_KEY", "--help"]),
    Mistake(
      arguments: ["serve"], environment: ["MARTLET_PORT": "x"], says: ["MARTLET_PORT", "\"x\""]),
    Mistake(
      arguments: ["serve"], environment: ["MARTLET_ALLOW_NO_KEYS": "yes"],
      says: ["MARTLET_ALLOW_NO_KEYS", "1, true, 0 or false", "\"yes\""]),
    Mistake(
      arguments: ["serve", "--host", "0.0.0.0"], says: ["--host 0.0.0.0", "--allow-no-keys"]),
    Mistake(arguments: ["serve", "--host", "::"], says: ["--host ::", "--allow-no-keys"]),
    Mistake(
      arguments: ["serve"], environment: ["MARTLET_HOST": "192.0.2.1"],
      says: ["192.0.2.1", "--allow-no-keys"]),
  ]

  @Test("A wrong command line ends with 2 and says what is allowed", arguments: mistakes)
  func mistake(_ mistake: Mistake) throws {
    let folder = try TemporaryFolder()
    let result = try MartletProcess.run(
      mistake.arguments, environment: mistake.environment, in: folder)
    #expect(result.code == 2)
    #expect(result.output == "")
    #expect(result.errors.hasPrefix("martlet: "))
    #expect(result.errors.split(separator: "\n").count == 1)
    for text in mistake.says { #expect(result.errors.contains(text)) }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.filter { !$0.hasPrefix("stderr") } == [], "a mistake creates no files")
  }

  @Test(
    "--help lists the commands, and the flags of each command", arguments: ["--help", "-h", "help"])
  func help(word: String) throws {
    let all = try MartletProcess.run([word])
    #expect(all.code == 0)
    #expect(all.errors == "")
    for command in ["serve", "config", "migrate", "seed", "health", "version"] {
      #expect(all.output.contains("\n  \(command) "))
      let help = try MartletProcess.run([command, "--help"])
      #expect(help.code == 0)
      #expect(help.output.hasPrefix("martlet \(command): "))
      #expect(try MartletProcess.run([word, command]).output == help.output)
    }
    #expect(all.output.contains("\n  --port N "), "serve's flags, with their defaults")
    #expect(all.output.contains("(8080)\n"))
    #expect(try MartletProcess.run(["serve", "--port", "1", "--help"]).code == 0)
  }

  @Test("Precedence: flag, variable, default")
  func precedence() throws {
    let folder = try TemporaryFolder()
    let environment = ["MARTLET_DATABASE": folder.file("variable.db")]
    #expect(try MartletProcess.run(["migrate"], environment: environment, in: folder).code == 0)
    #expect(FileManager.default.fileExists(atPath: folder.file("variable.db")))
    let flag = ["migrate", "--database", folder.file("flag.db")]
    #expect(try MartletProcess.run(flag, environment: environment, in: folder).code == 0)
    #expect(FileManager.default.fileExists(atPath: folder.file("flag.db")))
    #expect(try MartletProcess.run(["migrate"], in: folder).code == 0)
    #expect(FileManager.default.fileExists(atPath: folder.file("data/martlet.db")))
  }

  @Test func version() throws {
    let result = try MartletProcess.run(["version"])
    #expect(result.code == 0)
    let wanted = /^martlet \d+\.\d+\.\d+, SQLite 3\.\d+\.\d+, Swift 6\.\d[ a-z]*\n$/
    #expect(result.output.contains(wanted))
  }
}
