import MartletSQLite

/// New content for the files of all nodes of a cluster, which rows cannot tell: another schema, or
/// the content of a backup.
///
/// It is a database next to the node's own one. Most nodes have it on their disks before an entry
/// of the log puts it in place of what they have.
public struct StagedFile: Sendable, Hashable {
  /// The path of the file.
  public var path: String
  /// The random number of the entry that installs it.
  public var tag: UInt64
  /// The number of that entry. The file has it as its position.
  public var seq: Int64

  /// Creates the description of a file.
  public init(path: String, tag: UInt64, seq: Int64) {
    self.path = path
    self.tag = tag
    self.seq = seq
  }

  /// The path of the staged file with a tag, next to a node's database.
  public static func path(of database: String, tag: UInt64) -> String {
    database + ending + String(tag, radix: 16)
  }

  private static let ending = ".staged-"

  /// The entry of the log that installs the file.
  public var entry: ReplicatedEntry {
    ReplicatedEntry(seq: seq, bytes: RowEntry.withoutRows(tag: tag), kind: .file)
  }

  /// Checks a file that another node has made, and puts it next to the database.
  ///
  /// - Parameters:
  ///   - temporary: Where the file is. It is renamed.
  ///   - database: The path of the node's database.
  package init(
    taking temporary: String, tag: UInt64, seq: Int64, of cluster: String, nextTo database: String
  ) throws {
    self.init(path: Self.path(of: database, tag: tag), tag: tag, seq: seq)
    let connection = try Connection(location: .file(temporary))
    defer { connection.close() }
    guard try NodePosition(connection) == NodePosition(cluster: cluster, seq: seq) else {
      throw ReplicationError.otherCluster
    }
    try DatabaseCopy.checkPages(connection)
    connection.close()
    guard let model = FileStatus(database) else { throw CopyError.missing(database) }
    _ = try DurableFile.place(temporary, at: path, like: model, mode: model.mode)
  }

  /// The staged files next to a database.
  package static func all(nextTo database: String) -> [StagedFile] {
    let folder = DurableFile.folder(of: database)
    let prefix = database.split(separator: "/").last.map { $0 + ending } ?? ""
    var found: [StagedFile] = []
    for name in Directory.names(in: folder) {
      guard name.hasPrefix(prefix), let tag = UInt64(name.dropFirst(prefix.count), radix: 16) else {
        continue
      }
      let file = StagedFile(path: path(of: database, tag: tag), tag: tag, seq: 0)
      guard let connection = try? Connection(location: .file(file.path), options: [.readOnly]),
        let position = try? NodePosition(connection)
      else {
        file.remove()
        continue
      }
      connection.close()
      found.append(StagedFile(path: file.path, tag: tag, seq: position.seq))
    }
    return found
  }

  /// Makes a finished file one that can be installed, on disk.
  func finish(_ cluster: String) throws {
    let connection = try Connection(location: .file(path))
    defer { connection.close() }
    try NodePosition(cluster: cluster, seq: seq).store(in: connection)
    // A single file, which the other nodes can copy.
    try connection.pragma("journal_mode", set: "DELETE")
    connection.close()
    try DurableFile.sync(path)
    try DurableFile.sync(DurableFile.folder(of: path))
  }

  /// Deletes the file.
  package func remove() { DurableFile.remove(path) }
}
