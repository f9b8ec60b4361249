import FoundationEssentials
import Glibc
import Synchronization

/// A folder that is removed with the object, or at the end of the process if a global still holds
/// the object.
public final class TemporaryFolder: Sendable {
  private static let present = Mutex<Set<String>>([])
  private static let removesAtExit: Void = { atexit { TemporaryFolder.removeAll() } }()

  /// Removes the folders of all objects.
  package static func removeAll() {
    for path in present.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
  }

  /// The folder's absolute path.
  public let path: String

  /// Creates a folder in the system's folder for temporary files (`TMPDIR`).
  public init() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("martlet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
    _ = TemporaryFolder.removesAtExit
    _ = TemporaryFolder.present.withLock { [path] in $0.insert(path) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    _ = TemporaryFolder.present.withLock { [path] in $0.remove(path) }
  }

  /// The path of a file in the folder.
  public func file(_ name: String) -> String { path + "/" + name }
}
