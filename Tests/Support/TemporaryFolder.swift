import Foundation

/// A folder that is gone when the object is.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("martlet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  public func file(_ name: String) -> String { path + "/" + name }
}
