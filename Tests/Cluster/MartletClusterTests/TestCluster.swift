import Dispatch
import Foundation
import Glibc
import MartletSQLite
import MartletStore
import Synchronization
import TestSupport
import Testing

@testable import MartletCluster

/// Whether libdqlite is installed, as it is by `make test`.
let isLibraryInstalled: Bool = {
  do {
    try DqliteNode.loadLibrary()
    return true
  } catch { return false }
}()

/// Nodes in this process, on free ports of loopback, each with a table `t (id, a)`.
final class TestCluster: Sendable {
  final class Member: Sendable {
    let node: ClusterNode
    let path: String
    let address: String
    let events: EventLog

    init(node: ClusterNode, path: String, address: String, events: EventLog) {
      self.node = node
      self.path = path
      self.address = address
      self.events = events
    }

    var database: EmbeddedDatabase { node.database }

    func insert(_ value: Int) throws {
      try database.write { try $0.run("INSERT INTO t (a) VALUES (?)", .integer(value)) }
    }

    var values: [Int64] {
      get throws {
        try database.read { try $0.rows("SELECT a FROM t ORDER BY a").map { $0[0].integer ?? -1 } }
      }
    }
  }

  final class EventLog: Sendable {
    private let events = Mutex<[ClusterEvent]>([])
    func add(_ event: ClusterEvent) { events.withLock { $0.append(event) } }
    var all: [ClusterEvent] { events.withLock { $0 } }
    var text: String { all.map { "\($0)" }.joined(separator: "\n") }
    var snapshots: Int {
      all.count { if case .tookSnapshot = $0 { true } else { false } }
    }
  }

  /// Copies the file of the node with an address.
  private struct Source: SnapshotSource {
    let paths: @Sendable () -> [String: String]
    let isAllowed: @Sendable (SnapshotContent) -> Bool

    func fetch(_ content: SnapshotContent, from address: String, to path: String) throws {
      guard let source = paths()[address], isAllowed(content) else {
        throw ClusterError.connection("no such node")
      }
      switch content {
      case .database: try DatabaseCopy.make(of: source, at: path)
      case .staged(let tag):
        try DatabaseCopy.make(of: StagedFile.path(of: source, tag: tag), at: path)
      }
    }
  }

  /// A node makes `exit` skip the handlers that were registered before it. Nodes that start later
  /// change nothing more, so this is registered after the first.
  static let removesFolders: Void = {
    let folder = try? TemporaryFolder()
    let address = (try? FreePort.find()).map { "127.0.0.1:\($0)" }
    guard let folder, let address else { return }
    _ = try? DqliteNode(
      id: 1, address: address, folder: folder.file("log"), latency: .milliseconds(100))
    atexit { TemporaryFolder.removeAll() }
  }()

  let folder: TemporaryFolder
  let settings: Configuration
  private let paths = Mutex<[String: String]>([:])
  /// The nodes that cannot fetch staged files.
  private let lame = Mutex<Set<String>>([])

  init(settings: Configuration = .init()) throws {
    folder = try TemporaryFolder()
    self.settings = settings
    _ = Self.removesFolders
  }

  /// Starts a node, the first time or again.
  func start(
    _ name: String, _ beginning: ClusterSettings.Beginning, address: String? = nil,
    stagingTime: Duration = .seconds(60),
    schema: String = "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a)"
  ) throws -> Member {
    let address = try address ?? "127.0.0.1:\(FreePort.find())"
    let path = folder.file("\(name).db")
    if beginning == .bootstrap, !FileManager.default.fileExists(atPath: path) {
      let connection = try Connection(location: .file(path))
      try connection.execute(schema)
      connection.close()
    }
    var cluster = ClusterSettings(
      address: address, folder: folder.file(name), beginning: beginning)
    // Elections begin after 4.5 s without a message of the primary, so that none begins because the
    // machine is busy. The first node elects itself at once, and a transfer does not wait.
    cluster.latency = .milliseconds(300)
    cluster.stagingTime = stagingTime
    cluster.listeningTime = .zero
    let events = EventLog()
    paths.withLock { $0[address] = path }
    let source = Source {
      [weak self] in
      self?.paths.withLock { $0 } ?? [:]
    } isAllowed: { [weak self] content in
      content == .database || self?.lame.withLock { !$0.contains(name) } ?? true
    }
    let node = try ClusterNode(cluster, path: path, snapshots: source) {
      [settings] replicator in
      try EmbeddedDatabase(path: path, configuration: settings, replicator: replicator) { _ in }
    } onEvent: {
      events.add($0)
    }
    return Member(node: node, path: path, address: address, events: events)
  }

  /// Lets nodes fetch no staged files, or lets all do so.
  func setLame(_ names: Set<String>) { lame.withLock { $0 = names } }

  /// Three nodes, of which the first is the primary.
  func three(stagingTime: Duration = .seconds(60)) throws -> [Member] {
    let first = try start("a", .bootstrap, stagingTime: stagingTime)
    try wait("the first leads") { first.node.isPrimary }
    var all = [first]
    for name in ["b", "c"] {
      let next = try start(name, .join([first.address]))
      all.append(next)
      try wait("\(name) joins: \(next.events.text)") {
        next.events.all.contains { if case .joined = $0 { true } else { false } }
      }
    }
    return all
  }

  /// Stops nodes, whose part in majorities goes on until the process ends.
  func stop(_ members: [Member]) {
    for member in members {
      member.node.stop()
      member.database.close()
    }
  }

  /// The values that each member has.
  func values(_ members: [Member]) throws -> [[Int64]] { try members.map { try $0.values } }

  /// Waits for a condition that other threads bring about.
  func wait(
    _ what: @autoclosure () -> String, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () throws -> Bool
  ) throws {
    for _ in 0..<12_000 {
      if try condition() { return }
      usleep(5_000)
    }
    Issue.record("never: \(what())", sourceLocation: sourceLocation)
    throw CancellationError()
  }

  /// Waits until all members have everything that the primary has.
  func settle(_ members: [Member]) throws {
    try wait("all have the same: \(members.map(\.database.seq))") {
      Set(members.map(\.database.seq)).count == 1 && members.contains { $0.node.isPrimary }
    }
  }
}
