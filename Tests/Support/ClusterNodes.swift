import Foundation
import MartletSQLite
import MartletStore
import MartletTesting
import Synchronization

/// The log of a cluster as a list in memory, which fails on demand.
public final class MemoryLog: Replicator {
  public enum Mode: Sendable {
    case accepts
    /// Another node is the primary.
    case refuses
    /// The answer is lost, and the entry with it.
    case losesEntry
    /// The answer is lost, but not the entry.
    case losesAnswer
  }

  private struct State {
    var entries: [ReplicatedEntry] = []
    var mode = Mode.accepts
    var confirmations = 0
    var published: [Int64] = []
    /// The content of staged files, by their tags.
    var files: [UInt64: Data] = [:]
  }
  private let state = Mutex(State())

  public var entries: [ReplicatedEntry] { state.withLock { $0.entries } }
  public var confirmations: Int { state.withLock { $0.confirmations } }
  /// The numbers of the entries that readers of the primary have been shown.
  public var published: [Int64] { state.withLock { $0.published } }
  public init() {}

  public func set(_ mode: Mode) { state.withLock { $0.mode = mode } }

  public func install(_ file: StagedFile) throws(ReplicationError) {
    let content = FileManager.default.contents(atPath: file.path)
    state.withLock { $0.files[file.tag] = content }
    try append(file.entry)
  }

  public func stepDown() {}

  public func published(_ seq: Int64) { state.withLock { $0.published.append(seq) } }

  /// Writes a staged file, as another node would get it.
  public func write(_ tag: UInt64, to path: String) throws {
    try state.withLock { $0.files[tag] }?.write(to: URL(filePath: path))
  }

  public func append(_ entry: ReplicatedEntry) throws(ReplicationError) {
    let error: ReplicationError? = state.withLock { state in
      switch state.mode {
      case .refuses: return .notPrimary
      case .losesEntry: return .undecided
      case .accepts, .losesAnswer:
        guard entry.seq == Int64(state.entries.count + 1) else { return .notPrimary }
        state.entries.append(entry)
        return state.mode == .accepts ? nil : .undecided
      }
    }
    if let error { throw error }
  }

  public func confirm() throws(ReplicationError) {
    let error: ReplicationError? = state.withLock { state in
      state.confirmations += 1
      return state.mode == .accepts ? nil : .notPrimary
    }
    if let error { throw error }
  }
}

extension EmbeddedDatabase {
  /// Blocks until the database accepts no writes any more.
  public func waitUntilRefused() {
    while (try? submit(write: { _ in }, completion: { _ in })) != nil { usleep(1_000) }
  }
}

/// Nodes in this process, each with a copy of the same file, and a log that they share.
public final class ClusterNodes: Sendable {
  public let log = MemoryLog()
  /// The paths of their files.
  public let paths: [String]
  public let databases: [EmbeddedDatabase]
  private let folder: TemporaryFolder
  private let prepare: @Sendable (Connection) throws -> Void

  /// Creates nodes whose files are copies of one file, none of them the primary.
  ///
  /// - Parameters:
  ///   - count: The number of nodes.
  ///   - create: Creates the schema, and what the file has at first.
  ///   - prepare: Prepares each connection of the databases.
  public init(
    _ count: Int = 2, settings: Configuration = Configuration(),
    create: (_ path: String) throws -> Void,
    prepare: @escaping @Sendable (Connection) throws -> Void = { _ in }
  ) throws {
    self.prepare = prepare
    folder = try TemporaryFolder()
    let first = folder.file("first.db")
    try create(first)
    let connection = try Connection(location: .file(first))
    try NodePosition(cluster: "test", seq: 0).store(in: connection)
    paths = (0..<count).map { [folder] in folder.file("node\($0).db") }
    for path in paths { try connection.vacuum(into: path) }
    connection.close()
    databases = try paths.map { [log] path in
      try EmbeddedDatabase(
        path: path, configuration: settings, prepare: prepare, replicator: log
      ) { _ in
      }
    }
  }

  deinit { for database in databases { database.close() } }

  public subscript(_ node: Int) -> EmbeddedDatabase { databases[node] }

  /// Makes one node the primary, after it has read the log.
  public func lead(_ node: Int) throws {
    for other in databases { try other.demote() }
    try catchUp(node)
    try databases[node].promote()
  }

  /// Applies what a replica has not read yet.
  public func catchUp(_ node: Int) throws {
    let database = databases[node]
    for entry in log.entries where entry.seq > database.seq {
      guard entry.kind == .file else {
        try database.apply([entry])
        continue
      }
      let path = folder.file("staged")
      try log.write(RowEntry.tag(of: entry.bytes), to: path)
      try database.replace(with: path, of: "test", installing: entry)
    }
  }

  /// The stored values of all tables of a node, with those of virtual tables.
  public func contents(_ node: Int) throws -> [String: [String]] {
    let connection = try Connection(location: .file(paths[node]), options: [.readOnly])
    defer { connection.close() }
    try prepare(connection)
    return try StoredContents.of(connection)
  }
}
