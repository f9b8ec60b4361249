import Foundation
import MartletCluster
import TestSupport
import Testing

@testable import MartletServer

/// Three servers on loopback.
final class ThreeServers {
  let folder: TemporaryFolder
  /// The file of the first node with the secret.
  var secret: String { secretFile(0) }
  private let addresses: [(log: String, http: String)]
  private let ports: [UInt16]
  private(set) var servers: [MartletProcess?] = [nil, nil, nil]

  private let shared: [String]

  /// - Parameters:
  ///   - first: More flags for the first start of the first node.
  ///   - shared: More flags for all nodes.
  init(first: [String] = [], shared: [String] = []) throws {
    self.shared = shared
    folder = try TemporaryFolder()
    let made = try MartletProcess.run(["cluster", "secret"])
    addresses = try (0..<3).map { _ in
      ("127.0.0.1:\(try FreePort.find())", "127.0.0.1:\(try FreePort.find())")
    }
    // A server that starts again must have the same one.
    ports = try (0..<3).map { _ in try UInt16(FreePort.find()) }
    for node in 0..<3 { try setSecrets([made.output], of: node) }
    for node in 0..<3 { try start(node, node == 0 ? first : []) }
    for node in 1..<3 {
      try wait("node \(node) joins") { self[node].log.contains("joined the cluster") }
    }
  }

  subscript(_ node: Int) -> MartletProcess { servers[node]! }
  var control: [String] { ["--cluster-http", addresses[0].http, "--cluster-secret-file", secret] }
  func database(_ node: Int) -> String { folder.file("n\(node).db") }
  func http(_ node: Int) -> String { addresses[node].http }

  func start(_ node: Int, _ more: [String] = []) throws {
    servers[node] = try MartletProcess(
      settings(node) + more, in: folder, name: "n\(node).db", port: ports[node])
  }

  /// The flags of a node for other commands with the flags of `serve`.
  func arguments(_ node: Int) -> [String] {
    settings(node) + ["--database", database(node), "--port", "\(ports[node])"]
  }

  private func settings(_ node: Int) -> [String] {
    [
      "--cluster-address", addresses[node].log, "--cluster-http", addresses[node].http,
      "--cluster-secret-file", secretFile(node),
    ] + shared + (node == 0 ? ["--cluster-bootstrap"] : ["--cluster-join", addresses[0].http])
  }

  private func secretFile(_ node: Int) -> String { folder.file("secret\(node)") }

  /// Replaces the file of a node with the secrets, one on each line.
  func setSecrets(_ lines: [String], of node: Int) throws {
    let new = folder.file("secret.new")
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: new))
    chmod(new, 0o600)
    rename(new, secretFile(node))
  }

  func kill(_ node: Int) throws {
    try self[node].kill9()
    servers[node] = nil
  }

  func client(_ node: Int) throws -> RawClient { try RawClient(port: self[node].port) }

  func wait(_ what: String, _ condition: () throws -> Bool) throws {
    for _ in 0..<2_000 {
      if try condition() { return }
      usleep(20_000)
    }
    throw ChildProcess.Failure(description: "never: \(what)")
  }

  /// The number of the node that leads.
  func primary() throws -> Int {
    var found: Int?
    try wait("a node leads") {
      let status = try MartletProcess.run(["cluster", "status"] + control)
      guard status.code == 0 else { return false }
      let leading = status.output.split(separator: "\n").first { $0.contains(" primary ") }
      found = (0..<3).first { leading?.contains(addresses[$0].log) == true }
      return found != nil
    }
    return found!
  }

  func stop() { for case let server? in servers { try? server.kill9() } }
}

let hasLibrary: Bool = (try? ClusterNode.libraryVersion()) != nil
