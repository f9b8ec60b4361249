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
