import Glibc
import MartletStore

/// The staged files that this node has. Used on the node's thread.
struct StagedFiles {
  private let database: String
  private let cluster: String
  private var files: [StagedFile]

  /// - Parameter database: The path of the node's database.
  init(nextTo database: String, of cluster: String) {
    self.database = database
    self.cluster = cluster
    files = []
    scan()
  }

  /// Looks which files there are. The database must not be the primary, which may be making one.
  mutating func scan() { files = StagedFile.all(nextTo: database) }

  /// The tag of the newest file; 0 without one.
  var tag: UInt64 { files.max { $0.seq < $1.seq }?.tag ?? 0 }

  func file(_ tag: UInt64) -> StagedFile? { files.first { $0.tag == tag } }

  /// Deletes the files that were installed, or that another entry has made obsolete.
  mutating func remove(upTo seq: Int64) {
    guard !files.isEmpty else { return }
    for file in files where file.seq <= seq { file.remove() }
    files.removeAll { $0.seq <= seq }
  }

  /// Gets a file from another node, in place of the files that are here.
  mutating func fetch(
    _ tag: UInt64, _ seq: Int64, from address: String, _ source: any SnapshotSource
  ) throws {
    guard file(tag) == nil else { return }
    for file in files { file.remove() }
    files = []
    let temporary = database + ".fetched"
    DurableFile.remove(temporary)
    defer { DurableFile.remove(temporary) }
    try source.fetch(.staged(tag: tag), from: address, to: temporary)
    files = [
      try StagedFile(
        taking: temporary, tag: tag, seq: seq, of: cluster, nextTo: database)
    ]
  }
}
