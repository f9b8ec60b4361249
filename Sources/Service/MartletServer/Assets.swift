import CMartletAssets

/// The files embedded in the program: `openapi.yaml`, the pages and `docs/problems.md`.
enum Assets {
  /// The paths of all embedded files in the repository.
  static var names: [String] { all.map(\.name) }

  /// The contents of an embedded file. Traps if there is none of this name.
  static func bytes(_ name: String) -> [UInt8] {
    guard let asset = all.first(where: { $0.name == name }) else {
      preconditionFailure("\(name) is not embedded")
    }
    return Array(asset.bytes)
  }

  private static var all: [(name: String, bytes: UnsafeBufferPointer<UInt8>)] {
    var all: [(name: String, bytes: UnsafeBufferPointer<UInt8>)] = []
    var asset = cassets
    while let next = asset, let name = next.pointee.name {
      let bytes = UnsafeBufferPointer(start: next.pointee.bytes, count: next.pointee.count)
      all.append((String(cString: name), bytes))
      asset = next + 1
    }
    return all
  }
}
