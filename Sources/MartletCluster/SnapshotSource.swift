/// Fetches a copy of another node's file.
public protocol SnapshotSource: Sendable {
  /// Writes a consistent copy of the file of one of these nodes to `path`, which must not exist.
  ///
  /// - Parameter addresses: The nodes to ask, by their addresses for the log.
  func fetch(from addresses: [String], to path: String) throws
}
