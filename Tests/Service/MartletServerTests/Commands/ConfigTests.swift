import Foundation
import TestSupport
import Testing

@testable import MartletServer

@Suite("martlet config and the configuration file") struct ConfigTests {
  /// Runs `martlet config` and returns the printed values with their origins.
  private func config(
    _ arguments: [String] = [], file: String? = nil, environment: [String: String] = [:]
  ) throws -> (values: [String: String], result: ChildProcess.Result) {
    let folder = try TemporaryFolder()
    var arguments = arguments
    if let file {
      try file.write(toFile: folder.file("martlet.conf"), atomically: true, encoding: .utf8)
      arguments += ["--config", "martlet.conf"]
    }
    let result = try MartletProcess.run(
      ["config"] + arguments,
      environment: environment.merging(["MARTLET_PORT": "0"]) { given, _ in given }, in: folder)
    let pairs = result.output.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let pieces = line.split(separator: "=", maxSplits: 1)
      return (
        pieces[0].trimmingCharacters(in: .whitespaces),
        pieces[1].trimmingCharacters(in: .whitespaces)
      )
    }
    return (Dictionary(pairs) { "\($0) and \($1)" }, result)
  }

  @Test("Precedence: flag, variable, file, default")
  func precedence() throws {
    let file = """
      # a comment
      max-body = 1KiB
      idle-timeout=5s   # another one
      rate-limit = 100
      database = a#b.db
      """
    let (values, _) = try config(
      ["--max-body", "2KiB"], file: file,
      environment: ["MARTLET_MAX_BODY": "3KiB", "MARTLET_RATE_LIMIT": "200"])
    #expect(values["max-body"] == "2KiB   # --max-body")
    #expect(values["rate-limit"] == "200   # MARTLET_RATE_LIMIT")
    #expect(values["idle-timeout"] == "5s   # martlet.conf:3")
    #expect(values["database"] == "a#b.db   # martlet.conf:5")
    #expect(values["handler-timeout"] == "30s")
  }

  @Test(
    "A quoted value, or one that begins with ~, is refused with its line",
    arguments: [
      (#"database = "/srv/a.db""#, "martlet.conf:2: database must not be quoted"),
      ("database = '/srv/a.db'", "martlet.conf:2: database must not be quoted"),
      (#"host = "127.0.0.1""#, "martlet.conf:2: host must not be quoted"),
      ("database = ~/a.db", "martlet.conf:2: database must be a path without ~"),
      ("backup-dir=~", "martlet.conf:2: backup-dir must be a path without ~"),
    ])
  func quoted(_ line: String, _ fault: String) throws {
    let result = try config(file: "max-body = 1KiB\n\(line)\n").result
    #expect(result.code == 2 && result.errors.contains(fault), "\(result)")
    let name = try #require(line.split(separator: "=").first).trimmingCharacters(in: .whitespaces)
    let value = line.split(separator: "=", maxSplits: 1)[1].trimmingCharacters(in: .whitespaces)
    let variable = "MARTLET_" + name.uppercased().replacing("-", with: "_")
    let given = try config(environment: [variable: value]).result
    #expect(given.code == 2 && given.errors.contains(variable), "\(given)")
  }

  @Test("Separators are recognized by bytes, even before combining marks")
  func signs() throws {
    let (values, result) = try config(file: "database =\u{301}a.db\n#\u{301} a comment\n")
    #expect(result.code == 0, "\(result.errors)")
    #expect(values["database"]?.contains("a.db   # martlet.conf:1") == true, "\(result.output)")
    let flag = try config(["--database=\u{301}b.db"])
    #expect(flag.values["database"]?.contains("b.db   # --database") == true, "\(flag.result)")
    let variable = try config(environment: ["MARTLET_DATABASE": "\u{301}c.db"])
    #expect(variable.values["database"]?.contains("c.db   # MARTLET_DATABASE") == true)
  }

  @Test("Each value of a list has its own origin")
  func listOrigins() throws {
    let (values, _) = try config(file: "allowed-host = a\nheartbeat = 1s\nallowed-host = b\n")
    #expect(values["allowed-host"] == "a   # martlet.conf:1 and b   # martlet.conf:3")
  }

  @Test("The output is a configuration file with the same settings")
  func roundTrip() throws {
    let first = try config(
      ["--allowed-host", "a.example", "--allowed-host", "b.example", "--heartbeat", "1min"])
    let second = try config(file: first.result.output)
    func bare(_ values: [String: String]) -> [String: String] {
      values.mapValues { $0.replacing(#/ +# [^ ]+/#, with: "") }
    }
    #expect(bare(first.values) == bare(second.values))
    #expect(bare(second.values)["allowed-host"] == "a.example and b.example")
  }

  @Test(
    "A mistake in the file is reported with its line",
    arguments: [
      ("max-body 1KiB", "martlet.conf:1: a line must be name = value"),
      ("\nmax-bodi = 1KiB", "martlet.conf:2: unknown \"max-bodi\"; did you mean max-body?"),
      ("port = 1\nport = 2", "martlet.conf:2: port is set twice"),
      ("allow-no-keys = perhaps", "martlet.conf:1: allow-no-keys must be 1, true, 0 or false"),
      ("\nport = 1\nport = 2", "martlet.conf:3: port is set twice, first in martlet.conf:2"),
      ("loops = 65", "martlet.conf:1: loops must be a whole number from 0 to 64, not \"65\""),
      ("loops =", "martlet.conf:1: loops must be a whole number from 0 to 64, not \"\""),
      ("max-body = 1MB", "martlet.conf:1: max-body must be from 0B to 1GiB, in B, KiB, MiB, GiB"),
      ("heartbeat = 5m", "martlet.conf:1: heartbeat must be from 100ms to 1h, in ms, s, min, h, d"),
      ("log-level = loud", "martlet.conf:1: log-level must be one of debug, info, warning, error"),
      ("log-format = xml", "martlet.conf:1: log-format must be one of text, json, auto"),
      ("time-zone = Mars", "martlet.conf:1: time-zone must be a time zone such as Europe/Vienna"),
      (
        "allowed-host = a\nallowed-host = b:1",
        "martlet.conf:2: allowed-host must be a name or an address without a port"
      ),
      (
        "\nallowed-origin = *",
        "martlet.conf:2: allowed-origin must be an origin as browsers send it"
      ),
      (
        "trusted-proxy = x",
        "martlet.conf:1: trusted-proxy must be an IPv4 or IPv6 address, not \"x\""
      ),
    ])
  func mistakes(file: String, says: String) throws {
    let (_, result) = try config(file: file)
    #expect(result.code == 2)
    #expect(result.errors.contains(says), "\(result.errors)")
  }

  @Test("Configured limits are enforced")
  func holds() throws {
    let martlet = try MartletInProcess(["--max-body", "30B"]) { $0.api.jsonDepth = 1 }
    let large = try RawClient(port: martlet.port)
    #expect(try large.post("/v1/lists", #"{"title":"more than thirty bytes"}"#).status == 413)
    let deep = try RawClient(port: martlet.port)
    #expect(try deep.post("/v1/lists", #"{"title":["a"]}"#).text.contains("malformed-json"))
    #expect(try deep.post("/v1/lists", #"{"title":"a"}"#).status == 201)
  }
}
