import Glibc
import MartletSQLite
import MartletStore

/// Changes the cluster that the file of a node belongs to, while no node runs with it.
public enum ClusterFile {
  /// The cluster of a file, and the last entry of the log that it has; `nil` for a single file.
  public static func position(of path: String) throws -> NodePosition? {
    let connection = try Connection(location: .file(path), options: [.readOnly])
    defer { connection.close() }
    return try NodePosition(connection)
  }

  /// Whether the folder is that of a node that is or was a member of its cluster.
  public static func isMember(_ folder: String) -> Bool {
    (try? NodeFile.read(in: folder))?.isMember == true
  }

  /// Makes the file one that belongs to no cluster.
  ///
  /// It can be the first file of a new cluster then (``ClusterSettings/Beginning/bootstrap``), also
  /// when a majority of the old one is lost for ever. Entries of the old log that the file lacks
  /// are lost. The other nodes must be stopped, and join the new cluster without their files.
  ///
  /// - Parameters:
  ///   - path: The path of the database file. No program may have it open.
  ///   - folder: The folder of the node, which is deleted.
  ///   - change: Changes the file in the same transaction.
  /// - Returns: What the file had of the log.
  @discardableResult
  public static func leave(
    _ path: String, folder: String, change: (Connection) throws -> Void = { _ in }
  ) throws -> NodePosition {
    guard access(path, F_OK) == 0 else { throw ClusterError.nodeFile("\(path) does not exist") }
    // No other program has the file open.
    try ExclusiveLock(path).release()
    let connection = try Connection(location: .file(path))
    defer { connection.close() }
    guard let position = try NodePosition(connection) else {
      throw ClusterError.nodeFile("\(path) does not belong to a cluster")
    }
    try connection.pragma("synchronous", set: "FULL")
    try connection.execute("BEGIN EXCLUSIVE")
    do {
      try NodePosition.remove(from: connection)
      try change(connection)
      // Before the commit, so that the command can be repeated if it is interrupted.
      try removeFolder(folder)
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
    connection.close()
    for file in StagedFile.all(nextTo: path) { file.remove() }
    return position
  }

  static func newID() -> String { String(UInt64.random(in: 0 ... .max), radix: 36) }

  /// Deletes the files of a node: `node.json` last, so that a node is not started with half of
  /// them.
  private static func removeFolder(_ folder: String) throws {
    for folder in [folder + "/log", folder] {
      let names = Directory.names(in: folder).sorted { rank($0) < rank($1) }
      for name in names where name != "log" { try remove(folder + "/" + name) }
      if rmdir(folder) != 0, errno != ENOENT { throw failure(folder) }
    }
  }

  /// The order in which files are copied. Those without which a node does not start go first.
  private static func rank(_ name: String) -> Int {
    name.hasPrefix("metadata") ? 0 : name == "node.json" ? 2 : 1
  }

  private static func remove(_ path: String) throws {
    if unlink(path) != 0, errno != ENOENT { throw failure(path) }
  }

  private static func failure(_ path: String) -> ClusterError {
    .nodeFile("\(path) cannot be deleted: \(String(cString: strerror(errno)))")
  }
}

/// Fetches files from other nodes.
///
/// Throws within seconds if the other node does not go on sending: the node cannot take over
/// meanwhile.
public protocol SnapshotSource: Sendable {
  /// Writes a file of another node to `path`, which must not exist.
  ///
  /// - Parameters:
  ///   - content: Which file.
  ///   - address: The node to ask, by its address for the log.
  func fetch(_ content: SnapshotContent, from address: String, to path: String) throws
}

/// A file that one node gets from another.
public enum SnapshotContent: Sendable, Hashable {
  /// A consistent copy of its database.
  case database
  /// The ``StagedFile`` with this tag.
  case staged(tag: UInt64)
}

/// Something that only the primary can do.
public enum ClusterRequest: Sendable {
  /// Makes another node the primary: the one with this ID, or any.
  case transfer(to: UInt64?)
  /// Takes a node out of the cluster.
  case remove(UInt64)
}
