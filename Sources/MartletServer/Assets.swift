import CMartletAssets
import MartletReminders
import MartletStore

/// The files embedded in the program: `openapi.yaml`, the pages and `docs/problems.md`.
enum Assets {
  /// All embedded files, named by their paths in the repository.
  static let all: [(name: String, bytes: [UInt8])] = {
    var assets: [(name: String, bytes: [UInt8])] = []
    var asset = cassets
    while let next = asset, let name = next.pointee.name {
      assets.append(
        (
          String(cString: name),
          Array(UnsafeBufferPointer(start: next.pointee.bytes, count: next.pointee.count))
        ))
      asset = next + 1
    }
    return assets
  }()

  /// The contents of an embedded file. Traps if there is none of this name.
  static func bytes(_ name: String) -> [UInt8] {
    guard let asset = all.first(where: { $0.name == name }) else {
      preconditionFailure("\(name) is not embedded")
    }
    return asset.bytes
  }
}
