import Foundation
import Synchronization

/// A folder that is gone when the object is, and at the end of the process: what a global holds is never let go of.
public final class TemporaryFolder: Sendable {
  private static let present = Mutex<Set<String>>([])
  private static let removesAtExit: Void = {
    atexit {
      for path in TemporaryFolder.present.withLock({ $0 }) {
        try? FileManager.default.removeItem(atPath: path)
      }
    }
  }()

  public let path: String

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

  public func file(_ name: String) -> String { path + "/" + name }
}
