import CMartletDqlite
import Glibc
import Synchronization

/// This machine's part of the replicated log: a node of dqlite, which holds elections and copies
/// what is written to a majority of nodes.
///
/// It runs until the process ends. `dqlite_node_stop` of version 1.11.1 can crash while other nodes
/// are connected, and a node must survive a sudden end anyway. Because it still runs then, `exit`
/// skips the destructors of libraries, and what was registered with `atexit` before.
struct DqliteNode: Sendable {
  private static let isLoaded = Mutex(false)

  /// Loads libdqlite, if that has not happened yet.
  static func loadLibrary(_ name: String = "libdqlite.so.0") throws(ClusterError) {
    let failure = isLoaded.withLock { isLoaded -> String? in
      if isLoaded { return nil }
      if let reason = cdqlite_load(name) { return String(cString: reason) }
      isLoaded = true
      return nil
    }
    if let failure { throw .library(failure) }
  }

  /// The version of the library.
  static var version: Int { Int(cdqlite_version()) }

  /// An ID for a new node.
  static func newID(at address: String) -> UInt64 { cdqlite_generate_id(address) }

  /// Starts a node. The library must be loaded, and a database must have been opened before,
  /// because SQLite is configured then.
  ///
  /// - Parameters:
  ///   - id: Its ID. 1 begins a new cluster if the folder is empty.
  ///   - latency: The time of a message to another node, at most. The timeouts are multiples of it.
  init(id: UInt64, address: String, folder: String, latency: Duration) throws(ClusterError) {
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw .library("\(folder) cannot be created: \(String(cString: strerror(errno)))")
    }
    var failure: UnsafePointer<CChar>?
    let milliseconds = UInt32(max(latency / .milliseconds(1), 1))
    let isStarted = cdqlite_start(
      id, address, folder, milliseconds, Self.snapshotThreshold, Self.snapshotTrailing, &failure)
    guard isStarted else {
      throw .library(failure.map { String(cString: $0) } ?? "the node cannot be started")
    }
  }

  /// After how many entries of its own log dqlite writes a snapshot, which has the size of our log.
  private static let snapshotThreshold: UInt32 = 2_048
  /// How many entries it keeps in memory after that, for nodes that are behind. No fewer than the
  /// threshold, or dqlite refuses it.
  private static let snapshotTrailing: UInt32 = 2_048
}
