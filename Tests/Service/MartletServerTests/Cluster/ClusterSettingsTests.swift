import Foundation
import MartletCluster
import TestSupport
import Testing

@testable import MartletServer

@Suite("The settings of a cluster") struct ClusterSettingsTests {
  private let folder: TemporaryFolder
  private let secret: String

  init() throws {
    folder = try TemporaryFolder()
    secret = folder.file("secret")
    try Data((ClusterSecret.make() + "\n").utf8).write(to: URL(filePath: secret))
    chmod(secret, 0o600)
  }

  private func options(_ arguments: [String]) throws -> ClusterOptions? {
    let values = try Values(
      ["--database", folder.file("m.db")] + arguments, environment: [:],
      settings: Command.serve.settings)
    return try ClusterOptions(values)
  }

  private func reason(_ arguments: [String]) -> String {
    do {
      _ = try options(arguments)
      return "none"
    } catch { return "\(error)" }
  }

  private var complete: [String] {
    [
      "--cluster-address", "10.88.0.1:9501", "--cluster-http", "10.88.0.1:9502",
      "--cluster-secret-file", secret,
    ]
  }

  @Test("A complete set of settings")
  func usable() throws {
    #expect(try options([]) == nil)
    let options = try #require(try options(complete + ["--cluster-bootstrap"]))
    #expect(options.address.description == "10.88.0.1:9501")
    #expect(options.folder == folder.file("m.db") + ".cluster")
    #expect(options.latency == .milliseconds(20) && options.patience == .seconds(2))
    guard case .bootstrap = options.beginning else {
      Issue.record("\(options.beginning)")
      return
    }
  }

  @Test("What is missing or contradicts is named, with the way out")
  func wrong() throws {
    let address = Array(complete[..<4])
    for (arguments, expected) in [
      (["--cluster-http", "10.0.0.1:1"], "--cluster-http needs --cluster-address"),
      (["--cluster-join", "10.0.0.1:1"], "--cluster-join needs --cluster-address"),
      (["--cluster-bootstrap"], "--cluster-bootstrap needs --cluster-address"),
      (["--cluster-address", "node1:9501"], "must be a numeric IPv4 address and a port"),
      (["--cluster-address", "10.88.0.1"], "must be a numeric IPv4 address and a port"),
      (["--cluster-address", "10.88.0.1:0"], "must be a numeric IPv4 address and a port"),
      (["--cluster-address", "10.88.0.1:65536"], "must be a numeric IPv4 address and a port"),
      (["--cluster-address", "203.0.113.7:9501"], "no address of a private network"),
      (["--cluster-address", "172.32.0.1:9501"], "no address of a private network"),
      (["--cluster-address", "10.88.0.1:9501"], "--cluster-address needs --cluster-http"),
      (
        ["--cluster-address", "10.88.0.1:9501", "--cluster-http", "10.88.0.1:9501"],
        "must be two addresses"
      ),
      (address, "--cluster-address needs --cluster-secret-file: martlet cluster secret"),
      (complete + ["--cluster-bootstrap", "--cluster-join", "10.0.0.1:1"], "give one"),
      (complete + ["--cluster-join", "x"], "--cluster-join must be a numeric IPv4"),
      (complete + ["--cluster-latency", "5ms"], "--cluster-latency"),
      (address + ["--cluster-secret-file", folder.file("none")], "No such file"),
    ] {
      let reason = reason(arguments)
      #expect(reason.contains(expected), "\(arguments): \(reason)")
    }
    #expect(
      reason(["--cluster-trust-network"] + ["--cluster-address", "203.0.113.7:9501"])
        .contains("--cluster-http"))
    for address in [
      "127.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.9.9", "192.168.1.1", "100.64.0.1",
    ] {
      #expect(NodeAddress("\(address):9")?.isPrivate == true, "\(address)")
    }
    for address in ["126.0.0.1", "11.0.0.1", "172.15.0.1", "192.169.0.1", "100.128.0.1", "8.8.8.8"]
    {
      #expect(NodeAddress("\(address):9")?.isPrivate == false, "\(address)")
    }
  }

  @Test(
    "The node whose clock differs from most others is not ready",
    arguments: [
      ([], 0, false), ([100, -200], 200, false), ([nil, nil], 0, false),
      ([4_900, -4_900], 4_900, false),
      // One of the others is wrong.
      ([0, -9_000], 9_000, false), ([9_000, nil], 9_000, false), ([9_000], 9_000, false),
      // This one is.
      ([9_000, 9_100], 9_100, true), ([-9_000, 6_000], 9_000, true),
      ([9_000, 9_000, 0, 0], 9_000, false), ([9_000, 9_000, 9_000, 0], 9_000, true),
    ] as [([Int64?], Int, Bool)])
  func clocks(_ values: [Int64?], _ most: Int, _ isWrong: Bool) {
    func status(_ seen: ContinuousClock.Instant) -> ClusterStatus {
      ClusterStatus(
        cluster: "c", id: 1,
        nodes: ([-9_999] + values).enumerated().map { index, value in
          .init(
            id: UInt64(index + 1), address: "", contact: "", isVoter: true, applied: 0,
            durable: 0, version: 0, clockDifference: value, seen: seen)
        })
    }
    #expect(ClusterService.clockDifference(status(.now)) == most)
    #expect(ClusterService.isClockWrong(status(.now)) == isWrong)
    // What a node has said that is gone does not count.
    #expect(!ClusterService.isClockWrong(status(.now - .seconds(60))))
  }

  @Test("The file of a secret is private, and each of its lines is accepted")
  func secrets() throws {
    let one = ClusterSecret.make()
    let other = ClusterSecret.make()
    #expect(one.utf8.count == 64 && one != other)
    try Data("\(one)\n\(other)\n".utf8).write(to: URL(filePath: secret))
    let both = try ClusterSecret(file: secret)
    #expect(both.sent == [one, other] && both.accepts(one) && both.accepts(other))
    // A changed file is read again, unless it is wrong.
    let third = ClusterSecret.make()
    try Data("\(third)\n\(one)\n".utf8).write(to: URL(filePath: secret + ".new"))
    chmod(secret + ".new", 0o600)
    rename(secret + ".new", secret)
    #expect(both.sent == [third, one] && both.accepts(third) && !both.accepts(other))
    try Data("short\n".utf8).write(to: URL(filePath: secret))
    #expect(both.sent == [third, one] && both.accepts(one) && !both.accepts("short"))
    try Data("\(one)\n\(other)\n".utf8).write(to: URL(filePath: secret))
    #expect(both.sent == [one, other])
    for wrong in [nil, "", String(one.dropLast()), one + "0", one.uppercased() + "x"] {
      #expect(!both.accepts(wrong), "\(wrong ?? "none")")
    }
    chmod(secret, 0o640)
    #expect(reason(complete).contains("chmod 600"))
    chmod(secret, 0o600)
    for content in ["", "short\n", String(repeating: "ä", count: 40)] {
      try Data(content.utf8).write(to: URL(filePath: secret))
      #expect(reason(complete).contains("at least 32 visible ASCII characters"), "\(content)")
    }
  }
}
